"""What a deal comes from: a seed, and a salt where nobody may guess it."""

from __future__ import annotations

import numbers
import re
import secrets

from clew.core.errors import BadOption, quoted

SALT = re.compile(r"[0-9a-f]{1,128}")


def read_seed(seed: int | None) -> int:
    """The seed, checked; a fresh one from the system for None."""
    if seed is None:
        return secrets.randbits(62)
    number = int(seed) if isinstance(seed, numbers.Integral) and not isinstance(seed, bool) else -1
    if not 0 <= number < 1 << 256:
        raise BadOption(f"A seed is a whole number from 0 to 2^256 - 1, not {quoted(seed)}.", "seed")
    return number


def read_salt(salt: str | None) -> str | None:
    """The salt, checked; None for a deal without."""
    if salt is not None and (not isinstance(salt, str) or not SALT.fullmatch(salt)):
        raise BadOption(f"A salt is 1 to 128 hex digits, 0-9 and a-f, not {quoted(salt)}.", "salt")
    return salt
