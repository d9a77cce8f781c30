"""How people read and write Labyrinth: cards, cells and moves, deals, what happened, what a chair sees."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import chain, combinations
from typing import Any, TypeAlias

from clew.core import SEATS, BadDeal, Event, IllegalMove, deals, listing, plural
from clew.games.labyrinth import rules
from clew.games.labyrinth.rules import (
    BEND,
    CARDS,
    CLOSED,
    FAR,
    HIDDEN,
    IN_LABYRINTH,
    MATES,
    ONE_PIECE,
    ROTATIONS,
    SHAPE_OF,
    SIDES,
    SQUARE,
    STEP_X,
    STEP_Y,
    STRAIGHT,
    TAKEN,
    TREASURES_OF,
    TURNS,
)

TREASURE_NAMES = tuple(
    "candelabra,crown,ghost,troll,map,money bag,key,ring,sword,helmet,book,gem,owl,bat,dragon,mouse,spider,beetle,"
    "lizard,genie,chest,skull,lantern,goblet,horn".split(",")
)
PLURALS = {"mouse": "mice"}
NUMBERS = ("none", "one", "two", "three", "four")
CARD_NAMES = tuple(f"c{card + 1:02}" for card in range(CARDS))
SHAPE_NAMES = {STRAIGHT: "straight", BEND: "bend", rules.TEE: "T"}
OPEN: list[list[int]] = rules.OPEN.tolist()
MATES_OF: list[list[int]] = rules.MATES_OF.tolist()

NUMBER = r"(?:0|-?[1-9]\d{0,2})"
MOVE = re.compile(rf"c(\d\d)r([0-3])@({NUMBER},{NUMBER})((?: !{NUMBER},{NUMBER})*)", re.ASCII)
START = [f"{name}r{rotation}" for card, name in enumerate(CARD_NAMES) for rotation in range(4) if OPEN[card][rotation]]

Cell: TypeAlias = tuple[int, int]
Board: TypeAlias = dict[Cell, tuple[int, int]]  # a card and its open sides


# Moves


def write(move: int, v: Any) -> str:
    """The written form of a move: c07r1@2,-1 or, with takes, c07r1@2,-1 !1,0 !2,2."""
    card, rotation, cell, takes = _decode(move)
    cells = [(int(v.x[mate]), int(v.y[mate])) for mate in takes]
    return " !".join([f"{CARD_NAMES[card]}r{rotation}@{_cell(cell)}", *_cells(cells)])


def parse(text: str, v: Any) -> int:
    """The move that is written so; a take that no code stands for is refused here."""
    found = MOVE.fullmatch(text)
    if not found:
        raise IllegalMove("COM-06", f"{text!r} is not a move; moves are written like c07r1@2,-1 or c07r1@2,-1 !1,0.")
    card, rotation, cell = int(found[1]) - 1, int(found[2]), _read_cell(found[3])
    if not 0 <= card < CARDS:
        raise IllegalMove("COM-06", f"There is no card c{found[1]}; cards are c01 to c50.")
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
            lacks = " nor a ".join(TREASURE_NAMES[treasure] for treasure in TREASURES_OF[card])
            where = f"{CARD_NAMES[mate]} at {_cell(take)}"
            raise IllegalMove("LAB-05", f"{where} shows neither a {lacks}, the treasures of {CARD_NAMES[card]}.")
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
        reached = _reached(board, _paths(board), cell, OPEN[card][rotation])
        far = [mate for mate in takes if places[mate] not in reached]
        return "LAB-04", f"No path leads from {name} to {_named(far, places)}."
    left = ({*board} | {cell}) - {*places.values()}
    if reason == rules.ISOLATED:
        alone = {place: board[place][0] if place in board else card for place in left if not _near(place) & left}
        return "LAB-07", f"That would leave {_named(alone.values(), {k: p for p, k in alone.items()})} alone."
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
    cards = zip(v.lies.tolist(), v.x.tolist(), v.y.tolist(), v.rotation.tolist(), strict=True)
    found = [(y, x, card, r) for card, (lies, x, y, r) in enumerate(cards) if lies == IN_LABYRINTH]
    return {(x, y): (card, OPEN[card][rotation]) for y, x, card, rotation in sorted(found)}


def _near(cell: Cell) -> set[Cell]:
    return {(cell[0] + dx, cell[1] + dy) for dx, dy in zip(STEP_X, STEP_Y, strict=True)}


def _meeting(board: Board, cell: Cell, sides: int) -> list[Cell]:
    """The cells of the cards whose open sides meet those of a card with these open sides."""
    found = []
    for side in range(SIDES):
        if sides >> side & 1:
            other = cell[0] + STEP_X[side], cell[1] + STEP_Y[side]
            if other in board and board[other][1] >> (side ^ 2) & 1:
                found.append(other)
    return found


def _paths(board: Board) -> dict[Cell, set[Cell]]:
    """For each cell all those that its paths lead to."""
    paths: dict[Cell, set[Cell]] = {}
    for cell in board:
        if cell not in paths:
            reached, walk = {cell}, [cell]
            for here in walk:
                fresh = [other for other in _meeting(board, here, board[here][1]) if other not in reached]
                reached.update(fresh)
                walk += fresh
            paths.update(dict.fromkeys(reached, reached))
    return paths


def _reached(board: Board, paths: Mapping[Cell, set[Cell]], cell: Cell, sides: int) -> set[Cell]:
    """LAB-04: the cells that a card with these open sides is connected with."""
    return set().union(*(paths[other] for other in _meeting(board, cell, sides)))


def _may_go(cells: set[Cell], taken: set[Cell], one_piece: bool) -> bool:
    """LAB-07: whether these cards may be taken from the cells of the labyrinth."""
    left = cells - taken
    bereft = {near for cell in taken for near in _near(cell)} & left
    if not all(_near(cell) & left for cell in bereft):
        return False
    if not one_piece or not bereft:
        return True
    walk = [bereft.pop()]
    left.remove(walk[0])
    for here in walk:
        fresh = _near(here) & left
        left -= fresh
        walk += fresh
    return not left


def _takes(board: Board, cell: Cell, choice: list[Cell], one_piece: bool) -> list[tuple[Cell, ...]]:
    """LAB-06: the sets of cells that may be taken together, the smallest first."""
    cells = {*board, cell}
    sets = chain.from_iterable(combinations(choice, size) for size in range(1, len(choice) + 1))
    return [taken for taken in sets if _may_go(cells, set(taken), one_piece)]


def _connections(board: Board, reached: set[Cell], card: int) -> dict[int, list[Cell]]:
    """LAB-05: for each treasure of a card the cells, in reading order, of those with the like among the reached."""
    cells = [cell for cell in board if cell in reached]
    found = {treasure: [c for c in cells if treasure in TREASURES_OF[board[c][0]]] for treasure in TREASURES_OF[card]}
    return {treasure: cells for treasure, cells in found.items() if cells}


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
    if all(_beyond(cell, side) in board for cell in board for side in range(SIDES) if board[cell][1] >> side & 1):
        raise BadDeal("start", "No path leads out of the square: turn a card so that an open side faces outwards.")
    s.hands[:] = -1
    for seat, key in enumerate(hands):
        s.hands[seat, : s.hand] = [CARD_NAMES.index(card) for card in cards[key]]
    s.deck[: len(cards["deck"])] = [CARD_NAMES.index(card) for card in cards["deck"]]


def _beyond(cell: Cell, side: int) -> Cell:
    return cell[0] + STEP_X[side], cell[1] + STEP_Y[side]


# What happened


def tell(before: Any, seat: int | None, move: int | None, after: Any) -> list[Event]:
    """A turn as a chair saw it: the card placed, the treasures connected, the cards taken and left, the draw, the end."""
    if before is None or seat is None or move is None:
        return [Event("deal", f"{SEATS[after.begins]} begins.", "LAB-02", int(after.begins))]
    card, rotation, cell, takes = _decode(move)
    who, placed = SEATS[seat], f"{CARD_NAMES[card]}r{rotation}"
    data = {"card": CARD_NAMES[card], "rotation": rotation, "cell": _cell(cell)}
    events = [Event("place", f"{who} places {placed} at {_cell(cell)}.", "LAB-03", seat, data)]
    events += _treasures(before, seat, card, cell, OPEN[card][rotation], takes)
    if takes:
        score = _score(after, seat)
        events.append(Event("score", f"{who} has {plural(score, 'card')}.", "LAB-08", seat, {"score": score}))
    if before.deck_left:
        events.append(_draw(before, seat, card, after))
    if after.ended:
        events.append(_end(after))
    return events


def _treasures(before: Any, seat: int, card: int, cell: Cell, sides: int, takes: list[int]) -> list[Event]:
    board = _board(before)
    found = _connections(board, _reached(board, _paths(board), cell, sides), card)
    choice = sorted(chain.from_iterable(found.values()), key=_reading)
    cards = {place: board[place][0] for place in choice}
    places = {mate: place for place, mate in cards.items()}
    events = []
    for treasure, like in found.items():
        name = TREASURE_NAMES[treasure]
        text = f"{SEATS[seat]} connects {NUMBERS[1 + len(like)]} {PLURALS.get(name, name + 's')}"
        text += f": {CARD_NAMES[card]} with {_named([cards[place] for place in like], places)}."
        data = {"treasure": name, "cells": _cells(like)}
        events.append(Event("connect", text, "LAB-04", seat, data))
    if not choice:
        return events
    may_go = set(chain.from_iterable(_takes(board, cell, choice, before.labyrinth == ONE_PIECE)))
    taken = [mate for mate in cards.values() if mate in takes]
    left = [mate for place, mate in cards.items() if mate not in takes and place in may_go]
    stuck = [mate for place, mate in cards.items() if place not in may_go]
    said = [
        ("take", "LAB-05", f"{SEATS[seat]} takes {_named(taken, places)}.", taken),
        ("leave", "LAB-06", f"{SEATS[seat]} leaves {_named(left, places)}.", left),
        ("stay", "LAB-07", f"{_named(stuck, places)} must stay for the labyrinth to hold.", stuck),
    ]
    return events + [
        Event(kind, text, rule, seat, {"cards": [CARD_NAMES[c] for c in which], "cells": [_cell(places[c]) for c in which]})
        for kind, rule, text, which in said
        if which
    ]


def _draw(before: Any, seat: int, card: int, after: Any) -> Event:
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
    said = f"{winners[0]} wins with {most}" if len(winners) == 1 else f"{listing(winners)} share the win with {most} each"
    return Event("end", f"{why}: {said}.", "LAB-11" if closed else "LAB-10", None, {"scores": scores})


def _score(v: Any, seat: int) -> int:
    return int((v.lies == TAKEN + seat).sum())


# What a chair sees


def describe(v: Any) -> dict[str, Any]:
    """The table as plain data, with all that can be done with the own hand."""
    board = _board(v)
    hand = [card for card in v.cards.tolist() if card >= 0]
    placements, takes = _possible(board, hand, v.labyrinth == ONE_PIECE) if not v.ended else ({}, {})
    lies = v.lies.tolist()
    return {
        "turns": int(v.turns),
        "deck": int(v.deck_left),
        "hand": [_face(card) for card in hand],
        "labyrinth": [
            _face(card) | {"x": x, "y": y, "rotation": int(v.rotation[card])} for (x, y), (card, _) in board.items()
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


def _face(card: int) -> dict[str, Any]:
    """What is printed on a card, and its open sides in each of its rotations."""
    return {
        "card": CARD_NAMES[card],
        "shape": SHAPE_NAMES[SHAPE_OF[card]],
        "treasures": [TREASURE_NAMES[treasure] for treasure in TREASURES_OF[card]],
        "open": ["".join("NESW"[side] for side in range(SIDES) if sides >> side & 1) for sides in OPEN[card] if sides],
    }


def _possible(board: Board, hand: list[int], one_piece: bool) -> tuple[dict[str, list[str]], dict[str, Any]]:
    """For each card and rotation the cells where it fits; for each placement that connects treasures, what may be taken."""
    paths = _paths(board)
    free = sorted({near for cell in board for near in _near(cell)} - {*board}, key=_reading)
    placements: dict[str, list[str]] = {}
    takes: dict[str, Any] = {}
    for card in hand:
        for rotation, sides in enumerate(OPEN[card]):
            name = f"{CARD_NAMES[card]}r{rotation}"
            for cell in free:
                reached = _reached(board, paths, cell, sides)
                if reached:
                    placements.setdefault(name, []).append(_cell(cell))
                found = _connections(board, reached, card)
                if found:
                    choice = sorted(chain.from_iterable(found.values()), key=_reading)
                    takes[f"{name}@{_cell(cell)}"] = {
                        "connects": {TREASURE_NAMES[treasure]: _cells(cells) for treasure, cells in found.items()},
                        "sets": [_cells(taken) for taken in _takes(board, cell, choice, one_piece)],
                    }
    return placements, takes
