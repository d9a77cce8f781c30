"""How people read and write Labyrinth: moves, deals, what a chair sees."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from clew.core import SEATS, BadDeal, IllegalMove, capital, deals, quoted, shortened
from clew.core.kernels import interpreted
from clew.games.labyrinth import notation, paths, plan, rules
from clew.games.labyrinth.cards import CARDS, SHAPE_OF, SIDES, TREASURE_NAMES, TREASURES_OF
from clew.games.labyrinth.connections import COMPILED, board_of, fits, like_treasure
from clew.games.labyrinth.notation import cell_of, decode, encode, read_cell, reading, write_cell, write_cells
from clew.games.labyrinth.plan import HIDDEN, TAKEN
from clew.games.labyrinth.rules import CARD, NO_CARD, SQUARE, TURNS
from clew.games.labyrinth.saying import named, say
from clew.games.labyrinth.shapes import Face, LabyrinthTable, Take
from clew.games.labyrinth.telling import tell

__all__ = ["COMPILED", "describe", "facts", "own", "parse", "read_deal", "say", "tell", "write", "write_deal"]

NUMBER = r"(?:0|-?[1-9]\d{0,2})"
MOVE = re.compile(rf"c(\d\d)r([0-3])@({NUMBER},{NUMBER})((?: !{NUMBER},{NUMBER})*)", re.ASCII)
START = [f"{name}r{turn}" for card, name in enumerate(CARD.pieces) for turn in range(4) if notation.OPEN[card][turn]]


# Moves


def write(move: int, v: Any) -> str:
    """The written form of a move: c07r1@2,-1 or, with takes, c07r1@2,-1 !1,0 !2,2."""
    card, rotation, cell, takes = decode(move)
    placed = f"{CARD.pieces[card]}r{rotation}@{write_cell(cell)}"
    return " !".join([placed, *write_cells(cell_of(v, mate) for mate in takes)])


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
            raise IllegalMove("LAB-05", f"{capital(CARD.say(card))} is the one that you place: it stays.")
        if take not in board:
            raise IllegalMove("LAB-05", "There is no card to take at that place.")
        mate = board[take]
        if mate not in notation.MATES_OF[card]:
            one, other = (TREASURE_NAMES[treasure] for treasure in TREASURES_OF[card])
            shows = f"{capital(CARD.say(mate))} shows no {one} and no {other}"
            raise IllegalMove("LAB-05", f"{shows}, the treasures of the card that you place.")
        takes |= 1 << notation.MATES_OF[card].index(mate)
    return int(encode(card, rotation, *cell, takes))


def facts(move: int, v: Any) -> dict[str, Any]:
    """What a refusal speaks of: the card placed, and which others the rules object to."""
    card, _, cell, _ = decode(move)
    reason, about = interpreted(rules.judge)(v, v.hands, move)
    others = [other for other in range(CARDS) if about >> other & 1]
    if reason == rules.ISOLATED:
        others.sort(key=lambda other: reading(cell if other == card else cell_of(v, other)))
    return {"card": CARD.say(card), "others": named(others)}


# Deals


def write_deal(s: Any) -> dict[str, str]:
    """The deal, line by line."""
    lines = {
        "first": str(s.begins),
        "start": " ".join(f"{CARD.pieces[card]}r{s.rotation[card]}" for card in board_of(s).values()),
    }
    for seat in range(s.players):
        lines[f"hand {seat}"] = " ".join(CARD.pieces[card] for card in s.hands[seat, : s.hand])
    lines["deck"] = " ".join(CARD.pieces[card] for card in s.deck if card != NO_CARD)
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
    cards |= {key: deals.pieces(lines, key, int(s.hand), CARD.pieces) for key in hands}
    cards["deck"] = deals.pieces(lines, "deck", TURNS - int(s.players) * int(s.hand), CARD.pieces)
    deals.exactly(cards, dict.fromkeys(CARD.pieces, 1))
    for i, name in enumerate(start):
        interpreted(plan.place)(s, CARD.codes[name[:3]], int(name[-1]), i % 2, i // 2)
    if interpreted(paths.closed)(s):
        raise BadDeal("start", "No path leads out of the square: turn a card so that an open side faces outwards.")
    s.hands[:], s.deck[:] = NO_CARD, NO_CARD
    for seat, key in enumerate(hands):
        s.hands[seat, : s.hand] = [CARD.codes[card] for card in cards[key]]
    s.deck[-len(cards["deck"]) :] = [CARD.codes[card] for card in cards["deck"]]


# What a chair sees


OPEN_SIDES = [
    ["".join("NESW"[side] for side in range(SIDES) if sides >> side & 1) for sides in turned if sides]
    for turned in notation.OPEN
]
"""The open sides of each card in each of its rotations, as letters."""


def describe(v: Any) -> LabyrinthTable:
    """The table as plain data, with all that can be done with the own hand."""
    mine, lies, rotation = own(v), v.lies.tolist(), v.rotation.tolist()
    return {
        "turns": int(v.turns),
        "deck": int(v.deck_count),
        "hand": mine["hand"],
        "labyrinth": [
            {**_face(card), "x": x, "y": y, "rotation": rotation[card]} for (x, y), card in board_of(v).items()
        ],
        "placements": mine["placements"],
        "takes": mine["takes"],
        "seats": [
            {
                "name": SEATS[seat],
                "cards": int(v.hands_count[seat]),
                "taken": [_face(card) for card in range(CARDS) if lies[card] == TAKEN + seat],
                "score": lies.count(TAKEN + seat),
            }
            for seat in range(v.players)
        ],
        "unseen": mine["unseen"],
    }


def own(v: Any) -> dict[str, Any]:
    """What of the table differs by who looks: the hand, and all that can be done with it."""
    hand = [card for card in v.hands.tolist() if card != NO_CARD]
    placements, takes = ({}, []) if v.ended else _possible(v, hand)
    return {
        "hand": [_face(card) for card in hand],
        "placements": placements,
        "takes": takes,
        "unseen": [CARD.pieces[k] for k, lies in enumerate(v.lies.tolist()) if lies == HIDDEN and k not in hand],
    }


def _face(card: int) -> Face:
    """What is printed on a card, and its open sides in each of its rotations."""
    return {
        "card": CARD.pieces[card],
        "shape": notation.SHAPE_NAMES[SHAPE_OF[card]],
        "treasures": [TREASURE_NAMES[treasure] for treasure in TREASURES_OF[card]],
        "open": [*OPEN_SIDES[card]],
    }


def _possible(v: Any, hand: list[int]) -> tuple[dict[str, list[str]], list[Take]]:
    """The cells where each card fits in each rotation; and where it connects treasures, which cards may be taken."""
    placements: dict[str, list[str]] = {}
    takes: list[Take] = []
    for card in hand:
        name = CARD.pieces[card]
        placements |= {f"{name}r{rotation}": [] for rotation in range(len(OPEN_SIDES[card]))}
        alike: dict[tuple[str, tuple[int, ...]], Take] = {}  # rotations that connect the same on a cell
        for fit in fits(v, card):
            cell = write_cell(fit.cell)
            placements[f"{name}r{fit.rotation}"].append(cell)
            if (cell, fit.others) in alike:
                alike[cell, fit.others]["rotations"].append(fit.rotation)
            elif fit.others:
                alike[cell, fit.others] = {
                    "card": name,
                    "cell": cell,
                    "rotations": [fit.rotation],
                    "cells": [write_cell(cell_of(v, other)) for other in fit.others],
                    "treasures": [TREASURE_NAMES[like_treasure(card, other)] for other in fit.others],
                    "sets": fit.sets,
                }
        takes += alike.values()
    return placements, takes
