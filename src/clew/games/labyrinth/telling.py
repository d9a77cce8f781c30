"""What happened in Labyrinth, in words: a card placed, treasures connected and by which path, cards taken."""

from __future__ import annotations

from typing import Any

from clew.core import Cast, Event, capital, plural
from clew.games.labyrinth.cards import TREASURE_NAMES, TREASURES_OF
from clew.games.labyrinth.connections import board_of, fits, like_treasure
from clew.games.labyrinth.notation import OPEN, Cell, cell_of, decode, near, write_cell
from clew.games.labyrinth.plan import TAKEN
from clew.games.labyrinth.rules import CARD, CLOSED
from clew.games.labyrinth.saying import beside, named

PLURALS = {"mouse": "mice"}
NUMBERS = ("none", "one", "two", "three", "four")


def tell(before: Any, seat: int | None, move: int | None, after: Any, cast: Cast) -> list[Event]:
    """A turn as a chair saw it: the card placed, the treasures connected, the cards taken, the draw, the end."""
    if before is None or seat is None or move is None:
        return [Event("deal", f"{cast.does(after.begins, 'begin')}.", "LAB-02", int(after.begins))]
    card, rotation, cell, takes = decode(move)
    data = {"card": CARD.pieces[card], "rotation": rotation, "cell": write_cell(cell)}
    placed = f"{cast.does(seat, 'place')} {CARD.say(card)} {beside(cell, board_of(before))}."
    events = [Event("place", placed, "LAB-03", seat, data)]
    events += _treasures(before, seat, move, cast)
    if takes:
        score = _score(after, seat)
        events.append(
            Event("score", f"{cast.does(seat, 'have')} {plural(score, 'card')}.", "LAB-08", seat, {"score": score})
        )
    if before.deck_count:
        events.append(_draw(before, seat, after, cast))
    if after.ended:
        events.append(_end(after, cast))
    return events


def _treasures(before: Any, seat: int, move: int, cast: Cast) -> list[Event]:
    """What the card placed is connected with, and what becomes of each card."""
    card, rotation, cell, takes = decode(move)
    fit = next(fit for fit in fits(before, card, cell) if fit.rotation == rotation)
    if not fit.others:
        return []

    def event(kind: str, rule: str, text: str, which: list[int], **data: Any) -> Event:
        cells = [write_cell(cell_of(before, mate)) for mate in which]
        return Event(kind, text, rule, seat, data | {"cards": [CARD.pieces[mate] for mate in which], "cells": cells})

    may_go = {mate for i, mate in enumerate(fit.others) if any(taken >> i & 1 for taken in fit.sets)}
    taken = [mate for mate in fit.others if mate in takes]
    left = [mate for mate in fit.others if mate not in takes and mate in may_go]
    stuck = [mate for mate in fit.others if mate not in may_go]
    events = []
    for treasure in TREASURES_OF[card]:
        found = [mate for mate in fit.others if like_treasure(card, mate) == treasure]
        name = TREASURE_NAMES[treasure]
        them = f"{NUMBERS[1 + len(found)]} {PLURALS.get(name, name + 's')}"
        text = f"{cast.does(seat, 'connect')} {them}."
        events.append(event("connect", "LAB-04", text, found, treasure=name))
    events.append(event("take", "LAB-05", f"{cast.does(seat, 'take')} {named(taken)}.", taken))
    for mate in taken:
        name = TREASURE_NAMES[like_treasure(card, mate)]
        path = [write_cell(one) for one in _way(before, card, rotation, cell, cell_of(before, mate))]
        text = f"The path from {name} to {name} leads over {plural(len(path), 'card')}."
        turned = int(before.rotation[mate])
        events.append(event("path", "LAB-05", text, [mate], treasure=name, rotation=turned, way=path))
    events += [
        event("leave", "LAB-06", f"{cast.does(seat, 'leave')} {named(left)}.", left),
        event("stay", "LAB-07", f"{capital(named(stuck))} must stay for the labyrinth to hold.", stuck),
    ]
    return [told for told in events if told.data["cards"]]


def _way(before: Any, card: int, rotation: int, start: Cell, goal: Cell) -> list[Cell]:
    """The shortest path from the card placed to another that it is connected with, both of them included."""
    sides = {cell: OPEN[other][before.rotation[other]] for cell, other in board_of(before).items()}
    sides[start] = OPEN[card][rotation]
    came_from, walk = {start: start}, [start]
    for here in walk:
        for side, there in enumerate(near(here)):
            if sides[here] >> side & sides.get(there, 0) >> (side ^ 2) & 1 and there not in came_from:
                came_from[there] = here
                walk.append(there)
    found = [goal]
    while found[-1] != start:
        found.append(came_from[found[-1]])
    return found[::-1]


def _draw(before: Any, seat: int, after: Any, cast: Cast) -> Event:
    if after.seat != seat:
        return Event("draw", f"{cast.does(seat, 'draw')} a card.", "LAB-09", seat)
    (drawn,) = {*after.hands.tolist()} - {*before.hands.tolist()}
    text = f"{cast.does(seat, 'draw')} {CARD.say(drawn)}."
    return Event("draw", text, "LAB-09", seat, {"card": CARD.pieces[drawn]})


def _end(after: Any, cast: Cast) -> Event:
    closed = after.ended == CLOSED
    why = "No path leads out of the labyrinth any more" if closed else "All cards are played"
    scores = [_score(after, seat) for seat in range(after.players)]
    winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
    most = plural(max(scores), "card")
    if len(winners) == 1:
        said = f"{cast.does(winners[0], 'win', inside=True)} with {most}"
    else:
        said = f"{cast.all(winners, inside=True)} share the win with {most} each"
    rule = "LAB-11" if closed else "LAB-10"
    return Event("end", f"{why}: {said}.", rule, None, {"scores": scores})


def _score(v: Any, seat: int) -> int:
    return int((v.lies == TAKEN + seat).sum())
