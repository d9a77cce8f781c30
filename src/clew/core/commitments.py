"""A deal that is promised before it is seen: a hash is shown at the start, what it was made of at the end.

In a record the promise stands in two comment lines, `# commitment: <hash>` and `# salt: <salt>`; the seed is a header.
"""

from __future__ import annotations

import hashlib
import hmac
import re

from clew.core.errors import BadRecord
from clew.core.records import lines_of, parse

LINE = re.compile(r"# (commitment|salt): *([0-9a-f]{1,128})\s*")


def commitment(seed: int, salt: str) -> str:
    """The hash that binds whoever deals to this seed.

    >>> commitment(7, "00ff")[:16]
    '8f1768d85a4d8460'
    """
    return hashlib.sha256(f"clew commitment 1 {seed} {salt}".encode()).hexdigest()


def lines(seed: int, salt: str) -> list[str]:
    """The comment lines of a record that open the promise."""
    return [f"# commitment: {commitment(seed, salt)}", f"# salt: {salt}"]


def committed(text: str) -> str | None:
    """The hash that a record says the deal was promised by, if any."""
    return _promise(text).get("commitment")


def verify(text: str) -> str:
    """The hash by which the deal of this record was promised, checked against seed and salt, which must be the deal's.

    That they give the deal is for `replay` to check.
    """
    found = _promise(text)
    if "commitment" not in found or "salt" not in found:
        missing = "commitment" if "commitment" not in found else "salt"
        raise BadRecord(0, f"The deal of this record was not committed: it has no line '# {missing}: ...'.")
    record = parse(text)
    seed, salt = record.number("seed"), record.salt()
    if seed is None:
        raise BadRecord(0, "The record has no seed, so its commitment cannot be checked.")
    if not hmac.compare_digest(commitment(seed, found["salt"]), found["commitment"]):
        raise BadRecord(0, "Seed and salt do not give the commitment: the deal is not the one that was promised.")
    if salt is not None and salt != found["salt"]:
        line = record.headers["generator"][0]
        raise BadRecord(line, "The deal has another salt than the commitment: it is not the one that was promised.")
    return found["commitment"]


def _promise(text: str) -> dict[str, str]:
    found = (LINE.fullmatch(line) for line in lines_of(text))
    return {match[1]: match[2] for match in found if match}
