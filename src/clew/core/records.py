"""Game records: small text files that people can read, type and play through."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from clew.core.errors import BadDeal, BadOption, BadRecord, IllegalMove, UnknownGame
from clew.core.game import Game, load
from clew.core.table import Outcome, Table, new, new_from_deal

FIRST_LINE = "clew-record 1"
HEADERS = ("game", "rules", "options", "players", "seed")
LONGEST = 1_000_000  # characters


def write_record(table: Table) -> str:
    """The record of a table, with everything that is needed to replay it."""
    lines = [
        FIRST_LINE,
        f"game: {table.game.name}",
        f"rules: {table.game.version}",
        f"options: {' '.join(f'{name}={value}' for name, value in table.options.items())}".rstrip(),
        f"players: {table.players}",
    ]
    if table.seed is not None:
        lines.append(f"seed: {table.seed}")
    lines += [f"deal {key}: {text}" for key, text in table.deal_lines().items()]
    lines.append("moves:")
    lines += [f"{seat} {move}" for seat, move in table.moves]
    if table.outcome:
        lines.append(f"result: {table.outcome}")
    return "\n".join(lines) + "\n"


@dataclass
class Parsed:
    """A record as it stands on the page, with the line numbers of everything."""

    headers: dict[str, tuple[int, str]] = field(default_factory=dict)
    deal: dict[str, tuple[int, str]] = field(default_factory=dict)
    moves: list[tuple[int, int, str]] = field(default_factory=list)
    result: tuple[int, str] | None = None
    last_line: int = 0

    def number(self, name: str) -> int | None:
        """The whole number in a header line, None when there is no such line."""
        if name not in self.headers:
            return None
        line, text = self.headers[name]
        if not text.isascii() or not text.isdigit() or len(text) > 80:
            raise BadRecord(line, f"'{name}:' wants a whole number, not {text!r}.")
        return int(text)

    def options(self) -> dict[str, str]:
        """The options as written."""
        line, text = self.headers.get("options", (0, ""))
        chosen: dict[str, str] = {}
        for part in text.split():
            name, equals, value = part.partition("=")
            if not equals or name in chosen:
                raise BadRecord(line, f"'options:' wants name=value, each once, not {part!r}.")
            chosen[name] = value
        return chosen


def parse(text: str) -> Parsed:
    """Read the lines of a record; what they mean is for `replay` to judge."""
    if len(text) > LONGEST:
        raise BadRecord(0, f"A record has at most {LONGEST} characters.")
    lines = text.splitlines()
    if not lines or lines[0].strip() != FIRST_LINE:
        raise BadRecord(1, f"A record begins with the line {FIRST_LINE!r}.")
    found = Parsed(last_line=len(lines))
    part = "headers"
    for at, raw in enumerate(lines[1:], start=2):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if part == "headers":
            part = _header(found, at, line)
        elif part == "moves" and line.startswith("result:"):
            found.result = (at, line.removeprefix("result:").strip())
            part = "result"
        elif part == "moves":
            seat, _, move = line.partition(" ")
            if not seat.isascii() or not seat.isdigit() or len(seat) > 2 or not move:
                raise BadRecord(at, f"A move is written '<seat> <move>', not {line!r}.")
            found.moves.append((at, int(seat), move.strip()))
        else:
            raise BadRecord(at, f"Nothing follows the result, but here is {line!r}.")
    if part == "headers":
        raise BadRecord(len(lines), "The record ends before its line 'moves:'.")
    if part == "moves" and not text.endswith("\n"):
        raise BadRecord(len(lines), "The record is cut off: its last line has no end.")
    return found


def _header(found: Parsed, at: int, line: str) -> str:
    if line == "moves:":
        return "moves"
    name, colon, value = line.partition(":")
    if not colon:
        raise BadRecord(at, f"A line before 'moves:' is written 'name: value', not {line!r}.")
    if name.startswith("deal "):
        place, key = found.deal, " ".join(name.split()[1:])
    elif name in HEADERS:
        place, key = found.headers, name
    else:
        raise BadRecord(at, f"A record has no line {name + ':'!r}.")
    if key in place:
        raise BadRecord(at, f"'{name}:' is written twice.")
    place[key] = (at, value.strip())
    return "headers"


def replay(text: str, game: Game | None = None) -> Table:
    """The table that a record leads to, every move and the result checked.

    >>> from clew.core.table import new
    >>> t = new("palaces", seed=7)
    >>> replay(t.record()).record() == t.record()
    True
    """
    found = parse(text)
    table = _deal(found, game or _game(found))
    for line, seat, move in found.moves:
        try:
            table.play(move, seat)
        except (IllegalMove, BadOption) as error:
            raise BadRecord(line, f"{seat} {move}: {error}") from error
    _check_result(found, table.outcome)
    return table


def _game(found: Parsed) -> Game:
    if "game" not in found.headers:
        raise BadRecord(0, "The record does not say which game it is: 'game:' is missing.")
    line, name = found.headers["game"]
    try:
        if "/" in name or "\\" in name:  # a record must not choose code to run
            raise UnknownGame(f"There is no game {name!r}.")
        return load(name)
    except UnknownGame as error:
        raise BadRecord(line, str(error)) from error


def _deal(found: Parsed, game: Game) -> Table:
    version = found.number("rules")
    if version is None:
        raise BadRecord(0, "The record does not say which rules it was played by: 'rules:' is missing.")
    if version != game.version:
        line = found.headers["rules"][0]
        raise BadRecord(line, f"The record needs rules {version} of {game.title}; here are rules {game.version}.")
    players, seed = found.number("players"), found.number("seed")
    if seed is None and not found.deal:
        raise BadRecord(0, "The record has neither 'seed:' nor 'deal' lines: nobody can deal it.")
    options = found.options()
    written = {key: text for key, (_, text) in found.deal.items()}
    try:
        table = new(game, players, seed, options) if seed is not None else None
    except BadOption as error:
        raise BadRecord(_line_of(found, str(error)), str(error)) from error
    if table is not None:
        _same_deal(found, table.deal_lines())
        return table
    try:
        return new_from_deal(game, players, options, written)
    except BadOption as error:
        raise BadRecord(_line_of(found, str(error)), str(error)) from error
    except BadDeal as error:
        raise BadRecord(found.deal.get(error.key, (0, ""))[0], error.reason) from error


def _line_of(found: Parsed, reason: str) -> int:
    name = "players" if " players, not " in reason else "seed" if reason.startswith("A seed") else "options"
    return found.headers.get(name, (0, ""))[0]


def _same_deal(found: Parsed, dealt: Mapping[str, str]) -> None:
    for key, (line, text) in found.deal.items():
        if key not in dealt:
            raise BadRecord(line, f"The deal has no line {key!r}; it has {', '.join(dealt)}.")
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
