"""Game records: small text files that people can read, type and play through."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from clew.core.cast import LONGEST_NAME, called
from clew.core.errors import BadDeal, BadOption, BadRecord, IllegalMove, UnknownGame, quoted, shortened
from clew.core.game import Game, known, load
from clew.core.moments import Outcome
from clew.core.options import Value
from clew.core.seeds import SALT
from clew.core.table import LONGEST_MOVE, Table, new, new_from_deal

FIRST_LINE = "clew-record 1"
HEADERS = ("game", "rules", "options", "players", "seed", "generator")
GENERATOR = re.compile(rf"chacha20 +({SALT.pattern})")
LONGEST = 1_000_000  # characters
MOST_BYTES = 4 * LONGEST
LONGEST_LINE = LONGEST_MOVE + 100  # comments apart
NAME = re.compile(r"# name (\d{1,2}): (.*)")
END_OF_LINE = re.compile(r"\r\n|\r|\n")  # and none of the other signs that Unicode has for it


def write_record(table: Table) -> str:
    """The record of a table, with everything that is needed to replay it."""
    game, deal = table.game, table.deal_lines()
    known = table.names if table.names != called([""] * table.players) else ()
    return lay_out(
        *(game.name, game.version, table.options, table.players, table.seed, table.salt),
        *(deal, table.moves, table.outcome, known),
    )


def lay_out(
    game: str,
    rules: int,
    options: Mapping[str, Value],
    players: int,
    seed: int | None,
    salt: str | None,
    deal: Mapping[str, str],
    moves: Iterable[tuple[int, object]],
    outcome: Outcome | None,
    names: Iterable[str] = (),
) -> str:
    """The lines of a record, for whoever has its parts."""
    lines = [
        FIRST_LINE,
        *(f"# name {seat}: {name}" for seat, name in enumerate(names)),
        f"game: {game}",
        f"rules: {rules}",
        f"options: {' '.join(f'{name}={value}' for name, value in options.items())}".rstrip(),
        f"players: {players}",
    ]
    if seed is not None:
        lines.append(f"seed: {seed}")
    if salt is not None:
        lines.append(f"generator: chacha20 {salt}")
    lines += [f"deal {key}: {text}" for key, text in deal.items()]
    lines.append("moves:")
    lines += [f"{seat} {move}" for seat, move in moves]
    if outcome:
        lines.append(f"result: {outcome}")
    return "\n".join(lines) + "\n"


@dataclass
class Parsed:
    """A record as it stands on the page, with the line numbers of everything."""

    headers: dict[str, tuple[int, str]] = field(default_factory=dict)
    deal: dict[str, tuple[int, str]] = field(default_factory=dict)
    moves: list[tuple[int, int, str]] = field(default_factory=list)
    moves_line: int = 0  # where the headers end: what is missing among them is missing before it
    result: tuple[int, str] | None = None
    last_line: int = 0
    names: dict[int, str] = field(default_factory=dict)  # from comments: who is called what decides nothing

    def number(self, name: str) -> int | None:
        """The whole number in a header line, None when there is no such line."""
        if name not in self.headers:
            return None
        line, text = self.headers[name]
        if not text.isascii() or not text.isdigit() or len(text) > 80:
            raise BadRecord(line, f"'{name}:' wants a whole number, not {quoted(text)}.")
        return int(text)

    def salt(self) -> str | None:
        """The salt of a deal by ChaCha20; None for one by xoshiro128**, of which a record says nothing."""
        if "generator" not in self.headers:
            return None
        line, text = self.headers["generator"]
        named = GENERATOR.fullmatch(text)
        if named is None:
            raise BadRecord(line, f"'generator:' wants chacha20 and a salt of 1 to 128 hex digits, not {quoted(text)}.")
        if "seed" not in self.headers:
            raise BadRecord(line, "'generator:' says how the seed deals, but the record has no seed.")
        return named[1]

    def options(self) -> dict[str, str]:
        """The options as written."""
        line, text = self.headers.get("options", (0, ""))
        chosen: dict[str, str] = {}
        for part in text.split():
            name, equals, value = part.partition("=")
            if not equals or name in chosen:
                raise BadRecord(line, f"'options:' wants name=value, each once, not {quoted(part)}.")
            chosen[name] = value
        return chosen


def read_file(path: Path) -> str:
    """The text of a record in a file, or one sentence why it cannot be had."""
    said = shortened(str(path), 150)
    try:
        with open(path, "rb") as file:
            raw = file.read(MOST_BYTES + 1)  # something endless must not fill the memory
    except FileNotFoundError:
        raise BadRecord(0, f"There is no file {said}.") from None
    except IsADirectoryError:
        raise BadRecord(0, f"{said} is a folder, not a record.") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BadRecord(0, f"{said} cannot be read: {why.lower()}.") from None
    return decoded(raw, said)


def decoded(raw: bytes, name: str) -> str:
    """The text of a record from its bytes, or one sentence why they are none."""
    if len(raw) > MOST_BYTES:
        raise BadRecord(0, f"{name} is too long for a record.")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadRecord(0, f"{name} is not a record: it is not UTF-8 text.") from None


def lines_of(text: str) -> list[str]:
    """The lines of a record, the first one as number 0."""
    lines = END_OF_LINE.split(text.removeprefix("\ufeff"))
    return lines if lines[-1] else lines[:-1]


def parse(text: str) -> Parsed:
    """Read the lines of a record; what they mean is for `replay` to judge."""
    if len(text) > LONGEST:
        raise BadRecord(0, f"A record has at most {LONGEST} characters.")
    lines = lines_of(text)
    if not lines or lines[0].strip() != FIRST_LINE:
        raise BadRecord(1, f"A record begins with the line {FIRST_LINE!r}.")
    found = Parsed(last_line=len(lines))
    part = "headers"
    for at, raw in enumerate(lines[1:], start=2):
        line = raw.strip()
        if not line or line.startswith("#"):
            if named := NAME.fullmatch(line):
                found.names[int(named[1])] = _name(named[2])
            continue
        if len(line) > LONGEST_LINE:
            raise BadRecord(at, f"A line has at most {LONGEST_LINE} characters, and this has {len(line)}.")
        if part == "headers":
            part = _header(found, at, line)
        elif part == "moves" and line.startswith("result:"):
            found.result = (at, line.removeprefix("result:").strip())
            part = "result"
        elif part == "moves":
            seat, _, move = line.partition(" ")
            if not seat.isascii() or not seat.isdigit() or len(seat) > 2 or not move:
                raise BadRecord(at, f"A move is written '<seat> <move>', not {quoted(line)}.")
            found.moves.append((at, int(seat), move.strip()))
        else:
            raise BadRecord(at, f"Nothing follows the result, but here is {quoted(line)}.")
    if part == "headers":
        raise BadRecord(len(lines), "The record ends before its line 'moves:'.")
    if part == "moves" and not text.endswith(("\n", "\r")):
        raise BadRecord(len(lines), "The record is cut off: its last line has no end.")
    return found


def _name(written: str) -> str:
    """A name from a comment, which is never a reason to refuse the record."""
    return "".join(sign for sign in written if sign.isprintable()).strip()[:LONGEST_NAME].strip()


def _header(found: Parsed, at: int, line: str) -> str:
    if line == "moves:":
        found.moves_line = at
        return "moves"
    name, colon, value = line.partition(":")
    if not colon:
        raise BadRecord(at, f"A line before 'moves:' is written 'name: value', not {quoted(line)}.")
    if name.startswith("deal "):
        place, key = found.deal, " ".join(name.split()[1:])
    elif name in HEADERS:
        place, key = found.headers, name
    else:
        raise BadRecord(at, f"A record has no line {quoted(name + ':')}.")
    if key in place:
        raise BadRecord(at, f"{quoted(name + ':')} is written twice.")
    place[key] = (at, value.strip())
    return "headers"


def replay(text: str | Path, game: Game | str | Path | None = None) -> Table:
    """The table that a record leads to, every move and the result checked; a Path is read from its file.

    A record names its game, which must be an installed one: it must not choose code to run. A game that is not
    installed is given as `game`, by its folder.

    >>> from clew.core.table import new
    >>> t = new("palaces", seed=7)
    >>> replay(t.record()).record() == t.record()
    True
    """
    if isinstance(text, Path):
        text = read_file(text)
    if not isinstance(text, str):
        raise BadRecord(0, f"A record is its text, or the Path of its file, not {quoted(text)}.")
    found = parse(text)
    table = _deal(found, _game(found, game))
    for line, seat, move in found.moves:
        try:
            table.play(move, seat)
        except (IllegalMove, BadOption) as error:
            raise BadRecord(line, f"{seat} {shortened(move)}: {error}") from error
    _check_result(found, table.outcome)
    return table


def _game(found: Parsed, given: Game | str | Path | None) -> Game:
    """The game that was given, or else the installed one that the record names."""
    game = load(given) if given is not None and not isinstance(given, Game) else given
    if "game" not in found.headers:
        if game is not None:
            return game
        raise BadRecord(found.moves_line, "The record does not say which game it is: 'game:' is missing.")
    line, name = found.headers["game"]
    try:
        if game is None:
            return known(name)
    except UnknownGame as error:
        raise BadRecord(line, str(error)) from error
    if name != game.name:
        raise BadRecord(line, f"The record is of the game {quoted(name)}, and the one given is {quoted(game.name)}.")
    return game


def _deal(found: Parsed, game: Game) -> Table:
    version = found.number("rules")
    if version is None:
        reason = "The record does not say which rules it was played by: 'rules:' is missing."
        raise BadRecord(found.moves_line, reason)
    kept = game.in_version(version)
    if kept is None:
        line = found.headers["rules"][0]
        said = f"The record needs rules {shortened(str(version))} of {game.title}"
        raise BadRecord(line, f"{said}; here are rules {game.version}.")
    game = kept
    players, seed, salt = found.number("players"), found.number("seed"), found.salt()
    if seed is None and not found.deal:
        reason = "The record has neither 'seed:' nor 'deal' lines: nobody can deal it."
        raise BadRecord(found.moves_line, reason)
    options = found.options()
    try:
        if seed is None:
            table = new_from_deal(game, players, options, {key: text for key, (_, text) in found.deal.items()})
        else:
            table = new(game, players, seed, options, salt=salt)
    except BadOption as error:
        raise BadRecord(found.headers.get(error.about, (found.moves_line, ""))[0], str(error)) from error
    except BadDeal as error:
        raise BadRecord(found.deal.get(error.key, (found.moves_line, ""))[0], str(error)) from error
    if seed is not None:
        _same_deal(found, table.deal_lines())
    table.names = [found.names.get(seat, "") for seat in range(table.players)]
    return table


def _same_deal(found: Parsed, dealt: Mapping[str, str]) -> None:
    for key, (line, text) in found.deal.items():
        if key not in dealt:
            there = shortened(", ".join(dealt), 150)
            raise BadRecord(line, f"The deal has no line {quoted(key)}; it has {there}.")
        if text.split() != dealt[key].split():
            raise BadRecord(line, f"'deal {key}:' is not what the seed deals.")


def _check_result(found: Parsed, outcome: Outcome | None) -> None:
    if found.result is None:
        if outcome is not None:
            raise BadRecord(found.last_line, f"The game is over, but its result is missing: {outcome}.")
        return
    line, written = found.result
    if outcome is None:
        raise BadRecord(line, "The record has a result, but the game is not over.")
    if [part.split() for part in written.split(";")] != [part.split() for part in str(outcome).split(";")]:
        raise BadRecord(line, f"The result is wrong: the moves lead to {outcome}.")
