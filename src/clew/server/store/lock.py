"""One server at a time has an SQLite file: a lock beside it, which the kernel releases when the process ends."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from clew.server.store.base import StoreError


def lock_database(path: str) -> int:
    """Take the lock of a database, or say who has it; it is held until the descriptor is closed or the process ends.

    Called once for a server, however many processes it has: they inherit the lock if they are forked.
    """
    file = Path(path).resolve()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(f"{file}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StoreError(f"The database {path} cannot be opened: {(error.strerror or str(error)).lower()}.") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.read(lock, 20).decode("ascii", "replace").strip()
        os.close(lock)
        whom = f"process {holder}" if holder.isdigit() else "another process"
        raise StoreError(
            f"The database {path} is in use by {whom}: one server at a time can have it. "
            "Stop that server, or choose another --data or --db."
        ) from None
    os.ftruncate(lock, 0)
    os.write(lock, f"{os.getpid()}\n".encode())
    return lock
