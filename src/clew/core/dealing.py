"""The deal by ChaCha20: a generator of another type than all else draws from, so it takes a kernel of its own."""

from __future__ import annotations

from clew.core.kernels import template
from clew.core.protocol import deal
from clew.core.types import Generator, State

__all__ = ["secret_deal"]


@template
def secret_deal(s: State, keystream: Generator) -> None:
    """`deal` from a generator whose numbers tell nothing about each other."""
    deal(s, keystream)
