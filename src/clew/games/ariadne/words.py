"""How people read Ariadne's Thread: cards, cells and moves, deals, what happened, what a chair sees."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from clew.core import SEATS, Cast, Event, IllegalMove, capital, deals, listing, plural, suited
from clew.core.kernels import interpreted
from clew.games.ariadne import grid, rules
from clew.games.ariadne.grid import BOTTOM, CELLS, CENTRE, GRID, JOKER, LEFT, NOW, OWN, PAST, RIGHT, SPAN, TOP
from clew.games.ariadne.rules import CARD, PLAY, SWAP
from clew.games.ariadne.shapes import AriadneTable, Box, Group, Joker, Score, Seat, Tableau

COLOURS: tuple[Literal["black", "red"], ...] = ("black", "red")
CARD_NAMES = (*CARD.names, "Joker")
SPOKEN = ("", *CARD.spoken, "the Joker")
DECKS = (CARD.pieces[:OWN], CARD.pieces[OWN:])
MINOTAUR, THESEUS = "the Minotaur", "Theseus"
FARTHEST = SPAN - 1  # from the Joker's first cell, which never empties
GOAL = re.compile(r"[A2-9JQK][SCHD](?:@| swap | joker )(0|-?[1-9][0-9]?),(0|-?[1-9][0-9]?)")
NEAR = {  # how many cells on from a card another one lies, and how that is said; sides before corners
    1: "right of",
    -1: "left of",
    GRID: "below",
    -GRID: "above",
    GRID + 1: "below and right of",
    GRID - 1: "below and left of",
    1 - GRID: "above and right of",
    -1 - GRID: "above and left of",
}
first_player, number, parts, strength = (
    interpreted(known) for known in (rules.first_player, grid.number, rules.parts, rules.strength)
)


# Moves


def parse(text: str, v: Any) -> int:
    """The move that is written so; cells that no card ever reaches are refused with a word of their own."""
    goal = GOAL.fullmatch(text)
    if goal and max(abs(int(way)) for way in goal.groups()) > FARTHEST:
        far = f"That is more than {FARTHEST} cells from where the Joker began: no card ever gets there."
        raise IllegalMove("ARI-12", far)
    return rules.MOVE.parse(text)


def say(move: int, v: Any) -> tuple[str, str]:
    """A move for people: the card, what it does, and beside which card it or the other one comes to lie."""
    action, card, cell = parts(move)
    place, where = _goes(v, action, card, cell)
    name, spoken = suited(CARD_NAMES[card]), SPOKEN[card]
    if action == PLAY:
        return f"{name} {where}", f"play {spoken} {where}"
    out = SPOKEN[abs(v.tableau[NOW, place])] or "the last card"
    short = f"{name} for {out}, which goes {where}"
    if action == SWAP:
        return short, f"swap {spoken} for {out}, which is turned face down and goes {where}"
    return short, f"put {spoken} in the Joker's place; the Joker is turned over and goes {where}"


def _goes(v: Any, action: int, card: int, cell: int) -> tuple[int, str]:
    """The cell of a card that is played, and beside which card it lies, or the one that makes way for it then does."""
    place = (cell, int(v.last), int(v.joker[NOW]))[action]
    cards = abs(v.tableau[NOW]).tolist()
    cards[place] = card
    for step, how in NEAR.items():
        if cards[cell - step]:
            return place, f"{how} {SPOKEN[cards[cell - step]]}"
    return place, "apart from all others"


def _at(cell: int) -> list[int]:
    return [int(cell) % GRID - CENTRE, int(cell) // GRID - CENTRE]


def facts(move: int, v: Any) -> dict[str, Any]:
    """What a refusal speaks of besides the card."""
    _, card, cell = parts(move)
    last = int(v.tableau[NOW, v.last])
    return {
        "colour": COLOURS[v.seat],
        "place": "lies on the tableau already" if card in abs(v.tableau[NOW]) else "is still in your deck",
        "last": SPOKEN[last],
        "low": number(last),
        "high": strength(card),
        "there": SPOKEN[abs(v.tableau[NOW, cell])],
    }


# Deals


def _decks(s: Any) -> dict[str, tuple[int, int]]:
    """The line of each deck: its round, and whose it is."""
    return {f"{colour} {i + 1}": (i, seat) for i in range(s.max_rounds) for seat, colour in enumerate(COLOURS)}


def write_deal(s: Any) -> dict[str, str]:
    """The decks of each round, as they are drawn."""
    return {key: " ".join(CARD_NAMES[card] for card in s.deck[at]) for key, at in _decks(s).items()}


def read_deal(lines: Mapping[str, str], s: Any) -> None:
    """Deal as written."""
    deals.same_keys(lines, _decks(s))
    for key, (played, seat) in _decks(s).items():
        found = deals.pieces(lines, key, OWN, DECKS[seat])
        deals.exactly({key: found}, dict.fromkeys(DECKS[seat], 1))
        s.deck[played, seat] = [CARD.codes[card] for card in found]


# What happened


def tell(before: Any, seat: int | None, move: int | None, after: Any, cast: Cast) -> list[Event]:
    """A turn as a chair saw it: the action, the card drawn; after the last one the threads, the Joker, the scores."""
    if before is None or seat is None or move is None:
        colours = f"{cast.does(0, 'play')} the black cards, {cast.whom(1)} the red ones."
        return [Event("deal", colours, "ARI-01"), *_begin(after, cast)]
    events = _act(before, seat, move, cast)
    if before.deck_count[before.round_number - 1, seat]:
        events.append(_draw(before, seat, after, cast))
    if before.turns + 1 < rules.TURNS:
        return events + _grown(before, after)
    events += _round(before, after, cast)
    if not after.ended:
        events += _begin(after, cast)
    return events


def _begin(v: Any, cast: Cast) -> list[Event]:
    first, joker = first_player(v), _joker(v, NOW)
    text = f"Round {v.round_number}: the Joker lies face {joker['face']} in the centre, {joker['name']}."
    events = [Event("round", text, "ARI-02", None, {"round": int(v.round_number), "joker": joker})]
    for seat in range(2):
        cards = _names(v.hand) if seat == v.seat else []
        drawn = listing([SPOKEN[CARD.codes[card]] for card in cards]) if cards else plural(rules.HAND, "card")
        text = f"{cast.does(seat, 'draw')} {drawn}."
        events.append(Event("hand", text, "ARI-03", seat, {"cards": cards} if cards else {}))
    return [*events, Event("first", f"{cast.does(first, 'play')} first.", "ARI-03", first)]


def _act(before: Any, seat: int, move: int, cast: Cast) -> list[Event]:
    action, card, cell = parts(move)
    place, where = _goes(before, action, card, cell)
    spoken, last = SPOKEN[card], int(before.tableau[NOW, place])
    put = {"card": CARD_NAMES[card], "cell": _at(place)}
    moved = {"card": CARD_NAMES[abs(last)], "cell": _at(cell)}
    if action == PLAY:
        return [Event("play", f"{cast.does(seat, 'play')} {spoken} {where}.", "ARI-05", seat, put)]
    if action == SWAP:
        out, ranks = SPOKEN[last], f"{strength(card)} against {number(last)}"
        text = f"{cast.whose(seat)} {suited(put['card'])} outranks {out}, {ranks}, and takes its place."
        turned = f"{capital(out)} goes {where}, face down."
        return [Event("swap", text, "ARI-09", seat, put), Event("turn", turned, "ARI-06", seat, moved)]
    text = f"{cast.does(seat, 'put')} {spoken} in the Joker's place."
    flipped = f"The Joker goes {where} as {f'{THESEUS}, face up' if last < 0 else f'{MINOTAUR}, face down'}."
    return [Event("joker", text, "ARI-07", seat, put), Event("flip", flipped, "ARI-02", seat, moved)]


def _draw(before: Any, seat: int, after: Any, cast: Cast) -> Event:
    data = {"deck": int(after.deck_count[before.round_number - 1, seat])}
    tail = "" if data["deck"] else ", the last of the deck"
    if after.seat != seat:
        return Event("draw", f"{cast.does(seat, 'draw')} a card{tail}.", "ARI-04", seat, data)
    (drawn,) = set(_names(after.hand)) - set(_names(before.hand))
    text = f"{cast.does(seat, 'draw')} {SPOKEN[CARD.codes[drawn]]}{tail}."
    return Event("draw", text, "ARI-04", seat, {"card": drawn, **data})


def _grown(before: Any, after: Any) -> list[Event]:
    """ARI-12: tell when the tableau has reached its full width or height."""
    events = []
    for low, high, axis, full in (
        (LEFT, RIGHT, "x", "wide now: it grows no further left or right"),
        (TOP, BOTTOM, "y", "high now: it grows no further up or down"),
    ):
        was, now = (int(v.box[NOW, high] - v.box[NOW, low]) + 1 for v in (before, after))
        if was < now == SPAN:
            ends = [int(after.box[NOW, side]) - CENTRE for side in (low, high)]
            events.append(Event("window", f"The tableau is {SPAN} cells {full}.", "ARI-12", None, {axis: ends}))
    return events


def _round(before: Any, after: Any, cast: Cast) -> list[Event]:
    """The end of a round: its threads, the Joker, the scores, and what follows."""
    when, played = NOW if after.ended else PAST, int(before.round_number)
    events = [Event("round_end", f"All cards of round {played} are on the tableau.", "ARI-13", None, {"round": played})]
    threads = [group for group in _groups(after, when) if group["thread"]]
    for thread in threads:
        size, seat = len(thread["cards"]), thread["seat"]
        cards = listing([SPOKEN[CARD.codes[card]] for card in thread["cards"]])
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
    name, events = capital(name), []
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
        "first": first_player(v),
        "turns": int(v.turns),
        "turns_left": rules.TURNS - int(v.turns),
        "thread_min": int(v.thread_min),
        "hand": _names(v.hand),
        "last": next((card for card in now["cells"] if card["last"]), None),
        "window": _sides(v.window),
        "free": [_at(cell) for cell in range(CELLS) if free[cell // GRID] >> cell % GRID & 1],
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
    cards, points, threads = v.tableau[when].tolist(), v.points[when].tolist(), v.thread[when].tolist()
    groups = [(v.group[when] == group + 1).nonzero()[0].tolist() for group in range(v.group[when].max())]
    return [
        {
            "group": i + 1,
            "seat": _owner(cards[cells[0]]),
            "cells": [_at(cell) for cell in cells],
            "cards": [CARD_NAMES[abs(cards[cell])] for cell in cells],
            "points": points[i],
            "thread": threads[i] > 0,
            "joker": threads[i] == 2,
        }
        for i, cells in enumerate(groups)
    ]


def _owner(card: int) -> int:
    return (abs(card) - 1) // OWN


def _seat(v: Any, seat: int) -> Seat:
    seen = {*abs(v.tableau[NOW]).tolist(), *v.hand.tolist()}
    played = int(v.round_number) if v.ended else int(v.round_number) - 1
    return {
        "name": SEATS[seat],
        "colour": COLOURS[seat],
        "cards": int(v.hand_count[seat]),
        "deck": int(v.deck_count[v.round_number - 1, seat]),
        "unseen": [card for card in DECKS[seat] if CARD.codes[card] not in seen],
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
