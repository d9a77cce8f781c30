"""A lock between processes: who waits for it sleeps, and is woken at once."""

from __future__ import annotations

import contextlib
import os


class FileLock:
    """Held by one process at a time, in a `with` block; the system frees it when a process dies."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def __enter__(self) -> None:
        with contextlib.suppress(ImportError):  # not POSIX: there a server is one process
            import fcntl

            fcntl.flock(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ImportError):
            import fcntl

            fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        """Give it up for good."""
        os.close(self._file)
