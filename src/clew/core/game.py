"""A game as the engine holds it: found by name, entry point or path, with its rules compiled."""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.machinery
import importlib.util
import inspect
import os
import re
import sys
import threading
import traceback
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numba
import numpy as np
from numba.core.errors import NumbaError, UnsupportedBytecodeError

from clew.core import author, cache, compiling, dealing, kernels, playouts, steps
from clew.core.cast import Cast
from clew.core.census import Census
from clew.core.declare import Record
from clew.core.derive import derive
from clew.core.errors import BadOption, BadRules, ClewError, UnknownGame, quoted, shortened
from clew.core.events import Event
from clew.core.forms import Moves
from clew.core.options import Option, Value
from clew.core.protocol import KERNELS
from clew.core.rng import stream
from clew.core.types import MoveCode, MoveCodes, States, ViewRecord, ViewRecords
from clew.core.words import complete

# `Any` in signatures here: record types of NumPy, and what the compiler makes of samples.

HOME = Path(__file__).resolve().parent.parent / "games"
CONSTANTS = ("TITLE", "BLURB", "RULES", "PLAYERS", "OPTIONS", "ENDINGS", "STATE", "VIEW", "MOVE", "MOVES", "LONGEST")
KEPT = "#"  # between a game and the version of rules that it keeps besides its own


