"""What is wrong with a layout, in words: all of it at once, each fault with its rule and its cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from clew.core import listing
from clew.games.aathenuo import layout
from clew.games.aathenuo.layout import ACROSS
from clew.games.aathenuo.notation import Cell, Layout, reading
from clew.games.aathenuo.shapes import Fault
from clew.games.aathenuo.tiles import COLOUR_NAMES, FACES, NUMBERS, STAR, TILE, TILES

WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
PLURALS = ("ones", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "stars")


def judge(tiles: Layout) -> list[Fault]:
    """AAT-07 to AAT-09: the faults of a layout given as kinds of tiles by their cells; none when it is valid.

    >>> judge({(3, 1): 4, (4, 1): 13})[0]["text"]
    'The two fives are not a set: three are needed.'
    """
    rows = np.zeros((layout.FAULTS, layout.FAULT), np.int64)
    count = layout.faults(len(tiles), *_arrays(tiles), rows)
    found: list[Fault] = []
    knots: dict[int, list[list[Cell]]] = {}
    for code, direction, x, y, length, knot in rows[:count].tolist():
        cells = [(x + i, y) if direction == ACROSS else (x, y + i) for i in range(length)]
        if knot:
            knots.setdefault(knot, []).append(cells)
        else:
            found.append(_fault(layout.REASONS[code - 1].say(_facts(code, cells, tiles)), cells, tiles))
    for lines in knots.values():
        cells = sorted({cell for line in lines for cell in line}, key=reading)
        found.append(_fault(_knot(lines, tiles), cells, tiles))
    return found


def meanings(tiles: Layout) -> dict[Cell, list[int]]:
    """AAT-09: the numbers that each tile can stand for."""
    masks = np.zeros(TILES, np.int64)
    layout.meanings(len(tiles), *_arrays(tiles), masks)
    return {
        cell: [number + 1 for number in range(NUMBERS) if mask >> number & 1]
        for cell, mask in zip(tiles, masks.tolist(), strict=False)
    }


def lines_of(tiles: Layout) -> list[list[Cell]]:
    """AAT-07: the lines of two or more touching tiles, those across first, each kind in reading order."""
    order, lines, sets = _scratch()
    count = layout.read_lines(len(tiles), *_arrays(tiles), order, lines, sets)
    cells = list(tiles)
    found = [
        (direction, [cells[i] for i in order[direction, first : first + length].tolist()])
        for direction, first, length, _ in lines[:count].tolist()
    ]
    return [line for _, line in sorted(found, key=lambda line: (line[0], reading(line[1][0])))]


def _scratch() -> tuple[Any, Any, Any]:
    return np.zeros((2, TILES), np.int64), np.zeros((layout.LINES, 4), np.int64), np.zeros(TILES, np.int64)


def spoken(line: Sequence[Cell], tiles: Layout) -> str:
    """A line of tiles as people say it.

    >>> spoken([(0, 0), (1, 0), (2, 0)], {(0, 0): 2, (1, 0): 8, (2, 0): 4})
    'red 3–star–5'
    >>> spoken([(0, 0), (1, 0)], {(0, 0): 4, (1, 0): 13}), spoken([(0, 0), (1, 0)], {(0, 0): 4, (1, 0): 17})
    ('fives in red and yellow', 'red 5 and yellow star')
    """
    kinds = [tiles[cell] for cell in line]
    colours, faces = [COLOUR_NAMES[kind // FACES] for kind in kinds], {kind % FACES for kind in kinds}
    if len(kinds) > 1 and len({*colours}) == 1:
        return f"{colours[0]} {'–'.join(TILE.spoken[kind].split()[1] for kind in kinds)}"
    if len(kinds) > 1 and len(faces) == 1:
        return f"{PLURALS[faces.pop()]} in {listing(colours)}"
    return listing([TILE.spoken[kind] for kind in kinds])


def numbers(can_be: Sequence[int]) -> str:
    """Numbers in a sentence: 3, or 3 or 5, or 1 to 8.

    >>> numbers([3]), numbers([3, 5]), numbers([2, 3, 4])
    ('3', '3 or 5', '2 to 4')
    """
    if len(can_be) > 2 and list(can_be) == list(range(can_be[0], can_be[-1] + 1)):
        return f"{can_be[0]} to {can_be[-1]}"
    return " or ".join(([", ".join(map(str, can_be[:-1]))] if can_be[:-1] else []) + [str(can_be[-1])])


def _arrays(tiles: Layout) -> tuple[Any, Any, Any]:
    kinds = np.array(list(tiles.values()), np.int64)
    x, y = (np.array([cell[i] for cell in tiles], np.int64) for i in range(2))
    return kinds, x, y


def _fault(wrong: tuple[str, str], cells: Sequence[Cell], tiles: Layout) -> Fault:
    rule, text = wrong
    called = [TILE.pieces[tiles[cell]] for cell in cells]
    return {"rule": rule, "text": text, "cells": [[x, y] for x, y in cells], "tiles": called}


def _facts(code: int, cells: list[Cell], tiles: Layout) -> dict[str, Any]:
    """What the sentence about a line by itself speaks of."""
    kinds = [tiles[cell] for cell in cells]
    colours, faces = [kind // FACES for kind in kinds], [kind % FACES for kind in kinds]
    facts: dict[str, Any] = {"line": spoken(cells, tiles)}
    if code == layout.TWO and faces[0] == faces[1]:
        facts["line"] = f"the two {PLURALS[faces[0]]}"
    if code == layout.COLOUR_TWICE:
        twice = next(colour for colour in colours if colours.count(colour) > 1)
        facts |= {"colour": COLOUR_NAMES[twice], "times": _times(colours.count(twice))}
    if code == layout.NO_NUMBER:
        at = next(i for i, face in enumerate(faces) if face != STAR)
        steps = [step for step in (1, -1) if all(f in (STAR, faces[at] + step * (i - at)) for i, f in enumerate(faces))]
        wanted = [faces[at] + steps[0] * (i - at) + 1 for i in range(len(faces))]
        facts["beyond"] = next(number for number in wanted if not 1 <= number <= NUMBERS)
    return facts


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{WORDS[count] if count < len(WORDS) else count} times"


def _knot(lines: list[list[Cell]], tiles: Layout) -> tuple[str, str]:
    """AAT-09: lines that could be sets one by one, but not together."""
    if len(lines) == 2:
        star = next((cell for cell in lines[0] if cell in lines[1]), None)
        alone = [meanings({cell: tiles[cell] for cell in line}) for line in lines]
        if star is not None and not {*alone[0][star]} & {*alone[1][star]}:
            one, other = (f"{numbers(can_be[star])} in {spoken(line, tiles)}" for can_be, line in zip(alone, lines))
            return layout.TORN.say({"star": TILE.spoken[tiles[star]], "one": one, "other": other})
    return layout.KNOTTED.say({"lines": "; ".join(spoken(line, tiles) for line in lines)})


_examples = _arrays({(0, 0): 0})
COMPILED = {
    "faults": (layout.faults, (1, *_examples, np.zeros((layout.FAULTS, layout.FAULT), np.int64))),
    "meanings": (layout.meanings, (1, *_examples, np.zeros(TILES, np.int64))),
    "read_lines": (layout.read_lines, (1, *_examples, *_scratch())),
}
"""Rules that these words call, each with arguments like theirs."""
