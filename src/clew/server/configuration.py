"""Settings put together: the command line goes before the environment, that before a file, that before the defaults."""

from __future__ import annotations

import ipaddress
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import Field, fields
from pathlib import Path
from typing import Annotated, Any, get_type_hints
from urllib.parse import urlsplit

import msgspec

from clew.core.errors import ClewError, quoted, shortened
from clew.server.page import TAKEN
from clew.server.settings import Settings, key

PREFIX = "CLEW_"
OTHERS = {
    "CLEW_CONFIG",
    "CLEW_CACHE",
    "CLEW_COMPILE",
    "CLEW_DEBUG",
    "CLEW_RUN",
}  # variables that are no settings of the server
KEYS = {key(one): one for one in fields(Settings)}
VARIABLES = {PREFIX + name.upper(): one for name, one in KEYS.items()}
HINTS = get_type_hints(Settings)


class BadSetting(ClewError):
    """A setting that is not known, or that cannot be what it was set to."""


def read(given: Mapping[str, object], file: str | None = None, environment: Mapping[str, str] = os.environ) -> Settings:
    """All settings: those `given` on the command line by their fields' names, the environment's, and a file's."""
    found: dict[str, Any] = {}
    path = file or environment.get("CLEW_CONFIG")
    if path:
        found |= _from_file(Path(path))
    found |= _from_environment(environment)
    for name, one in KEYS.items():
        if given.get(one.name) not in (None, []):
            found[one.name] = _value(one, given[one.name], f"--{name.replace('_', '-')}")
    made = Settings(**found)
    _check(made)
    return made


def unknown(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Variables that look like settings and are none, such as misspelt ones."""
    return sorted(name for name in environment if name.startswith(PREFIX) and name not in {*VARIABLES, *OTHERS})


def _from_file(path: Path) -> dict[str, Any]:  # Any: the values of settings, each of its own type
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSetting(f"{path} cannot be read: {(error.strerror or str(error)).lower()}.") from None
    except tomllib.TOMLDecodeError as error:
        raise BadSetting(f"{path} is not TOML: {error}.") from None
    except UnicodeDecodeError:
        raise BadSetting(f"{path} is not TOML: it is not UTF-8.") from None
    for name in said:
        if name not in KEYS:
            raise BadSetting(f"{path}: there is no setting {quoted(name)}; there are {', '.join(KEYS)}.")
    return {KEYS[name].name: _value(KEYS[name], value, f"{path}, {name}") for name, value in said.items()}


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:  # Any: as above
    found: dict[str, Any] = {}
    for variable, one in VARIABLES.items():
        said: Any = environment.get(variable)
        if said:
            several = HINTS[one.name] == tuple[str, ...]
            said = [part.strip() for part in said.split(",")] if several else said
            found[one.name] = _value(one, said, variable, strict=False)
    if "data" in found:  # CLEW_DATA is for all of Clew, and the server has a folder of its own there
        found["data"] /= "server"
    return found


def _value(one: Field[Any], said: object, where: str, strict: bool = True) -> Any:  # Any: as above
    """A value of the setting's own type, or one sentence about what is wrong with it."""
    kind, about = HINTS[one.name], one.metadata
    path = kind in (Path, Path | None)
    wanted: Any = str if path else kind
    if "least" in about:
        wanted = Annotated[kind, msgspec.Meta(ge=about["least"], le=about.get("most"))]
    try:
        value = msgspec.convert(said, wanted, strict=strict)
    except msgspec.ValidationError as error:
        raise BadSetting(shortened(f"{where}: {error}.", 300)) from None
    return Path(value) if path else value


def _check(made: Settings) -> None:
    """Refuse what is of the right type and makes no sense all the same."""
    for origin in made.origins:
        if not re.fullmatch(r"https?://[^/\s?#@]+", origin):
            raise BadSetting(f"An origin is like https://games.example or http://localhost:3000, not {quoted(origin)}.")
    for network in made.trusted_proxies:
        try:
            ipaddress.ip_network(network, strict=False)
        except ValueError:
            raise BadSetting(f"A network of proxies is like 10.0.0.0/8 or 10.1.2.3, not {quoted(network)}.") from None
    root = made.root_path
    if root and not re.fullmatch(r"(/[A-Za-z0-9._~-]+)+", root):
        raise BadSetting(f"A root path is like /clew or /games/clew, not {quoted(root)}.")
    if root and root.split("/")[1] in TAKEN:
        raise BadSetting(f"The root path cannot begin with /{root.split('/')[1]}: that is an address of the server's.")
    if made.metrics and not re.fullmatch(r".+:\d{1,5}", made.metrics):
        raise BadSetting(f"The address of the figures is HOST:PORT, not {quoted(made.metrics)}.")
    if made.redis and not _of_redis(made.redis):
        raise BadSetting("The address of Redis is redis://, rediss:// or unix:// and so on.")  # it may hold a password


def _of_redis(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return parts.scheme in ("redis", "rediss", "unix") and parts.port != -1
    except ValueError:  # a port that is no number
        return False