class Game:
    """The rules of one game, its words, and the kernels made from them."""

    def __init__(self, name: str, folder: Path, rules: ModuleType, words: ModuleType | None, where: str = "") -> None:
        for thing in CONSTANTS + KERNELS:
            if not hasattr(rules, thing):
                raise UnknownGame(f"{rules.__file__} is not part of a game: it has no {thing}.")
        if _begins_with(rules.STATE, rules.VIEW) or _begins_with(rules.VIEW, rules.STATE):
            # Numba would pass one for the other, as a copy of the common part, and what is written there is lost.
            raise UnknownGame(f"{rules.__file__}: STATE and VIEW must not begin with all fields of each other.")
        if not rules.PLAYERS[0] <= getattr(rules, "RECOMMENDED", rules.PLAYERS[0]) <= rules.PLAYERS[1]:
            raise UnknownGame(f"{rules.__file__}: RECOMMENDED is not a number of players that PLAYERS allows.")
        self.name = name
        self.folder = folder
        self.where = where or name  # what `find` finds it by
        self.ours = folder.is_relative_to(HOME)
        self.rules = rules
        self.words = complete(rules, words)
        self.form: Moves | None = rules.MOVE if isinstance(rules.MOVE, Moves) else None
        self.move_type: np.dtype[Any] = np.dtype(np.int64 if self.form else rules.MOVE)
        self.title: str = rules.TITLE
        self.blurb: str = rules.BLURB
        self.version: int = rules.RULES
        self.players: tuple[int, int] = rules.PLAYERS
        self.recommended: int | None = getattr(rules, "RECOMMENDED", None)
        self.author: str = getattr(rules, "AUTHOR", "")
        self.age: int | None = getattr(rules, "AGE", None)
        self.minutes: int | None = getattr(rules, "MINUTES", None)
        self.options: tuple[Option, ...] = rules.OPTIONS
        self.endings: tuple[str, ...] = rules.ENDINGS
        self.listed_in_full: bool = getattr(rules, "LISTED_IN_FULL", True)
        self.state_type, self.view_type = self.states(1).dtype, self.views(1).dtype  # of records with attributes
        self.kernels = SimpleNamespace(**{key: getattr(rules, key) for key in KERNELS})
        self.kernels.quick = getattr(rules, "quick", rules.legal)
        self.hides_moves = hasattr(rules, "face") or (self.form is not None and self.form.hides)
        record = getattr(rules, "State", None)
        declared = record if isinstance(record, type) and issubclass(record, Record) else None
        self.census = Census(rules, declared) if declared else None
        self.rooms = threading.local()  # what a thread uses again and again to work in
        self._kept: dict[int, Game] = {}
        self._preparing: compiling.Job | None = None
        self.specialise(playouts)
        self.specialise(dealing)
        self.specialise(steps)

    def __repr__(self) -> str:
        return f"<game {self.name}, rules {self.version}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return find, (self.where,)  # by its name, or by its folder

    def face(self, move: MoveCode) -> int:  # a move of any game
        """The number that all moves have which others cannot tell from this one; -1 for a move made openly."""
        if not self.hides_moves:
            return -1
        return int(self.rules.face(move)) if hasattr(self.rules, "face") else self.form.face(move)  # type: ignore[union-attr]

    def count_pieces(self, state: States) -> None:
        """Refuse a state in which a piece lies in several places; Clew's own games are proven by the kit."""
        fault = None if self.ours or self.census is None else self.census.fault(state, openly=True)
        if fault:
            raise BadRules(f"{self.title} counts its pieces wrongly: {fault[1]}")

    def tell(
        self, before: ViewRecord, seat: int, move: MoveCode, after: ViewRecord, cast: Cast, own: bool, together: bool
    ) -> list[Event]:
        """The events of a move as a chair saw it: its own, or another's, of which it may know little or nothing."""
        face = -1 if own else self.face(move)
        if face >= 0 and not together and hasattr(self.words, "tell_hidden"):
            found: list[Event] = self.words.tell_hidden(before, seat, face, after, cast)
        else:
            secret = not own and (together or face >= 0)
            found = self.words.tell(before, seat, None if secret else move, after, cast)
        return found if self.ours else self._checked(found)

    def tell_opening(self, after: ViewRecord, cast: Cast) -> list[Event]:
        """The events of the deal."""
        found: list[Event] = self.words.tell(None, None, None, after, cast)
        return found if self.ours else self._checked(found)

    def _checked(self, found: Any) -> list[Event]:
        if isinstance(found, list) and all(isinstance(one, Event) for one in found):
            return found
        code = self.words.tell.__code__
        where = f"{Path(code.co_filename).name}:{code.co_firstlineno}"
        raise BadRules(f'{where}: tell gives a list of events: [Event("play", "Ann plays a 7.", "RIS-02", seat)].')

    def pieces_in(self, move: Any) -> list[str]:  # likewise
        """The pieces that a move speaks of, as views call them; none for a game that does not declare its moves."""
        return self.form.pieces(move) if self.form is not None else []

    def in_version(self, version: int) -> Game | None:
        """This game by rules of a version: these, or others that its folder keeps in `rules_<version>`, or None."""
        if version == self.version:
            return self
        folder = self.folder / f"rules_{version}"
        if version not in self._kept and (folder / "rules.py").is_file():
            parts = _parts(f"{self.rules.__package__}.{folder.name}", folder)
            kept = Game(self.name, folder, *parts, where=f"{self.where}{KEPT}{version}")
            if kept.version != version:
                raise UnknownGame(f"{folder} holds rules {kept.version}, not {version}.")
            self._kept[version] = kept
        return self._kept.get(version)

    def specialise(self, module: ModuleType) -> None:
        """Add the functions of a template module, made for this game, to `kernels`."""
        functions = {"MOVES": self.rules.MOVES, **vars(self.kernels)}
        vars(self.kernels).update(kernels.specialise(module, self.name, self.folder, functions))

    @functools.cached_property
    def heuristics(self) -> ModuleType | None:
        """What a good player of this game knows, for bots; None for a game without a `heuristics.py`."""
        if not (self.folder / "heuristics.py").is_file():
            if (self.folder / "sense.py").is_file():
                raise UnknownGame(f"{self.folder / 'sense.py'} is called heuristics.py now: rename it.")
            return None
        return importlib.import_module(f"{self.rules.__package__}.heuristics")

    def ready(self, progress: compiling.Progress | None = None, everything: bool = False) -> None:
        """Have the rules compiled, or everything made from them; says so while it does, at once when it is cached."""
        if kernels.jitted():
            compiling.compile_now(self._job(everything), progress)
            if everything and not (rules := self._job().marker()).found():
                rules.set()

    def prepare(self, urgent: bool = True) -> None:
        """Have the rules compiled in the background, if they are not: they can be played by at once."""
        if self._preparing is not None and self._preparing.finished.is_set():
            return  # every new table asks, and to say what is to be compiled takes milliseconds
        if kernels.ahead():
            self.ready()
        elif kernels.jitted():
            self._preparing = compiling.compile_in_background(self._job(), urgent)

    def _job(self, everything: bool = False) -> compiling.Job:
        types = self._types()
        wanted = {
            key: (function, tuple(types[p] for p in inspect.signature(function.py_func).parameters))
            for key, function in vars(self.kernels).items()
            if everything or key in (*KERNELS, "mover", *dealing.__all__, *steps.__all__)
        }
        for key, (function, examples) in getattr(self.words, "COMPILED", {}).items():
            wanted[key] = (function, tuple(map(numba.typeof, examples)))
        return compiling.Job(self.name, ("clew.core.game:compile_rules", self.where), wanted)

    def _types(self) -> dict[str, Any]:
        state, look, move = self.states(1), self.views(1), self.moves(1)
        numbers = np.zeros(1, np.int64)
        samples = {"s": state[0], "v": look[0], "move": move[0], "states": state, "views": look, "out": move}
        samples |= {"after": state, "worlds": state, "known": look}
        samples |= dict.fromkeys(("state_bytes", "world_bytes", "view_bytes"), np.zeros((1, 1), np.uint8))
        samples |= dict.fromkeys(("scores", "places", "rng", "numbers"), numbers)
        samples["keystream"] = stream(0, salt="0")
        samples |= dict.fromkeys(("seat", "chair", "n", "i", "j"), 0)
        return {key: numba.typeof(sample) for key, sample in samples.items()}

    def twin(self, states: States) -> States:
        """A copy of a state; NumPy would copy its fields one by one."""
        return np.frombuffer(bytearray(states.tobytes()), self.state_type)

    def blanks(self, count: int) -> States:
        """Empty states as a plain array: those of NumPy's record arrays run Python code whenever they are touched."""
        return np.frombuffer(bytearray(count * self.state_type.itemsize), self.state_type)

    def looks(self, count: int) -> ViewRecords:
        """The same for views."""
        return np.frombuffer(bytearray(count * self.view_type.itemsize), self.view_type)

    def states(self, count: int) -> States:
        """Empty states."""
        return _empty(count, self.rules.STATE)

    def views(self, count: int) -> ViewRecords:
        """Empty views."""
        return _empty(count, self.rules.VIEW)

    def moves(self, count: int) -> MoveCodes:
        """Room for moves."""
        return _empty(count, self.move_type) if self.move_type.names else np.zeros(count, self.move_type)

    def seats(self, players: int | None) -> int:
        """The number of players, checked; by default the fewest."""
        low, high = self.players
        count = low if players is None else players
        if isinstance(count, bool) or not isinstance(count, int) or not low <= count <= high:
            allowed = f"{low}" if low == high else f"{low} to {high}"
            raise BadOption(f"{self.title} is for {allowed} players, not {quoted(count)}.", "players")
        return count

    def blank(self, options: dict[str, Value], players: int) -> States:
        """One state before the deal: only options and players are set."""
        states = self.blanks(1)
        s = states[0]
        s.players = players
        for option in self.options:
            setattr(s, option.name, option.code(options[option.name]))
        return states

    @property
    def about(self) -> str:
        """For whom the game is, how long it takes and whose it is, as far as it declares that."""
        low, high = self.players
        facts = (
            f"{low} players" if low == high else f"{low} to {high} players",
            f"{self.recommended} recommended" if self.recommended else "",
            f"{self.minutes} minutes" if self.minutes else "",
            f"from age {self.age}" if self.age else "",
            f"by {self.author}" if self.author else "",
        )
        return " · ".join(fact for fact in facts if fact)

    def rule_book(self) -> str:
        """The rules for players, as Markdown, with what `about` says below the title."""
        file = self.folder / "rules.md"
        if file.is_file():
            text = file.read_text(encoding="utf-8")
        else:  # a game in the making
            text = f"# {self.title}\n\n{inspect.getdoc(self.rules) or self.blurb}\n"
        title = re.match(r"(# .*\n)?", text)[0]  # type: ignore[index]
        return f"{title}\n*{self.about}*\n{text[len(title) :]}"

    def rule_text(self, rule: str) -> str:
        """The paragraph of the rule book with this id, or an empty string."""
        found = re.search(rf"^- \*\*{re.escape(rule)}\*\*.*?(?=^- \*\*|^#|\Z)", self.rule_book(), re.M | re.S)
        return found.group(0).strip() if found else ""


