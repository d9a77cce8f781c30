"""TypeScript for what Python gives: `python web/scripts/make_types.py` writes web/src/generated/.

A game's types are the TypedDicts of the module in which the result type of its `describe` stands; those of the server
are the structs of its messages and of what REST answers.
"""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

import clew
from clew.core import shapes
from clew.core.game import load
from clew.lab import result
from clew.lab.report.words import Words
from clew.server import messages, replay, responses

HOME = Path(__file__).resolve().parent.parent / "src" / "generated"
HEADER = "// Made from {} by web/scripts/make_types.py; `make types` makes it anew.\n"
PLAIN = {int: "number", float: "number", str: "string", bool: "boolean", type(None): "null", Any: "unknown"}


def written(kind: Any) -> str:
    """A Python type in TypeScript."""
    if kind in PLAIN:
        return PLAIN[kind]
    if typing.is_typeddict(kind) or is_struct(kind) or dataclasses.is_dataclass(kind):
        return str(kind.__name__)
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        return " | ".join(f"'{part}'" for part in parts)
    if origin in (typing.Union, types.UnionType):
        return " | ".join(written(part) for part in parts)
    if origin is list:
        inner = written(parts[0])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if origin is tuple and parts[-1] is ...:
        return written(list[parts[0]])  # type: ignore[valid-type]
    if origin is tuple:
        return f"[{', '.join(written(part) for part in parts)}]"
    if origin is dict:
        return f"Record<{written(parts[0])}, {written(parts[1])}>"
    raise TypeError(f"no TypeScript is known for {kind}")


def interface(shape: Any) -> str:
    """A TypedDict in TypeScript."""
    hints = typing.get_type_hints(shape)
    fields = "".join(f"  {name}: {written(kind)};\n" for name, kind in hints.items())
    return f"/** {inspect.getdoc(shape)} */\nexport interface {shape.__name__} {{\n{fields}}}\n"


def struct(shape: Any) -> str:
    """A message in TypeScript: a field with a default may be missing."""
    hints = typing.get_type_hints(shape)
    fields = f"  type: '{shape.__struct_config__.tag}';\n" if shape.__struct_config__.tag else ""
    for field in msgspec.structs.fields(shape):
        fields += f"  {field.name}{'' if field.required else '?'}: {written(hints[field.name])};\n"
    return f"/** {(inspect.getdoc(shape) or '').splitlines()[0]} */\nexport interface {shape.__name__} {{\n{fields}}}\n"


def data(shape: Any, left_out: tuple[str, ...] = ()) -> str:
    """A dataclass that goes to JSON field by field."""
    hints = typing.get_type_hints(shape)
    kinds = {field.name: hints[field.name] for field in dataclasses.fields(shape) if field.name not in left_out}
    fields = "".join(f"  {name}: {written(kind)};\n" for name, kind in kinds.items())
    return f"/** {(inspect.getdoc(shape) or '').splitlines()[0]} */\nexport interface {shape.__name__} {{\n{fields}}}\n"


def is_struct(kind: Any) -> bool:
    """Whether this is a message."""
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def module(source: ModuleType) -> str:
    """All TypedDicts and messages that are defined in a module, in its order."""
    own = [thing for thing in vars(source).values() if getattr(thing, "__module__", "") == source.__name__]
    parts = [interface(shape) for shape in own if typing.is_typeddict(shape)]
    parts += [struct(shape) for shape in own if is_struct(shape)]
    return "\n".join([HEADER.format(source.__name__), *parts])


def wire() -> str:
    """The messages, and what each side may send."""
    sides = [("FromClient", messages.FromClient), ("ToClient", messages.ToClient)]
    unions = [f"export type {name} = {written(union)};\n" for name, union in sides]
    return "\n".join([module(messages), *unions, f"export const PROTOCOL = {messages.PROTOCOL};\n"])


def rest() -> str:
    """What REST answers."""
    shared = "import type { Told } from './messages';\n"
    head, *parts = module(responses).split("\n", 1)
    return "\n".join([head, shared, *parts, module(replay).split("\n", 2)[2]])


def lab() -> str:
    """What the lab finds."""
    own = [thing for thing in vars(result).values() if getattr(thing, "__module__", "") == result.__name__]
    shapes = [thing for thing in own if dataclasses.is_dataclass(thing)]
    return "\n".join([HEADER.format(result.__name__), *(data(shape, ("sums",)) for shape in shapes), data(Words)])


def table_shape(name: str) -> Any:
    """What a game says that its `describe` gives; None for a game that does not say it."""
    found = typing.get_type_hints(load(name).words.describe)["return"]
    return found if typing.is_typeddict(found) else None


def files() -> dict[str, str]:
    """What belongs into web/src/generated, by file names."""
    made = {"core.ts": module(shapes), "messages.ts": wire(), "rest.ts": rest(), "lab.ts": lab()}
    for name in clew.games():
        shape = table_shape(name)
        if shape:
            source = inspect.getmodule(shape)
            assert source is not None
            made[f"{name}.ts"] = module(source)
    return made


if __name__ == "__main__":
    HOME.mkdir(parents=True, exist_ok=True)
    for name, text in files().items():
        (HOME / name).write_text(text, encoding="utf-8")
