"""How people read and write Ariadne's Thread: cards, cells and moves, deals, what happened, what a chair sees."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from clew.core import SEATS, Cast, Event, IllegalMove, deals, listing, plural, quoted, suited
from clew.games.ariadne import rules
from clew.games.ariadne.shapes import AriadneTable, Box, Group, Joker, Score, Seat, Tableau
from clew.games.ariadne.tableau import (
    APART,
    BOTTOM,
    CELLS,
    CENTRE,
    GRID,
    JOKER,
    LEFT,
    NOW,
    OUTSIDE,
    OWN,
    PAST,
    RIGHT,
    SPAN,
    TAKEN,
    TOP,
)

PLAY, SWAP, MOVE_JOKER = rules.PLAY, rules.SWAP, rules.MOVE_JOKER

COLOURS: tuple[Literal["black", "red"], ...] = ("black", "red")
RANKS = "A23456789JQK"
CARD_NAMES = ("", *(rank + suit for suit in "SCHD" for rank in RANKS), "Joker")
SPOKEN = ("", *(f"the {suited(name)}" for name in CARD_NAMES[1:-1]), "the Joker")
CARDS = {name: card for card, name in enumerate(CARD_NAMES)}
DECKS = (CARD_NAMES[1 : 1 + OWN], CARD_NAMES[1 + OWN : 1 + 2 * OWN])
MINOTAUR, THESEUS = "the Minotaur", "Theseus"
FARTHEST = SPAN - 1  # from the Joker's first cell, which never empties

NUMBER = r"(0|-?[1-9][0-9]?)"
MOVE = re.compile(rf"([{RANKS}][SCHD])(@| swap | joker ){NUMBER},{NUMBER}")
NEAR = {  # in which direction from a card the cell lies, and how that is said; sides before corners
    (1, 0): "right of",
    (-1, 0): "left of",
    (0, 1): "below",
    (0, -1): "above",
    (1, 1): "below and right of",
    (-1, 1): "below and left of",
    (1, -1): "above and right of",
    (-1, -1): "above and left of",
}
ACTIONS = ("@", " swap ", " joker ")


# Moves


def write(move: int, v: Any) -> str:
    """The written form of a move: 7S@1,-2 or 7S swap 3,0 or 7S joker 3,0."""
    action, card, cell = _parts(move)
    return f"{CARD_NAMES[card]}{ACTIONS[action]}{_cell(cell)}"


def parse(text: str, v: Any) -> int:
    """The move that is written so."""
    found = MOVE.fullmatch(text)
    if not found:
        raise IllegalMove(
            "COM-06", f"{quoted(text)} is not a move; moves are written like 7S@1,-2 or 7S swap 3,0 or 7S joker 3,0."
        )
    x, y = int(found[3]), int(found[4])
    if max(abs(x), abs(y)) > FARTHEST:
        raise IllegalMove(
            "ARI-12", f"That is more than {FARTHEST} cells from where the Joker began: no card ever gets there."
        )
    use = ACTIONS.index(found[2]) * JOKER + CARDS[found[1]]
    return use * CELLS + (y + CENTRE) * GRID + x + CENTRE


def _parts(move: int) -> tuple[int, int, int]:
    use, cell = divmod(move, CELLS)
    return *divmod(use, JOKER), cell


def _at(cell: int) -> tuple[int, int]:
    row, column = divmod(int(cell), GRID)
    return column - CENTRE, row - CENTRE


def _cell(cell: int) -> str:
    return "{},{}".format(*_at(cell))


def _number(card: int) -> int:
    return RANKS.index(CARD_NAMES[card][0]) + 1


def _high(card: int) -> int:
    return rules.ACE_HIGH if _number(card) == 1 else _number(card)


def say(move: int, v: Any) -> tuple[str, str]:
    """A move for people: the card, what it does, and beside which card it or the other one comes to lie."""
    action, card, cell = _parts(move)
    name, where = SPOKEN[card], _beside(cell, _laid(v, action, card))
    if action == PLAY:
        return f"{suited(CARD_NAMES[card])} {where}", f"play {name} {where}"
    if action == MOVE_JOKER:
        short = f"{suited(CARD_NAMES[card])} for the Joker, which goes {where}"
        return short, f"put {name} in the Joker's place; the Joker is turned over and goes {where}"
    out = SPOKEN[abs(int(v.tableau[NOW, v.last]))] or "the last card"
    short = f"{suited(CARD_NAMES[card])} for {out}, which goes {where}"
    return short, f"swap {name} for {out}, which is turned face down and goes {where}"


def _laid(v: Any, action: int, card: int) -> list[int]:
    """The tableau while a card is moved: one that is played into the place of another lies there already."""
    cards: list[int] = v.tableau[NOW].tolist()
    if action != PLAY:
        cards[int(v.last if action == SWAP else v.joker[NOW])] = card
    return cards


def _beside(cell: int, cards: Sequence[int]) -> str:
    """Where a cell is, by a card that touches it: right of the queen of hearts."""
    row, column = divmod(int(cell), GRID)
    for (x, y), how in NEAR.items():
        at, beside = row - y, column - x
        if 0 <= at < GRID and 0 <= beside < GRID and cards[at * GRID + beside]:
            return f"{how} {SPOKEN[abs(cards[at * GRID + beside])]}"
    return "apart from all others"


def explain(reason: int, move: int, v: Any) -> tuple[str, str]:
    """The rule that a refused move breaks, and how."""
    action, card, cell = _parts(move)
    name = SPOKEN[card]
    if reason == rules.NO_ACTION:
        return "ARI-04", "A turn is one of three actions: play a card, swap out the last card, move the Joker."
    if reason == rules.NOT_YOURS:
        return "ARI-01", f"{_start(name)} is not one of your {COLOURS[v.seat]} cards."
    if reason == rules.NOT_IN_HAND:
        place = "lies on the tableau already" if card in abs(v.tableau[NOW]) else "is still in your deck"
        return ("ARI-05", "ARI-06", "ARI-07")[action], f"You do not hold {name}: it {place}."
    if reason == rules.NO_LAST_CARD:
        return "ARI-08", "No card has been played in this round: there is none to swap out."
    if reason in (rules.NOT_HIGHER, rules.DIVIDES, rules.ONE_LESS):
        return "ARI-09", _too_weak(reason, card, int(v.tableau[NOW, v.last]))
    if reason == rules.SAME_PLACE:
        if action == SWAP:
            return "ARI-06", f"{_start(name)} takes that place: the card swapped out moves to another cell."
        return "ARI-07", f"{_start(name)} takes that place: the Joker moves to another cell."
    if reason == TAKEN:
        return "ARI-11", f"{_start(SPOKEN[abs(v.tableau[NOW, cell])])} lies there already."
    if reason == OUTSIDE:
        return "ARI-12", f"A card there would make the tableau wider or higher than {SPAN} cells."
    assert reason == APART
    return "ARI-10", "No card lies beside that place, not even at a corner."


def _too_weak(reason: int, card: int, last: int) -> str:
    name, other, high, low = _start(SPOKEN[card]), SPOKEN[last], _high(card), _number(last)
    if low == 1:
        return "The last card is an ace, and an ace is never swapped out."
    if reason == rules.NOT_HIGHER:
        return f"{name} is not higher than {other}."
    if reason == rules.DIVIDES:
        return f"{name} does not outrank {other}: {low} divides {high}."
    return f"{name} does not outrank {other}: {low} is just one below {high}."


def _start(text: str) -> str:
    """The same at the start of a sentence."""
    return text[0].upper() + text[1:]


# Deals


def write_deal(s: Any) -> dict[str, str]:
    """The decks of each round, as they are drawn."""
    return {
        f"{colour} {played + 1}": " ".join(CARD_NAMES[card] for card in s.deck[played, seat])
        for played in range(s.max_rounds)
        for seat, colour in enumerate(COLOURS)
    }


def read_deal(lines: Mapping[str, str], s: Any) -> None:
    """Deal as written."""
    keys = {
        f"{colour} {played + 1}": (played, seat)
        for played in range(s.max_rounds)
        for seat, colour in enumerate(COLOURS)
    }
    deals.same_keys(lines, keys)
    for key, (played, seat) in keys.items():
        found = deals.pieces(lines, key, OWN, DECKS[seat])
        deals.exactly({key: found}, dict.fromkeys(DECKS[seat], 1))
        s.deck[played, seat] = [CARDS[card] for card in found]


# What happened


def tell(before: Any, seat: int | None, move: int | None, after: Any, cast: Cast) -> list[Event]:
    """A turn as a chair saw it: the action, the card drawn; after the last one the threads, the Joker, the scores."""
    if before is None or seat is None or move is None:
        colours = f"{cast.does(0, 'play')} the black cards, {cast.whom(1)} the red ones."
        return [Event("deal", colours, "ARI-01"), *_begin(after, cast)]
    events = _act(before, seat, move, cast)
    if before.deck_left[seat]:
        events.append(_draw(before, seat, move, after, cast))
    if before.turns + 1 < rules.TURNS:
        return events + _grown(before, after)
    events += _round(before, after, cast)
    if not after.ended:
        events += _begin(after, cast)
    return events


def _begin(v: Any, cast: Cast) -> list[Event]:
    first = int(v.round_number - 1) & 1
    joker = _joker(v, NOW)
    text = f"Round {v.round_number}: the Joker lies face {joker['face']} in the centre, {joker['name']}."
    events = [Event("round", text, "ARI-02", None, {"round": int(v.round_number), "joker": joker})]
    for seat in range(2):
        cards = _names(v.hand) if seat == v.seat else []
        drawn = listing([SPOKEN[CARDS[card]] for card in cards]) if cards else plural(rules.HAND, "card")
        text = f"{cast.does(seat, 'draw')} {drawn}."
        events.append(Event("hand", text, "ARI-03", seat, {"cards": cards} if cards else {}))
    return [*events, Event("first", f"{cast.does(first, 'play')} first.", "ARI-03", first)]


def _act(before: Any, seat: int, move: int, cast: Cast) -> list[Event]:
    action, card, cell = _parts(move)
    name, spoken, goal = CARD_NAMES[card], SPOKEN[card], list(_at(cell))
    where = _beside(cell, _laid(before, action, card))
    if action == PLAY:
        data = {"card": name, "cell": goal}
        return [Event("play", f"{cast.does(seat, 'play')} {spoken} {where}.", "ARI-05", seat, data)]
    place = int(before.last if action == SWAP else before.joker[NOW])
    data = {"card": name, "cell": list(_at(place))}
    if action == SWAP:
        last = int(before.tableau[NOW, place])
        out = SPOKEN[last]
        ranks = f"{_high(card)} against {_number(last)}"
        text = f"{cast.whose(seat)} {suited(name)} outranks {out}, {ranks}, and takes its place."
        turned = f"{_start(out)} goes {where}, face down."
        moved = Event("turn", turned, "ARI-06", seat, {"card": CARD_NAMES[last], "cell": goal})
        return [Event("swap", text, "ARI-09", seat, data), moved]
    flipped = f"{THESEUS}, face up" if before.tableau[NOW, place] < 0 else f"{MINOTAUR}, face down"
    text = f"{cast.does(seat, 'put')} {spoken} in the Joker's place."
    moved = Event("flip", f"The Joker goes {where} as {flipped}.", "ARI-02", seat, {"card": "Joker", "cell": goal})
    return [Event("joker", text, "ARI-07", seat, data), moved]


def _draw(before: Any, seat: int, move: int, after: Any, cast: Cast) -> Event:
    data = {"deck": int(after.deck_left[seat])}
    tail = "" if after.deck_left[seat] else ", the last of the deck"
    if after.seat != seat:
        return Event("draw", f"{cast.does(seat, 'draw')} a card{tail}.", "ARI-04", seat, data)
    (drawn,) = set(_names(after.hand)) - set(_names(before.hand))
    text = f"{cast.does(seat, 'draw')} {SPOKEN[CARDS[drawn]]}{tail}."
    return Event("draw", text, "ARI-04", seat, {"card": drawn, **data})


def _grown(before: Any, after: Any) -> list[Event]:
    """ARI-12: tell when the tableau has reached its full width or height."""
    events = []
    for low, high, letter, size, ends_are in (
        (LEFT, RIGHT, "x", "wide", "left or right"),
        (TOP, BOTTOM, "y", "high", "up or down"),
    ):
        was, now = (int(v.box[NOW, high] - v.box[NOW, low]) + 1 for v in (before, after))
        if was < now == SPAN:
            ends = [int(after.box[NOW, side]) - CENTRE for side in (low, high)]
            text = f"The tableau is {SPAN} cells {size} now: it grows no further {ends_are}."
            events.append(Event("window", text, "ARI-12", None, {letter: ends}))
    return events


def _round(before: Any, after: Any, cast: Cast) -> list[Event]:
    """The end of a round: its threads, the Joker, the scores, and what follows."""
    when, played = NOW if after.ended else PAST, int(before.round_number)
    events = [Event("round_end", f"All cards of round {played} are on the tableau.", "ARI-13", None, {"round": played})]
    threads = [group for group in _groups(after, when) if group["thread"]]
    for thread in threads:
        size, seat = len(thread["cards"]), thread["seat"]
        cards = listing([SPOKEN[CARDS[card]] for card in thread["cards"]])
        text = f"{cast.whose(seat)} thread of {size} is worth {thread['points']}: {cards}."
        events.append(Event("thread", text, "ARI-14", seat, {**thread}))
    scores = [_score(after.score[played - 1, seat]) for seat in range(2)]
    events += _joker_did(_joker(after, when)["name"], threads, scores, cast)
    totals = [_total(after, seat) for seat in range(2)]
    text = f"Round {played}: {_versus([score['score'] for score in scores], cast)}; in all {_versus(totals, cast)}."
    events.append(Event("score", text, "ARI-15", None, {"round": played, "scores": scores, "totals": totals}))
    data = {"scores": totals}
    if after.ended == rules.DRAW:
        text = f"After {plural(played, 'round')} both have {totals[0]}: the game is a draw."
        events.append(Event("end", text, "ARI-18", None, data))
    elif after.ended:
        winner = 0 if totals[0] > totals[1] else 1
        by = f"{totals[winner]} to {totals[1 - winner]} after {plural(played, 'round')}"
        text = f"{cast.does(winner, 'win')} by {by}."
        events.append(Event("end", text, "ARI-17", winner, data))
    elif played >= after.rounds:
        events.append(Event("extra", f"Both have {totals[0]}: another round is played.", "ARI-17", None, data))
    return events


def _joker_did(name: str, threads: list[Group], scores: list[Score], cast: Cast) -> list[Event]:
    name = name[0].upper() + name[1:]
    events = []
    for seat, score in enumerate(scores):
        beside = sum(thread["joker"] for thread in threads if thread["seat"] == seat)
        if beside:
            points = f"{plural(abs(score['joker']), 'point')} {'off' if score['joker'] < 0 else 'more'}"
            whose = f"{cast.whose(seat, inside=True)} {'thread' if beside == 1 else f'{beside} threads'}"
            text = f"{name} lies beside {whose}: {points}."
            events.append(Event("joker_score", text, "ARI-16", seat, {"points": score["joker"]}))
    return events or [Event("joker_score", f"{name} lies beside no thread.", "ARI-16", None, {"points": 0})]


def _versus(numbers: list[int], cast: Cast) -> str:
    return ", ".join(f"{cast.whom(seat)} {count}" for seat, count in enumerate(numbers))


# What a chair sees


def describe(v: Any) -> AriadneTable:
    """The table as plain data."""
    free = v.free.tolist()
    now = _tableau(v, NOW)
    return {
        "phase": "over" if v.ended else "play",
        "round": int(v.round_number),
        "rounds": int(v.rounds),
        "max_rounds": int(v.max_rounds),
        "extra": bool(v.round_number > v.rounds),
        "first": int(v.round_number - 1) & 1,
        "turns": int(v.turns),
        "turns_left": rules.TURNS - int(v.turns),
        "thread_min": int(v.thread_min),
        "hand": _names(v.hand),
        "last": next((card for card in now["cells"] if card["last"]), None),
        "window": _sides(v.window),
        "free": [list(_at(cell)) for cell in range(CELLS) if free[cell // GRID] >> cell % GRID & 1],
        "tableau": now,
        "previous": {"round": int(v.round_number) - 1, **_tableau(v, PAST)} if v.round_number > 1 else None,
        "seats": [_seat(v, seat) for seat in range(2)],
    }


def own(v: Any) -> dict[str, Any]:
    """What of the table differs by who looks."""
    return {"hand": _names(v.hand), "seats": [_seat(v, seat) for seat in range(2)]}


def _tableau(v: Any, when: int) -> Tableau:
    last = v.last if when == NOW else 0
    return {
        "cells": [
            {
                "x": cell % GRID - CENTRE,
                "y": cell // GRID - CENTRE,
                "card": CARD_NAMES[abs(card)],
                "seat": None if abs(card) == JOKER else _owner(card),
                "face": "up" if card > 0 else "down",
                "group": group or None,
                "last": bool(cell == last),
            }
            for cell, (card, group) in enumerate(zip(v.tableau[when].tolist(), v.group[when].tolist(), strict=True))
            if card
        ],
        "box": _sides(v.box[when]),
        "joker": _joker(v, when),
        "groups": _groups(v, when),
    }


def _joker(v: Any, when: int) -> Joker:
    x, y = _at(v.joker[when])
    up = v.tableau[when, v.joker[when]] > 0
    return {"x": x, "y": y, "face": "up" if up else "down", "name": THESEUS if up else MINOTAUR}


def _groups(v: Any, when: int) -> list[Group]:
    """The side-connected cards of one colour: threads, and what could become one."""
    cells: dict[int, list[int]] = {}
    for cell, group in enumerate(v.group[when].tolist()):
        if group:
            cells.setdefault(group, []).append(cell)
    cards, points, threads = v.tableau[when].tolist(), v.points[when].tolist(), v.thread[when].tolist()
    return [
        {
            "group": group,
            "seat": _owner(cards[cells[group][0]]),
            "cells": [list(_at(cell)) for cell in cells[group]],
            "cards": [CARD_NAMES[abs(cards[cell])] for cell in cells[group]],
            "points": points[group - 1],
            "thread": threads[group - 1] > 0,
            "joker": threads[group - 1] == 2,
        }
        for group in sorted(cells)
    ]


def _owner(card: int) -> int:
    return (abs(card) - 1) // OWN


def _seat(v: Any, seat: int) -> Seat:
    seen = {CARD_NAMES[abs(card)] for card in v.tableau[NOW].tolist()}
    unseen = [card for card in DECKS[seat] if card not in seen]
    played = int(v.round_number) if v.ended else int(v.round_number) - 1
    return {
        "name": SEATS[seat],
        "colour": COLOURS[seat],
        "cards": len(unseen) - int(v.deck_left[seat]),
        "deck": int(v.deck_left[seat]),
        "unseen": [card for card in unseen if card not in _names(v.hand)],
        "rounds": [_score(v.score[i, seat]) for i in range(played)],
        "now": _score(v.now[seat]),
        "score": _total(v, seat),
    }


def _score(points: Any) -> Score:
    threads, joker = int(points[rules.OF_THREADS]), int(points[rules.OF_JOKER])
    return {"threads": threads, "joker": joker, "score": threads + joker}


def _total(v: Any, seat: int) -> int:
    return int(v.score[:, seat].sum())


def _names(cards: Any) -> list[str]:
    return [CARD_NAMES[card] for card in cards.tolist() if card]


def _sides(box: Any) -> Box:
    left, right, top, bottom = (int(box[side]) - CENTRE for side in (LEFT, RIGHT, TOP, BOTTOM))
    return {"left": left, "right": right, "top": top, "bottom": bottom}
