"""How people read and write Labyrinth: moves, deals, what a chair sees."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from clew.core import SEATS, BadDeal, IllegalMove, deals, quoted, shortened
from clew.games.labyrinth import rules
from clew.games.labyrinth.connections import (
    OPEN,
    Board,
    board_of,
    connected,
    like_treasures,
    may_take,
    near,
)
from clew.games.labyrinth.notation import (
    CARD_NAMES,
    MATES_OF,
    SHAPE_NAMES,
    TREASURE_NAMES,
    Cell,
    decode,
    read_cell,
    reading,
    write_cell,
    write_cells,
)
from clew.games.labyrinth.paths import (
    CARDS,
    FAR,
    HIDDEN,
    IN_LABYRINTH,
    ROTATIONS,
    SHAPE_OF,
    SIDES,
    TAKEN,
    TREASURES_OF,
)
from clew.games.labyrinth.rules import ONE_PIECE, SQUARE, TURNS
from clew.games.labyrinth.saying import both, named, say, start
from clew.games.labyrinth.shapes import Face, LabyrinthTable, Take
from clew.games.labyrinth.telling import tell

__all__ = ["describe", "explain", "own", "parse", "read_deal", "say", "tell", "write", "write_deal"]

NUMBER = r"(?:0|-?[1-9]\d{0,2})"
MOVE = re.compile(rf"c(\d\d)r([0-3])@({NUMBER},{NUMBER})((?: !{NUMBER},{NUMBER})*)", re.ASCII)
START = [f"{name}r{rotation}" for card, name in enumerate(CARD_NAMES) for rotation in range(4) if OPEN[card][rotation]]


# Moves


def write(move: int, v: Any) -> str:
    """The written form of a move: c07r1@2,-1 or, with takes, c07r1@2,-1 !1,0 !2,2."""
    card, rotation, cell, takes = decode(move)
    placed = f"{CARD_NAMES[card]}r{rotation}@{write_cell(cell)}"
    if not takes:
        return placed
    x, y = v.x, v.y
    return " !".join([placed, *write_cells((int(x[mate]), int(y[mate])) for mate in takes)])


def parse(text: str, v: Any) -> int:
    """The move that is written so; a take that no code stands for is refused here."""
    found = MOVE.fullmatch(text)
    if not found:
        raise IllegalMove(
            "COM-06", f"{quoted(text)} is not a move; moves are written like c07r1@2,-1 or c07r1@2,-1 !1,0."
        )
    card, rotation, cell = int(found[1]) - 1, int(found[2]), read_cell(found[3])
    if not 0 <= card < CARDS:
        raise IllegalMove("LAB-01", f"There is no card c{found[1]}; cards are c01 to c50.")
    written = [read_cell(take) for take in found[4].split(" !")[1:]]
    if written != sorted(set(written), key=reading):
        order = " ".join(f"!{take}" for take in write_cells(set(written)))
        raise IllegalMove("COM-06", f"Takes are written in reading order and each once: {shortened(order)}.")
    board = board_of(v)
    takes = 0
    for take in written:
        if take == cell:
            raise IllegalMove("LAB-05", f"{start(both(card))} is the one that you place: it stays.")
        if take not in board:
            raise IllegalMove("LAB-05", "There is no card to take at that place.")
        mate = board[take][0]
        if mate not in MATES_OF[card]:
            one, other = (TREASURE_NAMES[treasure] for treasure in TREASURES_OF[card])
            shows = f"{start(both(mate))} shows no {one} and no {other}"
            raise IllegalMove("LAB-05", f"{shows}, the treasures of the card that you place.")
        takes |= 1 << MATES_OF[card].index(mate)
    x, y = cell
    return (((takes * 2 * FAR + y + FAR) * 2 * FAR + x + FAR) * ROTATIONS + rotation) * CARDS + card


def explain(reason: int, move: int, v: Any) -> tuple[str, str]:
    """The rule that a refused move breaks, and how."""
    card, rotation, cell, takes = decode(move)
    name, board = both(card), board_of(v)
    if reason == rules.NOT_IN_HAND:
        return "LAB-03", f"You do not hold {name}."
    if reason == rules.NO_ROTATION:
        return "LAB-03", f"{start(name)} is straight: turned twice it is as it was, so it is turned once at most."
    if reason == rules.OCCUPIED:
        return "LAB-03", f"{start(both(board[cell][0]))} lies there already."
    if reason == rules.NOT_BESIDE:
        return "LAB-03", "No card lies side by side with that place."
    if reason == rules.NO_PATH:
        return "LAB-03", f"Turned so, {name} carries on no path there: no open side of it meets an open side."
    places = {mate: (int(v.x[mate]), int(v.y[mate])) for mate in takes}
    if reason == rules.NOT_CONNECTED:
        reached = connected(board, card, rotation, cell)
        far = [mate for mate in takes if places[mate] not in reached]
        return "LAB-04", f"No path leads from {name} to {named(far)}."
    left = ({*board} | {cell}) - {*places.values()}
    if reason == rules.ISOLATED:
        lonely = sorted((c for c in left if left.isdisjoint(near(c))), key=reading)
        alone = [board[c][0] if c in board else card for c in lonely]
        return "LAB-07", f"That would leave {named(alone)} alone."
    return "LAB-07", "That would break the labyrinth into pieces, and at this table it stays in one piece."


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
    board = board_of(s)
    if all(beside in board for c in board for side, beside in enumerate(near(c)) if board[c][1] >> side & 1):
        raise BadDeal("start", "No path leads out of the square: turn a card so that an open side faces outwards.")
    s.hands[:] = -1
    for seat, key in enumerate(hands):
        s.hands[seat, : s.hand] = [CARD_NAMES.index(card) for card in cards[key]]
    s.deck[: len(cards["deck"])] = [CARD_NAMES.index(card) for card in cards["deck"]]


# What a chair sees


OPEN_SIDES = [
    ["".join("NESW"[side] for side in range(SIDES) if sides >> side & 1) for sides in turned if sides]
    for turned in OPEN
]
"""The open sides of each card in each of its rotations, as letters."""


def describe(v: Any) -> LabyrinthTable:
    """The table as plain data, with all that can be done with the own hand."""
    board, mine, lies = board_of(v), own(v), v.lies.tolist()
    return {
        "turns": int(v.turns),
        "deck": int(v.deck_left),
        "hand": mine["hand"],
        "labyrinth": [
            {**_face(card), "x": x, "y": y, "rotation": int(v.rotation[card])} for (x, y), (card, _) in board.items()
        ],
        "placements": mine["placements"],
        "takes": mine["takes"],
        "seats": [
            {
                "name": SEATS[seat],
                "cards": int(v.held[seat]),
                "taken": [_face(card) for card in range(CARDS) if lies[card] == TAKEN + seat],
                "score": lies.count(TAKEN + seat),
            }
            for seat in range(v.players)
        ],
        "unseen": mine["unseen"],
    }


def own(v: Any) -> dict[str, Any]:
    """What of the table differs by who looks: the hand, and all that can be done with it."""
    hand = [card for card in v.cards.tolist() if card >= 0]
    placements, takes = _possible(board_of(v), hand, v.labyrinth == ONE_PIECE) if hand and not v.ended else ({}, [])
    return {
        "hand": [_face(card) for card in hand],
        "placements": placements,
        "takes": takes,
        "unseen": [CARD_NAMES[k] for k, lies in enumerate(v.lies.tolist()) if lies == HIDDEN and k not in hand],
    }


def _face(card: int) -> Face:
    """What is printed on a card, and its open sides in each of its rotations."""
    return {
        "card": CARD_NAMES[card],
        "shape": SHAPE_NAMES[SHAPE_OF[card]],
        "treasures": [TREASURE_NAMES[treasure] for treasure in TREASURES_OF[card]],
        "open": [*OPEN_SIDES[card]],
    }


def _possible(board: Board, hand: list[int], one_piece: bool) -> tuple[dict[str, list[str]], list[Take]]:
    """The cells where each card fits in each rotation; and where it connects treasures, which cards may be taken.

    Bit i of a set in `sets` stands for the cell number i in `cells`.
    """
    placements: dict[str, list[str]] = {}
    takes: list[Take] = []
    for card in hand:
        like = like_treasures(board, card)
        turned = {rotation: sides for rotation, sides in enumerate(OPEN[card]) if sides}
        placements |= {f"{CARD_NAMES[card]}r{rotation}": [] for rotation in turned}
        for cell, leads in board.leads.items():
            choices: dict[tuple[Cell, ...], list[int]] = {}
            for rotation, sides in turned.items():
                reached = [path for side, path in leads.items() if sides >> side & 1]
                if reached:
                    placements[f"{CARD_NAMES[card]}r{rotation}"].append(write_cell(cell))
                    choice = tuple(c for c in like if any(c in path for path in reached))
                    choices.setdefault(choice, []).append(rotation)
            for choice, rotations in choices.items():
                if choice:
                    takes.append(
                        {
                            "card": CARD_NAMES[card],
                            "cell": write_cell(cell),
                            "rotations": rotations,
                            "cells": [write_cell(c) for c in choice],
                            "treasures": [TREASURE_NAMES[like[c]] for c in choice],
                            "sets": may_take(board, cell, choice, one_piece),
                        }
                    )
    return placements, takes