def record(dtype: Any) -> MoveCode:
    """One empty record, for moves that are more than a number.

    >>> move = record(np.dtype([("x", np.int64), ("y", np.int64)]))
    >>> move.x = 3
    >>> (int(move.x), int(move.y))
    (3, 0)
    """
    return _empty(1, dtype)[0]


def _begins_with(longer: np.dtype[Any], shorter: np.dtype[Any]) -> bool:
    head = list(longer.names or ())[: len(shorter.names or ())]
    return [(name, longer[name]) for name in head] == [(name, shorter[name]) for name in shorter.names or ()]


def _empty(count: int, dtype: Any) -> States:
    # A recarray gives records whose fields are attributes, in plain Python as in the kernels.
    return np.zeros(count, dtype).view(np.recarray)


@functools.cache  # asked for with every name, and slow: it reads what all installed packages say of themselves
def _plugged() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group="clew.games")}


def names() -> tuple[str, ...]:
    """The games there are: those of Clew, of installed packages with a `clew.games` entry point, and those added."""
    own = {rules.parent.name for rules in HOME.glob("*/rules.py")}
    return tuple(sorted(own | set(_plugged()) | set(_added)))


def load(name: str | Path) -> Game:
    """The installed game of this name, or the one in the folder of this path.

    Text is a path if there is a slash in it, as in ./pebbles: a folder that happens to lie where somebody works must
    not be taken for a game.
    """
    if isinstance(name, str) and name not in (".", "..") and not {"/", os.sep} & {*name}:
        try:
            return known(name)
        except UnknownGame:
            if _folder(name) is None:
                raise
            raise UnknownGame(
                f"There is no game {quoted(name)}; a folder is written with a slash: ./{shortened(name)}."
            ) from None
    if not isinstance(name, str | Path):
        raise _unknown(name, names())
    folder = _folder(name)
    if folder is None:
        raise UnknownGame(f"There is no game at {quoted(str(name))}: it is no folder.")
    return _from_path(folder)


