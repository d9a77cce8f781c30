"""Who somebody is: a random id in a signed cookie, and nothing else."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import os
import re
import secrets
import unicodedata
from pathlib import Path

from clew.core.errors import ClewError

COOKIE = "clew"
FOR_LONG = 400 * 86400  # seconds; browsers keep no cookie longer
LONGEST_NAME = 24
_ID = re.compile(r"[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}")


class BadName(ClewError):
    """A name that nobody can be called by."""


class Signer:
    """Gives out identities, and recognises those that it gave out."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def new(self) -> str:
        """Somebody new."""
        return secrets.token_urlsafe(16)

    def cookie(self, person: str) -> str:
        """What the browser keeps."""
        return f"{person}.{self._signature(person)}"

    def read(self, cookie: str | None) -> str | None:
        """Who it is, if the signature is ours."""
        if not cookie or not _ID.fullmatch(cookie):
            return None
        person, signature = cookie.split(".")
        return person if hmac.compare_digest(signature, self._signature(person)) else None

    def origin(self, address: str) -> str:
        """What stands for an address in the database, which keeps no addresses; no identity looks like it."""
        return f"from:{self._signature(address, 'address')[:22]}"

    def _signature(self, person: str, kind: str = "identity") -> str:
        digest = hmac.digest(self._secret, f"clew {kind} {person}".encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def read_secret(path: Path) -> bytes:
    """The server's secret from its file, which is made if it is not there: readable by its owner only."""
    try:
        return _secret(path)
    except OSError as error:
        raise ClewError(f"The secret {path} cannot be read: {(error.strerror or str(error)).lower()}.") from None


def _secret(path: Path) -> bytes:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        # Linked into place whole: two workers may start at the same time.
        part = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with open(handle, "wb") as file:
                file.write(secrets.token_hex(32).encode())
                file.flush()
                os.fsync(file.fileno())
            with contextlib.suppress(FileExistsError):
                os.link(part, path)
        finally:
            part.unlink()
    found = path.read_bytes().strip()
    if len(found) < 32:
        raise ClewError(f"{path} is too short for a secret: it needs 32 signs at least.")
    return found


def read_name(text: str) -> str:
    """A name as it is shown, or why nobody can be called so.

    >>> read_name("  Ann   of  Knossos ")
    'Ann of Knossos'
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name:
        raise BadName("A name has at least one letter.")
    if len(name) > LONGEST_NAME:
        raise BadName(f"A name has at most {LONGEST_NAME} signs.")
    if any(unicodedata.category(sign)[0] == "C" for sign in name):
        raise BadName("A name has only signs that can be seen.")
    return name
