"""How people read and write Labyrinth: cards, cells and moves, deals, what happened, what a chair sees."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from clew.core import SEATS, BadDeal, Event, IllegalMove, deals, listing, plural
from clew.games.labyrinth import paths, rules
from clew.games.labyrinth.paths import (
    BEND,
    CARDS,
    FAR,
    HIDDEN,
    IN_LABYRINTH,
    MATES,
    ROTATIONS,
    SHAPE_OF,
    SIDES,
    STRAIGHT,
    TAKEN,
    TEE,
    TREASURES_OF,
)
from clew.games.labyrinth.rules import CLOSED, ONE_PIECE, SQUARE, TURNS
from clew.games.labyrinth.shapes import Face, LabyrinthTable, Take

TREASURE_NAMES = (
    *("candelabra", "crown", "ghost", "troll", "map", "money bag", "key", "ring", "sword", "helmet", "book", "gem"),
    *("owl", "bat", "dragon", "mouse", "spider", "beetle", "lizard", "genie", "chest", "skull", "lantern", "goblet"),
    "horn",
)
PLURALS = {"mouse": "mice"}
NUMBERS = ("none", "one", "two", "three", "four")
CARD_NAMES = tuple(f"c{card + 1:02}" for card in range(CARDS))
SHAPE_NAMES: dict[int, Literal["straight", "bend", "T"]] = {STRAIGHT: "straight", BEND: "bend", TEE: "T"}
OPEN: list[list[int]] = paths.OPEN.tolist()
MATES_OF: list[list[int]] = paths.MATES_OF.tolist()

NUMBER = r"(?:0|-?[1-9]\d{0,2})"
MOVE = re.compile(rf"c(\d\d)r([0-3])@({NUMBER},{NUMBER})((?: !{NUMBER},{NUMBER})*)", re.ASCII)
START = [f"{name}r{rotation}" for card, name in enumerate(CARD_NAMES) for rotation in range(4) if OPEN[card][rotation]]

Cell: TypeAlias = tuple[int, int]
Board: TypeAlias = dict[Cell, tuple[int, int]]  # a card and its open sides


# Moves


def write(move: int, v: Any) -> str:
    """The written form of a move: c07r1@2,-1 or, with takes, c07r1@2,-1 !1,0 !2,2."""
    card, rotation, cell, takes = _decode(move)
    placed = f"{CARD_NAMES[card]}r{rotation}@{_cell(cell)}"
    if not takes:
        return placed
    x, y = v.x, v.y
    return " !".join([placed, *_cells((int(x[mate]), int(y[mate])) for mate in takes)])


def parse(text: str, v: Any) -> int:
    """The move that is written so; a take that no code stands for is refused here."""
    found = MOVE.fullmatch(text)
    if not found:
        raise IllegalMove("COM-06", f"{text!r} is not a move; moves are written like c07r1@2,-1 or c07r1@2,-1 !1,0.")
    card, rotation, cell = int(found[1]) - 1, int(found[2]), _read_cell(found[3])
    if not 0 <= card < CARDS:
        raise IllegalMove("LAB-01", f"There is no card c{found[1]}; cards are c01 to c50.")
    written = [_read_cell(take) for take in found[4].split(" !")[1:]]
    if written != sorted(set(written), key=_reading):
        order = " ".join(f"!{take}" for take in _cells(set(written)))
        raise IllegalMove("COM-06", f"Takes are written in reading order and each once: {order}.")
    board = _board(v)
    takes = 0
    for take in written:
        if take == cell:
            raise IllegalMove("LAB-05", f"{CARD_NAMES[card]} is the card that you place: it stays.")
        if take not in board:
            raise IllegalMove("LAB-05", f"There is no card at {_cell(take)} to take.")
        mate = board[take][0]
        if mate not in MATES_OF[card]:
            one, other = (TREASURE_NAMES[treasure] for treasure in TREASURES_OF[card])
            where = f"{CARD_NAMES[mate]} at {_cell(take)}"
            raise IllegalMove("LAB-05", f"{where} shows no {one} and no {other}, the treasures of {CARD_NAMES[card]}.")
        takes |= 1 << MATES_OF[card].index(mate)
    x, y = cell
    return (((takes * 2 * FAR + y + FAR) * 2 * FAR + x + FAR) * ROTATIONS + rotation) * CARDS + card


def explain(reason: int, move: int, v: Any) -> tuple[str, str]:
    """The rule that a refused move breaks, and how."""
    card, rotation, cell, takes = _decode(move)
    name, where, board = CARD_NAMES[card], _cell(cell), _board(v)
    if reason == rules.NOT_IN_HAND:
        return "LAB-03", f"You do not hold {name}."
    if reason == rules.NO_ROTATION:
        return "LAB-03", f"{name} is a straight card: it has only the rotations r0 and r1."
    if reason == rules.OCCUPIED:
        return "LAB-03", f"{CARD_NAMES[board[cell][0]]} lies at {where} already."
    if reason == rules.NOT_BESIDE:
        return "LAB-03", f"No card lies side by side with {where}."
    if reason == rules.NO_PATH:
        return "LAB-03", f"{name}r{rotation} at {where} carries on no path: no open side of it meets an open side."
    places = {mate: (int(v.x[mate]), int(v.y[mate])) for mate in takes}
    if reason == rules.NOT_CONNECTED:
        reached = _connected(board, card, rotation, cell)
        far = [mate for mate in takes if places[mate] not in reached]
        return "LAB-04", f"No path leads from {name} to {_named(far, places)}."
    left = ({*board} | {cell}) - {*places.values()}
    if reason == rules.ISOLATED:
        lonely = sorted((c for c in left if left.isdisjoint(_near(c))), key=_reading)
        alone = {board[c][0] if c in board else card: c for c in lonely}
        return "LAB-07", f"That would leave {_named(alone, alone)} alone."
    return "LAB-07", "That would break the labyrinth into pieces, and at this table it stays in one piece."


def _decode(move: int) -> tuple[int, int, Cell, list[int]]:
    rest, card = divmod(int(move), CARDS)
    rest, rotation = divmod(rest, ROTATIONS)
    rest, x = divmod(rest, 2 * FAR)
    takes, y = divmod(rest, 2 * FAR)
    return card, rotation, (x - FAR, y - FAR), [MATES_OF[card][i] for i in range(MATES) if takes >> i & 1]


def _cell(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def _read_cell(text: str) -> Cell:
    x, y = text.split(",")
    return int(x), int(y)


def _reading(cell: Cell) -> Cell:
    return cell[1], cell[0]


def _cells(cells: Iterable[Cell]) -> list[str]:
    return [_cell(cell) for cell in sorted(cells, key=_reading)]


def _named(cards: Iterable[int], places: Mapping[int, Cell]) -> str:
    return listing([f"{CARD_NAMES[card]} at {_cell(places[card])}" for card in cards])


# The labyrinth, once more and in plain words: what the rules judge by sets of bits is shown here by sets of cells


def _board(v: Any) -> Board:
    """The labyrinth cell by cell, in reading order."""
    cards = zip(v.lies.tolist(), v.x.tolist(), v.y.tolist(), v.rotation.tolist(), strict=True)
    found = [(y, x, card, r) for card, (lies, x, y, r) in enumerate(cards) if lies == IN_LABYRINTH]
    return {(x, y): (card, OPEN[card][rotation]) for y, x, card, rotation in sorted(found)}


def _near(cell: Cell) -> list[Cell]:
    x, y = cell
    return [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]


def _opening(board: Board, cell: Cell) -> dict[int, Cell]:
    """By sides, the cells beside a cell whose cards have an open side towards it."""
    found = {side: other for side, other in enumerate(_near(cell)) if other in board}
    return {side: other for side, other in found.items() if board[other][1] >> (side ^ 2) & 1}


def _paths(board: Board) -> dict[Cell, set[Cell]]:
    """LAB-04: for each cell all those that its paths lead to."""
    paths: dict[Cell, set[Cell]] = {}
    for cell in board:
        if cell not in paths:
            reached, walk = {cell}, [cell]
            for here in walk:
                sides = board[here][1]
                fresh = [c for side, c in _opening(board, here).items() if sides >> side & 1 and c not in reached]
                reached.update(fresh)
                walk += fresh
            paths.update(dict.fromkeys(reached, reached))
    return paths


def _like(board: Board, card: int) -> dict[Cell, int]:
    """Where a treasure of the card lies in the labyrinth, in reading order, and which one."""
    return {
        cell: treasure
        for cell, (other, _) in board.items()
        for treasure in TREASURES_OF[card]
        if treasure in TREASURES_OF[other]
    }


def _connected(board: Board, card: int, rotation: int, cell: Cell) -> list[Cell]:
    """LAB-05: the cells of the cards that this one, placed here, is connected with by a treasure."""
    paths, sides = _paths(board), OPEN[card][rotation]
    reached = set().union(*(paths[c] for side, c in _opening(board, cell).items() if sides >> side & 1))
    return [c for c in _like(board, card) if c in reached]


def _takes(board: Iterable[Cell], cell: Cell, choice: Sequence[Cell], one_piece: bool) -> list[int]:
    """LAB-06, LAB-07: what may be taken together when a card lies on a cell; bit i of a set stands for choice[i]."""
    cells = {*board, cell}
    bits = {taken: 1 << i for i, taken in enumerate(choice)}
    sets = list(range(1, 1 << len(choice)))
    for other in {cell, *choice, *(c for taken in choice for c in _near(taken) if c in cells)}:
        beside = [c for c in _near(other) if c in cells]
        if all(c in bits for c in beside):  # it must not be left when all its neighbours go
            all_of_them = sum(bits[c] for c in beside)
            sets = [taken for taken in sets if taken & all_of_them != all_of_them or taken & bits.get(other, 0)]
    if one_piece:
        parts = _parts(cells, bits)
        sets = [taken for taken in sets if _hold_together([p & ~taken for own, p in parts if not own & taken])]
    return sets


def _parts(cells: set[Cell], bits: Mapping[Cell, int]) -> list[tuple[int, int]]:
    """Each card in `bits` and each piece that is left without them all: its own bit, and with it those it touches."""
    parts, loose = [], cells - bits.keys()
    for cell, own in bits.items():
        parts.append((own, own | sum(bits.get(other, 0) for other in _near(cell))))
    while loose:
        walk, touched = [loose.pop()], 0
        for here in walk:
            for other in _near(here):
                touched |= bits.get(other, 0)
                if other in loose:
                    loose.remove(other)
                    walk.append(other)
        parts.append((0, touched))
    return parts


def _hold_together(parts: list[int]) -> bool:
    whole, *others = parts
    while others:
        joined = [part for part in others if part & whole]
        if not joined:
            return False
        others = [part for part in others if not part & whole]
        for part in joined:
            whole |= part
    return True


# Deals


def write_deal(s: Any) -> dict[str, str]:
    """The deal, line by line."""
    square = sorted((int(s.y[card]), int(s.x[card]), card) for card in range(CARDS) if s.lies[card] == IN_LABYRINTH)
    lines = {
        "first": str(s.begins),
        "start": " ".join(f"{CARD_NAMES[card]}r{s.rotation[card]}" for _, _, card in square),
    }
    for seat in range(s.players):
        lines[f"hand {seat}"] = " ".join(CARD_NAMES[card] for card in s.hands[seat, : s.hand])
    lines["deck"] = " ".join(CARD_NAMES[card] for card in s.deck[: TURNS - s.players * s.hand])
    return lines


def read_deal(lines: Mapping[str, str], s: Any) -> None:
    """Deal as written."""
    hands = [f"hand {seat}" for seat in range(s.players)]
    deals.same_keys(lines, ["first", "start", *hands, "deck"])
    s.begins = deals.number(lines, "first", 0, int(s.players) - 1)
    if s.first and s.begins != s.first - 1:
        raise BadDeal("first", f"'deal first:' is {s.begins}, but the option says that seat {s.first - 1} begins.")
    start = deals.pieces(lines, "start", SQUARE, START)
    cards = {"start": [name[:3] for name in start]}
    cards |= {key: deals.pieces(lines, key, int(s.hand), CARD_NAMES) for key in hands}
    cards["deck"] = deals.pieces(lines, "deck", TURNS - int(s.players) * int(s.hand), CARD_NAMES)
    deals.exactly(cards, dict.fromkeys(CARD_NAMES, 1))
    for i, name in enumerate(start):
        card = CARD_NAMES.index(name[:3])
        s.lies[card], s.rotation[card], s.x[card], s.y[card] = IN_LABYRINTH, int(name[-1]), i % 2, i // 2
    board = _board(s)
    if all(near in board for c in board for side, near in enumerate(_near(c)) if board[c][1] >> side & 1):
        raise BadDeal("start", "No path leads out of the square: turn a card so that an open side faces outwards.")
    s.hands[:] = -1
    for seat, key in enumerate(hands):
        s.hands[seat, : s.hand] = [CARD_NAMES.index(card) for card in cards[key]]
    s.deck[: len(cards["deck"])] = [CARD_NAMES.index(card) for card in cards["deck"]]


# What happened


def tell(before: Any, seat: int | None, move: int | None, after: Any) -> list[Event]:
    """A turn as a chair saw it: the card placed, the treasures connected, the cards taken, the draw, the end."""
    if before is None or seat is None or move is None:
        return [Event("deal", f"{SEATS[after.begins]} begins.", "LAB-02", int(after.begins))]
    card, rotation, cell, takes = _decode(move)
    who, placed = SEATS[seat], f"{CARD_NAMES[card]}r{rotation}"
    data = {"card": CARD_NAMES[card], "rotation": rotation, "cell": _cell(cell)}
    events = [Event("place", f"{who} places {placed} at {_cell(cell)}.", "LAB-03", seat, data)]
    events += _treasures(before, seat, move)
    if takes:
        score = _score(after, seat)
        events.append(Event("score", f"{who} has {plural(score, 'card')}.", "LAB-08", seat, {"score": score}))
    if before.deck_left:
        events.append(_draw(before, seat, after))
    if after.ended:
        events.append(_end(after))
    return events


def _treasures(before: Any, seat: int, move: int) -> list[Event]:
    """What the card placed is connected with, and what becomes of each card."""
    card, rotation, cell, takes = _decode(move)
    board = _board(before)
    like, choice = _like(board, card), _connected(board, card, rotation, cell)
    if not choice:
        return []
    cards = [board[place][0] for place in choice]
    places = dict(zip(cards, choice, strict=True))

    def event(kind: str, rule: str, text: str, which: list[int], **data: Any) -> Event:
        data |= {"cards": [CARD_NAMES[mate] for mate in which], "cells": [_cell(places[mate]) for mate in which]}
        return Event(kind, text.format(who=SEATS[seat], which=_named(which, places)), rule, seat, data)

    may_go = 0
    for together in _takes(board, cell, choice, before.labyrinth == ONE_PIECE):
        may_go |= together
    taken = [mate for mate in cards if mate in takes]
    left = [mate for i, mate in enumerate(cards) if mate not in takes and may_go >> i & 1]
    stuck = [mate for i, mate in enumerate(cards) if not may_go >> i & 1]
    events = []
    for treasure in TREASURES_OF[card]:
        found = [mate for mate in cards if like[places[mate]] == treasure]
        name = TREASURE_NAMES[treasure]
        them = f"{NUMBERS[1 + len(found)]} {PLURALS.get(name, name + 's')}"
        text = f"{{who}} connects {them}: {CARD_NAMES[card]} with {{which}}."
        events.append(event("connect", "LAB-04", text, found, treasure=name))
    events += [
        event("take", "LAB-05", "{who} takes {which}.", taken),
        event("leave", "LAB-06", "{who} leaves {which}.", left),
        event("stay", "LAB-07", "{which} must stay for the labyrinth to hold.", stuck),
    ]
    return [told for told in events if told.data["cards"]]


def _draw(before: Any, seat: int, after: Any) -> Event:
    if after.seat != seat:
        return Event("draw", f"{SEATS[seat]} draws a card.", "LAB-09", seat)
    (drawn,) = {*after.cards.tolist()} - {*before.cards.tolist()}
    return Event("draw", f"{SEATS[seat]} draws {CARD_NAMES[drawn]}.", "LAB-09", seat, {"card": CARD_NAMES[drawn]})


def _end(after: Any) -> Event:
    closed = after.ended == CLOSED
    why = "No path leads out of the labyrinth any more" if closed else "All cards are played"
    scores = [_score(after, seat) for seat in range(after.players)]
    winners = [SEATS[seat] for seat, score in enumerate(scores) if score == max(scores)]
    most = plural(max(scores), "card")
    said = f"wins with {most}" if len(winners) == 1 else f"share the win with {most} each"
    rule = "LAB-11" if closed else "LAB-10"
    return Event("end", f"{why}: {listing(winners)} {said}.", rule, None, {"scores": scores})


def _score(v: Any, seat: int) -> int:
    return int((v.lies == TAKEN + seat).sum())


# What a chair sees


def describe(v: Any) -> LabyrinthTable:
    """The table as plain data, with all that can be done with the own hand."""
    board = _board(v)
    hand = [card for card in v.cards.tolist() if card >= 0]
    placements, takes = _possible(board, hand, v.labyrinth == ONE_PIECE) if not v.ended else ({}, [])
    lies = v.lies.tolist()
    return {
        "turns": int(v.turns),
        "deck": int(v.deck_left),
        "hand": [_face(card) for card in hand],
        "labyrinth": [
            {**_face(card), "x": x, "y": y, "rotation": int(v.rotation[card])} for (x, y), (card, _) in board.items()
        ],
        "placements": placements,
        "takes": takes,
        "seats": [
            {
                "name": SEATS[seat],
                "cards": int(v.held[seat]),
                "taken": [CARD_NAMES[card] for card in range(CARDS) if lies[card] == TAKEN + seat],
                "score": lies.count(TAKEN + seat),
            }
            for seat in range(v.players)
        ],
        "unseen": [CARD_NAMES[card] for card in range(CARDS) if lies[card] == HIDDEN and card not in hand],
    }


def _face(card: int) -> Face:
    """What is printed on a card, and its open sides in each of its rotations."""
    return {
        "card": CARD_NAMES[card],
        "shape": SHAPE_NAMES[SHAPE_OF[card]],
        "treasures": [TREASURE_NAMES[treasure] for treasure in TREASURES_OF[card]],
        "open": ["".join("NESW"[side] for side in range(SIDES) if sides >> side & 1) for sides in OPEN[card] if sides],
    }


def _possible(board: Board, hand: list[int], one_piece: bool) -> tuple[dict[str, list[str]], list[Take]]:
    """The cells where each card fits in each rotation; and where it connects treasures, which cards may be taken.

    Bit i of a set in `sets` stands for the cell number i in `cells`.
    """
    paths = _paths(board)
    free = sorted({c for cell in board for c in _near(cell) if c not in board}, key=_reading)
    leads = {cell: {side: paths[c] for side, c in _opening(board, cell).items()} for cell in free}
    placements: dict[str, list[str]] = {}
    takes: list[Take] = []
    for card in hand:
        like = _like(board, card)
        turned = {rotation: sides for rotation, sides in enumerate(OPEN[card]) if sides}
        placements |= {f"{CARD_NAMES[card]}r{rotation}": [] for rotation in turned}
        for cell in free:
            choices: dict[tuple[Cell, ...], list[int]] = {}
            for rotation, sides in turned.items():
                reached = [path for side, path in leads[cell].items() if sides >> side & 1]
                if reached:
                    placements[f"{CARD_NAMES[card]}r{rotation}"].append(_cell(cell))
                    choice = tuple(c for c in like if any(c in path for path in reached))
                    choices.setdefault(choice, []).append(rotation)
            for choice, rotations in choices.items():
                if choice:
                    takes.append(
                        {
                            "card": CARD_NAMES[card],
                            "cell": _cell(cell),
                            "rotations": rotations,
                            "cells": [_cell(c) for c in choice],
                            "treasures": [TREASURE_NAMES[like[c]] for c in choice],
                            "sets": _takes(board, cell, choice, one_piece),
                        }
                    )
    return placements, takes