def known(name: str) -> Game:
    """The added or installed game of this name, and never a folder: for names from outside, as in a record."""
    return _added[name] if name in _added else named(name)


@functools.cache
def named(name: str) -> Game:
    """The installed game of this name."""
    there = names()
    if name not in there:
        raise _unknown(name, there)
    package, folder = f"clew.games.{name}", HOME / name
    if not (folder / "rules.py").is_file():
        package = _plugged()[name].value
        folder = Path(str(importlib.import_module(package).__file__)).parent
    return Game(name, folder, *_parts(package, folder))


def _parts(package: str, folder: Path) -> tuple[ModuleType, ModuleType | None]:
    """The rules and the words in a package; what the rules declare is made before the words are read.

    A mistake in somebody's own game is told with its line; Clew's own are proven by tests.
    """
    own = not folder.is_relative_to(HOME)
    try:
        rules = importlib.import_module(f"{package}.rules")
        if own:
            author.check(rules, folder)
        record = getattr(rules, "State", None)
        if isinstance(record, type) and issubclass(record, Record):
            derive(rules, record)
        spec = importlib.util.find_spec(f"{package}.words")
        return rules, importlib.import_module(f"{package}.words") if spec else None
    except Exception as error:
        _forget(package)
        if not own or isinstance(error, author.Mistake):
            raise
        raise author.told(error, folder) from error


def _forget(package: str) -> None:
    """Have the modules of a package read anew when they are next imported."""
    for name in [name for name in sys.modules if name.startswith(f"{package}.")]:
        del sys.modules[name]


