"""Bodies of requests: so large and no larger, and read into typed structs."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
from fastapi import Request
from starlette.requests import ClientDisconnect

from clew.core.errors import ClewError, shortened
from clew.server.data_types import JsonObject

T = TypeVar("T", bound=msgspec.Struct)

SMALL = 16_384  # bytes: any wanted without a record
LARGE = 1_100_000  # bytes: one with a record
NO_JSON = (msgspec.DecodeError, UnicodeDecodeError)


class BadBody(ClewError):
    """A body that does not say what it should."""


class TooLarge(ClewError):
    """A body with more bytes than its address takes."""


def body(model: type[T], most: int = SMALL) -> Callable[[Request], Awaitable[T]]:
    """What reads the body of a request into `model`, for FastAPI to depend on; `describe` finds the model there."""
    decoder = msgspec.json.Decoder(model)

    async def read(request: Request) -> T:
        raw = await _read(request, most)
        if len(raw) <= SMALL:
            return _decode(decoder, raw)
        return await asyncio.to_thread(_decode, decoder, raw)  # play does not wait for a record

    read.model = model  # type: ignore[attr-defined]
    return read


async def _read(request: Request, most: int) -> bytes:
    """The whole body; one that is too large is refused by the size that it names, or as soon as it is beyond it."""
    named = request.headers.get("content-length", "")
    size = int(named) if named.isdecimal() and len(named) < 20 else 0
    raw = bytearray()
    if size <= most:
        try:
            async for part in request.stream():
                raw += part
                if len(raw) > most:
                    break
        except ClientDisconnect:
            raise BadBody("The body: it broke off.") from None
    if max(size, len(raw)) > most:
        raise TooLarge(f"A request to this address has at most {most} bytes.")
    return bytes(raw)


def _decode(decoder: msgspec.json.Decoder[T], raw: bytes) -> T:
    try:
        return decoder.decode(raw)
    except NO_JSON as error:
        raise BadBody(_sentence(error)) from None


def _sentence(error: Exception) -> str:
    """What is wrong, and in which field.

    >>> _sentence(ValueError("Expected `int` <= 6 - at `$.seats[1].level`"))
    'seats.1.level: Expected `int` <= 6.'
    """
    if isinstance(error, UnicodeDecodeError):
        return "The body: it is not UTF-8."
    what, _, where = str(error).partition(" - at `$")
    field = re.sub(r"[\[\].`]+", ".", where).strip(".")
    return shortened(f"{field or 'The body'}: {what}.", 300)


def request_body(read: object) -> JsonObject | None:
    """What OpenAPI says of a body that is read by `read`; None if that reads none."""
    model = getattr(read, "model", None)
    if model is None:
        return None
    schema = {"$ref": f"#/components/schemas/{model.__name__}"}
    return {"required": True, "content": {"application/json": {"schema": schema}}}
