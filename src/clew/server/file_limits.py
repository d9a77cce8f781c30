"""The limit of open files of a process, connections among them."""

from __future__ import annotations

import contextlib
import resource

from clew.server.logs import log

FEW_FILES = 4096
MOST_FILES = 1_048_576


def files_allowed() -> int:
    """How many files and connections this process may have open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_FILES if soft == resource.RLIM_INFINITY else soft


def raise_file_limit() -> None:
    """Let this process have as many files and connections open as it may, and say how many those are."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if wanted > files_allowed():
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    most = files_allowed()
    if most < FEW_FILES:
        log.warning("only %d files and connections can be open: raise the limit (ulimit -n, LimitNOFILE)", most)
    else:
        log.info("%d files and connections can be open", most)
