"""What was learnt of a game, in a file: the numbers of a network, what they fit, and how they were come by.

The file lies beside the game's rules, or in the data folder of whoever trained; that one goes first.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.bots.network import Shape
from clew.core.errors import ClewError, shortened
from clew.core.game import Game
from clew.core.observe import layout_of

# `Any` in signatures here: what a file says of itself, and arrays by name.

FORMAT = 1
FILE = "learnt.npz"
LARGEST = 64 << 20  # bytes of a file that is read, and of what it holds


class BadLearnt(ClewError):
    """A file of what was learnt that cannot be used."""


@dataclass
class About:
    """How it was learnt: for people, and for going on."""

    game: str
    rules: int
    fingerprint: str  # of the layout of observations
    hidden: int
    second: int
    players: list[int]
    options: dict[str, Any]
    seed: int
    games: int = 0
    seconds: float = 0.0
    format: int = FORMAT
    curve: list[dict[str, Any]] = field(default_factory=list)  # what was measured on the way

    def check(self) -> None:
        """Raise a ValueError if something here is not what a file has that was written by training."""
        counts = [self.rules, self.hidden, self.second, self.games, *self.players]
        kinds = ((self.game, str), (self.options, dict), (self.seed, int), (self.seconds, float), (self.curve, list))
        if not all(type(count) is int and count >= 0 for count in counts):
            raise ValueError("a number that should count something does not")
        if not all(isinstance(value, kind) for value, kind in kinds):
            raise ValueError("a value is not of its kind")


@dataclass
class Learnt:
    """A network with all that is known of it; `training` are the arrays that going on needs."""

    about: About
    weights: npt.NDArray[np.float32]
    training: dict[str, npt.NDArray[Any]] = field(default_factory=dict)

    def shape(self, game: Game) -> Shape:
        """The network as it is in this game."""
        return shape_of(game, hidden=self.about.hidden, second=self.about.second)

    def save(self, path: Path) -> None:
        """Write the file anew, whole or not at all."""
        arrays = {"weights": self.weights, **self.training}
        said = np.frombuffer(json.dumps(asdict(self.about)).encode(), np.uint8)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".learnt-", delete=False) as file:
                try:
                    np.savez_compressed(file, about=said, **arrays)  # type: ignore[arg-type]
                    file.flush()
                    os.fsync(file.fileno())
                    os.chmod(file.name, 0o644)
                    os.replace(file.name, path)
                except BaseException:
                    os.unlink(file.name)
                    raise
        except OSError as error:
            raise BadLearnt(f"{shortened(str(path), 150)} cannot be written: {error.strerror}.") from error


def shape_of(game: Game, **units: int) -> Shape:
    """The network that is made for a game, by default with as many units as usual."""
    return Shape(layout_of(game), game.players[1], **units)


def read(path: Path, game: Game) -> Learnt:
    """What a file says, if it fits the game as its rules are."""
    named, again = shortened(str(path), 150), "train anew, with clew train"
    try:
        if path.stat().st_size > LARGEST:
            raise BadLearnt(f"{named} is too large to be what was learnt of a game.")
        with np.load(path, allow_pickle=False) as arrays:
            if sum(member.file_size for member in arrays.zip.infolist()) > LARGEST:
                raise BadLearnt(f"{named} is too large to be what was learnt of a game.")
            found = {name: arrays[name] for name in arrays.files}
        said = json.loads(found.pop("about").tobytes())
        if said["format"] != FORMAT:
            written = shortened(str(said["format"]))
            raise BadLearnt(f"{named} is of format {written}, which this Clew does not read: {again}.")
        about = About(**said)
        about.check()
        weights = found.pop("weights")
        learnt = Learnt(about, weights, found)
        shape = learnt.shape(game)
        size = shape.size
    except FileNotFoundError:
        raise BadLearnt(f"There is no file {named}.") from None
    except ClewError:
        raise
    except OSError as error:
        raise BadLearnt(f"{named} cannot be read: {error.strerror or error}.") from error
    except Exception as error:  # a damaged file has many ways to fail, in zipfile, tokenize, json and here
        raise BadLearnt(f"{named} is damaged, or is not what was learnt of a game.") from error
    if about.fingerprint != shape.layout.fingerprint and about.game != game.name:
        raise BadLearnt(f"{named} was learnt of {shortened(str(about.game))}, not of {game.name}.")
    if about.rules != game.version:
        raise BadLearnt(f"{named} was learnt by rules {about.rules} of {game.name}, here are {game.version}: {again}.")
    if about.fingerprint != shape.layout.fingerprint or weights.shape != (size,):
        raise BadLearnt(f"{named} was learnt when {game.title} declared its state otherwise: {again}.")
    if weights.dtype != np.float32 or not np.isfinite(weights).all():
        raise BadLearnt(f"{named} is damaged: its numbers are none.")
    return learnt


def try_writing(path: Path) -> None:
    """Find out now whether a file can be written, and not after ten minutes."""
    if path.is_dir():
        raise BadLearnt(f"{shortened(str(path), 150)} is a folder.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".learnt-"):
            pass
    except OSError as error:
        raise BadLearnt(f"{shortened(str(path), 150)} cannot be written: {error.strerror}.") from error


def identity(path: Path) -> tuple[int, int] | None:
    """By what a file differs from another that takes its place; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def own_file(game: Game) -> Path:
    """Where somebody keeps what they trained of a game that is not in a folder of theirs."""
    from platformdirs import user_data_path

    asked = os.environ.get("CLEW_DATA")
    where = hashlib.sha256(game.where.encode()).hexdigest()[:8]
    return (Path(asked) if asked else user_data_path("clew")) / "learnt" / f"{game.name}-{where}.npz"


def place_for(game: Game) -> Path:
    """Where training writes to: beside the rules of a game in a folder, else into the data folder."""
    in_folder = game.where == str(game.folder)
    return game.folder / FILE if in_folder and os.access(game.folder, os.W_OK) else own_file(game)


def find(game: Game) -> Learnt | None:
    """What was learnt of a game: by its user, else what comes with it; None if nothing was."""
    for path in (own_file(game), game.folder / FILE):
        if path.is_file():
            return read(path, game)
    return None