def _unknown(name: object, there: tuple[str, ...]) -> UnknownGame:
    return UnknownGame(f"There is no game {quoted(name)}; there are {shortened(', '.join(there), 150)}.")


def _folder(path: str | Path) -> Path | None:
    """The folder that a path leads to, or that has the file it leads to; None if there is none."""
    try:
        found = Path(path).resolve()
        if found.is_file() and found.name in ("rules.py", "__init__.py"):
            return found.parent
        return found if found.is_dir() else None
    except (OSError, ValueError):  # no path that the system knows: too long, say
        return None


def _begin_package(package: str, folder: Path) -> None:
    """Make a folder a package, with what its `__init__.py` says if it has one."""
    _forget(package)
    sys.path_importer_cache[str(folder)] = importlib.machinery.FileFinder(str(folder), (_FromSource, [".py"]))
    file = folder / "__init__.py"
    if not file.is_file():
        sys.modules[package] = ModuleType(package)
        sys.modules[package].__path__ = [str(folder)]
        return
    loader = _FromSource(package, str(file))
    spec = importlib.util.spec_from_file_location(
        package, file, loader=loader, submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    assert spec.loader is not None
    sys.modules[package] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(sys.modules[package])
    except Exception as error:
        raise author.told(error, folder) from error


_added: dict[str, Game] = {}  # games in folders that this process knows by their names
_in_folders: dict[Path, Game] = {}


def add(path: str | Path) -> Game:
    """Make a game in a folder known to this process by its name, as if it were installed."""
    game = load(Path(path))
    if game.name in names() and _added.get(game.name) is not game:
        raise UnknownGame(
            f"There is a game {quoted(game.name)} already; give the folder {quoted(str(path))} another name."
        )
    _added[game.name] = game
    return game


def added(name: str) -> bool:
    """Whether a game is one that was added."""
    return name in _added


def mistake_in(error: Exception) -> ClewError | None:
    """An error that arose in the files of a game in a folder, with file and line; None if it arose elsewhere."""
    files = {Path(frame.filename).parent for frame in traceback.extract_tb(error.__traceback__)}
    return next((author.told(error, folder) for folder in _in_folders if folder in files), None)


def reload(game: Game) -> Game:
    """Read a game in a folder anew, after a change of its files; with a mistake in them the one that was read stays."""
    cache.forget()
    compiling.forget(game.where)
    importlib.invalidate_caches()
    made = _in_folders[game.folder] = _read(game.folder)
    if game.name in _added:
        _added[game.name] = made
    return made


def _from_path(folder: Path) -> Game:
    """A game that is a folder with rules.py, wherever it lies."""
    if folder not in _in_folders:
        _in_folders[folder] = _read(folder)
    return _in_folders[folder]


class _FromSource(importlib.machinery.SourceFileLoader):
    """Reads modules without bytecode of theirs, which knows the time of a change only to the second."""

    def path_stats(self, path: str) -> Any:
        raise OSError


def _read(folder: Path) -> Game:
    called = re.sub(r"\W", "_", folder.name)  # with a dot it would be a package in another
    package = f"clew_game_{hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]}_{called}"
    if not (folder / "rules.py").is_file():
        raise UnknownGame(f"The folder {shortened(str(folder), 150)} is not a game: it has no rules.py.")
    _begin_package(package, folder)
    parts = _parts(package, folder)
    try:
        return Game(folder.name, folder, *parts, where=str(folder))
    except ClewError:
        raise
    except Exception as error:  # a constant of another type than it must have
        raise author.told(error, folder) from error


def find(where: str) -> Game:
    """The game that another process knows by `where`."""
    name, _, version = where.partition(KEPT)
    game = load(name)
    found = game.in_version(int(version)) if version else game
    assert found is not None
    return found


def compile_rules(where: str, progress: compiling.Progress) -> None:
    """What a process that compiles does for a game's rules."""
    game = find(where)
    try:
        game.ready(progress)
    except (NumbaError, UnsupportedBytecodeError) as error:
        raise BadRules(author.not_compiled(error, game.folder)) from None
