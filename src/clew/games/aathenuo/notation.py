"""How tiles, cells, plays and deals are written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from clew.core import SEATS, BadDeal, IllegalMove, deals, listing, quoted, record
from clew.games.aathenuo.bag import ROUNDS, copies_of
from clew.games.aathenuo.rules import DRAW, MOVE, PASS, PLAY
from clew.games.aathenuo.tiles import COLOURS, FACES, FARTHEST, NUMBERS, TILES

LETTERS = "RYBGPO"
COLOUR_NAMES = ("red", "yellow", "blue", "green", "purple", "orange")
TILE_NAMES = tuple(f"{letter}{face}" for letter in LETTERS[:COLOURS] for face in [*range(1, NUMBERS + 1), "*"])
SPOKEN = tuple(f"{colour} {face}" for colour in COLOUR_NAMES for face in [*range(1, NUMBERS + 1), "star"])
"""The tiles as people say them: yellow 7, yellow star."""
KIND_OF = {name: kind for kind, name in enumerate(TILE_NAMES)}

NUMBER = r"(?:0|-?[1-9]\d{0,2})"
FROM_RACK = re.compile(rf"([{LETTERS}][1-{NUMBERS}*])@({NUMBER}),({NUMBER})", re.ASCII)
ON_TABLE = re.compile(rf"({NUMBER}),({NUMBER})>({NUMBER}),({NUMBER})", re.ASCII)
TO_RACK = re.compile(rf"({NUMBER}),({NUMBER})>rack", re.ASCII | re.IGNORECASE)  # only while a play is in the making
LIKE_THIS = "R3@2,0 for a tile from the rack, 1,1>4,1 for one on the table"

BEYOND = f"A tile would lie beyond the table, which ends {FARTHEST} cells from its middle."

Cell: TypeAlias = tuple[int, int]
Layout: TypeAlias = dict[Cell, int]  # kinds of tiles by their cells, in reading order
Laid: TypeAlias = tuple[int, Cell]  # a kind of tile from the rack, and where to
Moved: TypeAlias = tuple[Cell, Cell]  # from where, and where to


# Tiles and cells


def reading(cell: Cell) -> Cell:
    """What cells are sorted by: row by row."""
    return cell[1], cell[0]


def write_cell(cell: Cell) -> str:
    """A cell: x to the right, y downwards."""
    return f"{cell[0]},{cell[1]}"


def read_cell(x: str, y: str) -> Cell:
    """The cell that is written so, if the table reaches so far."""
    cell = int(x), int(y)
    if max(map(abs, cell)) > FARTHEST:
        raise IllegalMove("AAT-07", BEYOND)
    return cell


def names(rack: Any) -> list[str]:
    """The tiles of a rack, by colour and number."""
    return [TILE_NAMES[kind] for kind, count in enumerate(rack.tolist()) for _ in range(count)]


def layout_of(v: Any) -> Layout:
    """The table."""
    count = int(v.tiles)
    cells = zip(v.x[:count].tolist(), v.y[:count].tolist(), strict=True)
    return dict(zip(cells, v.tile[:count].tolist(), strict=True))


# Moves


def laid_of(move: Any) -> list[Laid]:
    """What a play lays from the rack, in reading order."""
    n = int(move.placed)
    cells = zip(move.x[:n].tolist(), move.y[:n].tolist(), strict=True)
    return sorted(zip(move.tile[:n].tolist(), cells, strict=True), key=lambda laid: (reading(laid[1]), laid[0]))


def moved_of(move: Any) -> list[Moved]:
    """What a play moves on the table, in the reading order of where it was."""
    n, end = int(move.placed), int(move.placed) + int(move.moved)
    sources = zip(move.from_x[n:end].tolist(), move.from_y[n:end].tolist(), strict=True)
    goals = zip(move.x[n:end].tolist(), move.y[n:end].tolist(), strict=True)
    return sorted(zip(sources, goals, strict=True), key=lambda moved: (reading(moved[0]), reading(moved[1])))


def write_play(laid: Iterable[Laid], moved: Iterable[Moved]) -> str:
    """The parts of a play as they come."""
    from_rack = [f"{TILE_NAMES[kind]}@{write_cell(cell)}" for kind, cell in laid]
    return " ".join(from_rack + [f"{write_cell(source)}>{write_cell(goal)}" for source, goal in moved])


def write(move: Any, v: Any) -> str:
    """The written form of a move: R3@2,0 R4@3,0 1,1>4,1, or draw, or pass."""
    if move.action != PLAY:
        return "draw" if move.action == DRAW else "pass"
    return write_play(laid_of(move), moved_of(move))


def read_word(word: str) -> Laid | Moved:
    """One part of a play."""
    if found := FROM_RACK.fullmatch(word):
        return KIND_OF[found[1]], read_cell(found[2], found[3])
    if found := ON_TABLE.fullmatch(word):
        return read_cell(found[1], found[2]), read_cell(found[3], found[4])
    raise IllegalMove("COM-06", f"{quoted(word)} is not a part of a play; parts are written like {LIKE_THIS}.")


def parse(text: str, v: Any) -> Any:
    """The move that is written so, its parts in their normal order; whether it can be made is for the rules to say."""
    move = record(MOVE)
    words = [word for word in text.split(" ") if word]
    if words in (["draw"], ["pass"]):
        move.action = DRAW if words == ["draw"] else PASS
        return move
    if not words:
        raise IllegalMove("COM-06", f"A move is draw, pass or a play; a play is written like {LIKE_THIS}.")
    if len(words) > TILES:
        raise IllegalMove("COM-06", f"There are {TILES} tiles at most, so a play has no more parts than that.")
    parts = [read_word(word) for word in words]
    laid = [(part[0], part[1]) for part in parts if isinstance(part[0], int)]
    moved = [(part[0], part[1]) for part in parts if not isinstance(part[0], int)]
    laid.sort(key=lambda part: (reading(part[1]), part[0]))
    moved.sort(key=lambda part: (reading(part[0]), reading(part[1])))
    move.placed, move.moved = len(laid), len(moved)
    for i, (kind, cell) in enumerate(laid):
        move.tile[i], (move.x[i], move.y[i]) = kind, cell
    for i, (source, cell) in enumerate(moved, start=len(laid)):
        (move.from_x[i], move.from_y[i]), (move.x[i], move.y[i]) = source, cell
    return move


# Deals


def write_deal(s: Any) -> dict[str, str]:
    """The deal, line by line."""
    lines = {}
    for i, drawn in enumerate(s.drawoff[: s.rounds, : s.players].tolist(), start=1):
        lines[f"drawoff {i}"] = " ".join("-" if kind < 0 else TILE_NAMES[kind] for kind in drawn)
    for seat in range(s.players):
        lines[f"rack {seat}"] = " ".join(names(s.rack[seat]))
    lines["bag"] = " ".join(TILE_NAMES[kind] for kind in s.bag[: s.bag_size].tolist())
    return lines


def read_deal(lines: Mapping[str, str], s: Any) -> None:
    """Deal as written."""
    rounds = [f"drawoff {i}" for i in range(1, 1 + max(1, sum(key.startswith("drawoff ") for key in lines)))]
    racks = [f"rack {seat}" for seat in range(s.players)]
    deals.same_keys(lines, [*rounds, *racks, "bag"])
    there = {name: copies_of(s, kind) for kind, name in enumerate(TILE_NAMES) if copies_of(s, kind)}
    _read_draw_off(lines, rounds, there, s)
    s.bag_size = sum(there.values()) - int(s.players) * int(s.hand)
    found = {key: deals.pieces(lines, key, int(s.hand), there) for key in racks}
    found["bag"] = deals.pieces(lines, "bag", int(s.bag_size), there)
    deals.exactly(found, there)
    for seat, key in enumerate(racks):
        for name in found[key]:
            s.rack[seat, KIND_OF[name]] += 1
    s.bag[: s.bag_size] = [KIND_OF[name] for name in found["bag"]]


def _read_draw_off(lines: Mapping[str, str], rounds: list[str], there: Mapping[str, int], s: Any) -> None:
    """AAT-02: those tied draw until one leads, and no tile goes back before."""
    s.drawoff[:] = -1
    s.rounds = min(len(rounds), ROUNDS)
    tied = list(range(s.players))
    out: Counter[str] = Counter()
    for i, key in enumerate(rounds):
        drawn = deals.pieces(lines, key, int(s.players), [*there, "-"])
        if len(tied) == 1:
            raise BadDeal(key, f"'deal {key}:' is one round too many: {SEATS[tied[0]]} leads already.")
        for seat, name in enumerate(drawn):
            if (name == "-") == (seat in tied):
                raise BadDeal(key, f"In 'deal {key}:' a tile is drawn by {listing([SEATS[t] for t in tied])}.")
            out[name] += name != "-"
            if out[name] > there.get(name, 0):
                raise BadDeal(key, f"{name} is drawn for the start more often than the game has it.")
        for seat in tied:
            s.drawoff[i, seat] = KIND_OF[drawn[seat]]
        faces = {seat: KIND_OF[drawn[seat]] % FACES for seat in tied}  # a star beats every number
        tied = [seat for seat in tied if faces[seat] == max(faces.values())]
    if len(tied) > 1:
        raise BadDeal(rounds[-1], f"{listing([SEATS[seat] for seat in tied])} are tied: they draw once more.")
    s.first = tied[0]
