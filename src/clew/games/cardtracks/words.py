"""How people read and write Cardtracks: cards and moves, deals, what happened, what a chair sees."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, get_args

from clew.core import SEATS, Cast, Event, IllegalMove, deals, listing, plural, quoted, suited
from clew.games.cardtracks import rules
from clew.games.cardtracks.rules import ALL_WON, FACE_DOWN, KEEP, NUMBERS, PLACE
from clew.games.cardtracks.shapes import CardtracksTable, Colour, Flip, Lane, Seat, Track, Waiting

SUITS = "SHDC"
RANK_LETTERS = "A23456789TJQK"
TRACK_COLOURS = get_args(Colour)  # Blue and Red are the players
CARD_NAMES = ("", *(rank + suit for suit in SUITS for rank in RANK_LETTERS))  # by the card's number

SPOKEN = tuple(map(suited, CARD_NAMES))

MOVE = re.compile(r"(>|spare )([1-9])|keep")


# Moves


def write(move: int, v: Any) -> str:
    """The written form of a move: >2, keep, spare 2."""
    action, number = divmod(move, NUMBERS)
    return f">{number}" if action == PLACE else "keep" if move == KEEP else f"spare {number}"


def parse(text: str, v: Any) -> int:
    """The move that is written so."""
    found = MOVE.fullmatch(text)
    if not found:
        raise IllegalMove("COM-06", f"{quoted(text)} is not a move; moves are written like >2, keep or spare 2.")
    if text == "keep":
        return KEEP
    return int(found[2]) + (PLACE * NUMBERS if found[1] == ">" else KEEP)


def say(move: int, v: Any) -> tuple[str, str]:
    """A move for people: the card and its track, and where it comes to lie."""
    action, number = divmod(move, NUMBERS)
    if move == KEEP:
        return "leave the spare face down", "keep the winning cards as they are, and leave the spare face down"
    if action != PLACE:
        return f"spare for track {number}", f"turn over the spare in place of the winning card of track {number}"
    card = SPOKEN[v.deck[v.seat, v.flips - 1]]
    landing = v.landing.tolist()
    step = landing[number - 1] if number <= len(landing) else 0
    where = "there"
    if step:
        where = "where it reaches the centre" if step == v.track_length else f"on step {step}"
    return f"{card} to track {number}", f"put the {card} on track {number}, {where}"


def explain(reason: int, move: int, v: Any) -> tuple[str, str]:
    """The rule that a refused move breaks, and how."""
    action, number = divmod(move, NUMBERS)
    if reason == rules.NO_TRACK:
        rule = "CAR-06" if action == PLACE else "CAR-10"
        return rule, f"There is no track {number}; the tracks are 1 to {v.tracks}."
    if reason == rules.CLOSED:
        who = "you have" if v.won_by[number - 1] == 1 + v.seat else "the other player has"
        return "CAR-09", f"Track {number} is closed: {who} won it. Put the card on another one."
    if reason == rules.PLACE_NOW:
        card = SPOKEN[v.deck[v.seat, v.flips - 1]]
        return "CAR-10", f"The spare comes in at the end; now the {card} goes on a track."
    if reason == rules.CHOOSE_NOW:
        return "CAR-10", "No more cards go on the tracks; now you choose whether the spare replaces a winning card."
    who = "the other player" if v.won_by[number - 1] else "nobody"
    return "CAR-10", f"A spare replaces a card of its owner's tracks, but {who} has won track {number}."


# Deals


def write_deal(s: Any) -> dict[str, str]:
    """The deal, line by line."""
    lines = {}
    for seat in range(2):
        lines[f"centre {seat}"] = _cards(s.centre[seat])
        lines[f"spare {seat}"] = CARD_NAMES[s.spare[seat]]
        lines[f"deck {seat}"] = _cards(s.deck[seat])
    return lines


def _cards(cards: Any) -> str:
    return " ".join(CARD_NAMES[card] for card in cards if card != FACE_DOWN)


def read_deal(lines: Mapping[str, str], s: Any) -> None:
    """Deal as written; each player's cards are a deck of their own."""
    tracks = int(s.tracks)
    sizes = {"centre": tracks, "spare": 1, "deck": rules.CARDS - tracks - 1}
    deals.same_keys(lines, [f"{place} {seat}" for seat in range(2) for place in sizes])
    for seat in range(2):
        keys = {f"{place} {seat}": size for place, size in sizes.items()}
        dealt = {key: deals.pieces(lines, key, size, CARD_NAMES[1:]) for key, size in keys.items()}
        deals.exactly(dealt, dict.fromkeys(CARD_NAMES[1:], 1))
        centre, spare, deck = ([CARD_NAMES.index(card) for card in cards] for cards in dealt.values())
        s.centre[seat, : len(centre)] = centre
        s.spare[seat] = spare[0]
        s.deck[seat, : len(deck)] = deck


# What happened


def tell(before: Any, seat: int | None, move: int | None, after: Any, cast: Cast) -> list[Event]:
    """A move as a chair saw it: the card or the choice, the next cards turned over, the end."""
    if before is None or seat is None:
        events = _opening(after, cast)
    elif before.choosing:
        events = [] if after.ended else [_choice(seat, move, after, cast)]
    else:
        events = _placing(before, seat, after, cast)
    turned = range(0 if before is None else before.flips, after.flips)
    events += [_flip(after, i, cast) for i in turned]
    if after.choosing and (before is None or not before.choosing):
        events += _choosing(after, cast)
    if after.ended:
        events += [_shown(after, player, cast) for player in range(2) if after.choice[player]]
        events.append(_end(after, cast))
    return events


def _opening(after: Any, cast: Cast) -> list[Event]:
    tracks, left = int(after.tracks), int(after.deck_left + after.flips)
    laid = f"Each lays a card face down at the centre of each of the {tracks} tracks, and a spare beside them."
    return [
        Event("shuffle", f"{cast.do((0, 1), 'shuffle')} a deck of 52 cards each.", "CAR-01"),
        Event("lay", laid, "CAR-02", None, {"tracks": tracks}),
        Event("decks", f"Each has {left} cards left to turn over.", "CAR-03", None, {"left": left}),
    ]


def _flip(after: Any, i: int, cast: Cast) -> Event:
    flip = _turned(after, i)
    winner, cards = flip["winner"], flip["cards"]
    text = f"{cast.does(0, 'turn')} over the {suited(cards[0])}, {cast.whom(1)} the {suited(cards[1])}; "
    data = {"cards": cards, "winner": winner}
    if winner is None:
        return Event("tie", text + "they are equal, and both are discarded.", "CAR-05", None, data)
    if _aces(*cards):
        beats = "only a two beats an ace" if _aces(cards[winner]) else "a two beats an ace"
        return Event("flip", f"{text}{beats}, so {cast.does(winner, 'play', inside=True)}.", "CAR-05", winner, data)
    return Event("flip", f"{text}{cast.does(winner, 'win', inside=True)} the flip.", "CAR-04", winner, data)


def _aces(*cards: str) -> bool:
    return any(card[0] == "A" for card in cards)


def _placing(before: Any, seat: int, after: Any, cast: Cast) -> list[Event]:
    at = before.flips - 1
    number, step = divmod(int(after.placed[at]), NUMBERS)
    track = number - 1
    card, last = CARD_NAMES[after.deck[seat, at]], CARD_NAMES[before.last[seat, track]]
    put = f"{cast.does(seat, 'put')} the {suited(card)} on track {number}"
    data: dict[str, Any] = {"card": card, "track": number, "step": step}
    if before.step[seat, track] == 0:
        event = Event(
            "step", f"{cast.does(seat, 'begin')} on track {number} with the {suited(card)}.", "CAR-06", seat, data
        )
    elif before.step[seat, track] < step:
        text = f"{put} after the {suited(last)} and {cast.verb(seat, 'step')} to {step}."
        event = Event("step", text, "CAR-08" if _aces(card, last) else "CAR-07", seat, data)
    else:
        data["covers"] = _lane(before, track, seat)["last"]
        not_above = "" if data["covers"] == last else f", not above the {suited(last)},"
        text = f"{put}{not_above} and {cast.verb(seat, 'cover')} the {suited(data['covers'])} on step {step}."
        event = Event("cover", text, "CAR-07", seat, data)
    if not after.won_by[track]:
        return [event]
    data = {"track": number, "card": CARD_NAMES[after.centre[seat, track]], "points": int(after.points[track])}
    won = f"{cast.does(seat, 'win')} track {number} and {cast.verb(seat, 'turn')} over the {suited(data['card'])}"
    text = f"{won}: {_points(data['points'])}."
    return [event, Event("won", text, "CAR-09", seat, data)]


def _points(points: int) -> str:
    return "minus 1 point" if points == -1 else plural(points, "point")


def _choosing(after: Any, cast: Cast) -> list[Event]:
    events = []
    left = [track + 1 for track in range(after.tracks) if not after.won_by[track]]
    if left:
        tracks = f"{'track' if len(left) == 1 else 'tracks'} {listing([str(number) for number in left])}"
        text = f"The decks have run out: {tracks} {'counts' if len(left) == 1 else 'count'} for nobody."
        events.append(Event("out", text, "CAR-13", None, {"left": 0, "tracks": left}))
    seats = [seat for seat in range(2) if after.owing >> seat & 1]
    if seats:
        text = f"{cast.do(seats, 'choose')} whether the spare replaces a winning card."
        events.append(Event("choosing", text, "CAR-10", None, {"seats": seats}))
    return events


def _choice(seat: int, move: int | None, after: Any, cast: Cast) -> Event:
    if move is None:
        return Event("chosen", f"{cast.does(seat, 'have')} chosen.", "CAR-10", seat)
    text = "leave the spare face down" if move == KEEP else f"turn over the spare for track {move - KEEP}"
    return Event("chosen", f"{cast.who(seat)} will {text}.", "CAR-10", seat, {"choice": write(move, after)})


def _shown(after: Any, seat: int, cast: Cast) -> Event:
    choice = int(after.choice[seat])
    number = choice - KEEP
    data: dict[str, Any] = {"choice": write(choice, after)}
    if choice == KEEP:
        return Event("keep", f"{cast.does(seat, 'leave')} the spare face down.", "CAR-10", seat, data)
    data |= {"track": number, "card": CARD_NAMES[after.spare[seat]], "points": int(after.points[number - 1])}
    replaced = f"the {SPOKEN[after.centre[seat, number - 1]]} on track {number}"
    spare = f"{cast.does(seat, 'turn')} over the spare, the {SPOKEN[after.spare[seat]]}"
    text = f"{spare}, in place of {replaced}: {_points(data['points'])}."
    return Event("spare", text, "CAR-10", seat, data)


def _end(after: Any, cast: Cast) -> Event:
    scores, tracks = [_score(after, seat) for seat in range(2)], [_tracks(after, seat) for seat in range(2)]
    why = "All tracks are won" if after.ended == ALL_WON else "The decks are empty"
    data = {"scores": scores, "tracks": tracks}
    if scores[0] != scores[1]:
        winner = 0 if scores[0] > scores[1] else 1
        text = f"{why}: {cast.does(winner, 'win', inside=True)} by {scores[winner]} to {scores[1 - winner]}."
        return Event("end", text, "CAR-11", winner, data)
    if tracks[0] != tracks[1]:
        winner = 0 if tracks[0] < tracks[1] else 1
        text = f"{why}: both have {scores[0]}, and {cast.does(winner, 'win', inside=True)} with fewer tracks."
        return Event("end", text, "CAR-12", winner, data)
    text = f"{why}: a draw at {scores[0]}, with {plural(tracks[0], 'track')} each."
    return Event("end", text, "CAR-13", None, data)


def _score(v: Any, seat: int) -> int:
    return int(v.points[v.won_by == 1 + seat].sum())


def _tracks(v: Any, seat: int) -> int:
    return int((v.won_by == 1 + seat).sum())


# What a chair sees


def describe(v: Any) -> CardtracksTable:
    """The table as plain data."""
    return {
        "phase": "over" if v.ended else "choose" if v.choosing else "place",
        "track_length": int(v.track_length),
        "deck": int(v.deck_left),
        "flip": _waiting(v),
        "flips": [_turned(v, i) for i in range(v.flips)],
        "tracks": [_track(v, track) for track in range(v.tracks)],
        "seats": [_seat(v, seat) for seat in range(2)],
    }


def own(v: Any) -> dict[str, Any]:
    """What of the table differs by who looks: a choice that the other does not know yet."""
    return {"seats": [_seat(v, seat) for seat in range(2)]} if v.choosing else {}


def _waiting(v: Any) -> Waiting | None:
    """The card that goes on a track now, and on which step of each open track it would lie."""
    if v.choosing:
        return None
    cards, winner = _turned(v, v.flips - 1)["cards"], int(v.winner[v.flips - 1]) - 1
    return {
        "seat": winner,
        "card": cards[winner],
        "beaten": cards[1 - winner],
        "landing": [int(step) or None for step in v.landing[: v.tracks]],
    }


def _turned(v: Any, i: int) -> Flip:
    number, step = divmod(int(v.placed[i]), NUMBERS)
    return {
        "cards": [CARD_NAMES[card] for card in v.deck[:, i]],
        "winner": int(v.winner[i]) - 1 if v.winner[i] else None,
        "track": number or None,  # where it was put
        "step": step or None,
    }


def _track(v: Any, track: int) -> Track:
    winner = int(v.won_by[track]) - 1 if v.won_by[track] else None
    card = FACE_DOWN
    if winner is not None:
        replaced = v.ended and v.choice[winner] == KEEP + track + 1
        card = v.spare[winner] if replaced else v.centre[winner, track]
    return {
        "number": track + 1,
        "colour": TRACK_COLOURS[track],
        "winner": winner,
        "card": CARD_NAMES[card] or None,  # the one that counts: from the centre, or the spare in its place
        "points": None if winner is None else int(v.points[track]),
        "lanes": [_lane(v, track, seat) for seat in range(2)],
    }


def _lane(v: Any, track: int, seat: int) -> Lane:
    steps: list[list[str]] = [[] for _ in range(v.step[seat, track])]
    for i in range(v.flips):
        number, step = divmod(int(v.placed[i]), NUMBERS)
        if number == track + 1 and v.winner[i] == 1 + seat:
            steps[step - 1].append(CARD_NAMES[v.deck[seat, i]])
    return {
        "step": len(steps),
        "steps": steps,  # the cards on each step, the last on top
        "last": steps[-1][-1] if steps else None,
        "compared": CARD_NAMES[v.last[seat, track]] if steps else None,  # what the next card must beat to step
        "centre": CARD_NAMES[v.centre[seat, track]] or None,
    }


def _seat(v: Any, seat: int) -> Seat:
    lost = [card for card, winner in zip(v.deck[seat], v.winner[: v.flips]) if winner != 1 + seat]
    turned = {*v.deck[seat].tolist(), *v.centre[seat].tolist(), int(v.spare[seat]), FACE_DOWN}
    return {
        "name": SEATS[seat],
        "score": _score(v, seat),
        "tracks": _tracks(v, seat),
        "chosen": bool(v.choosing and _tracks(v, seat) and not v.owing >> seat & 1),
        "choice": write(int(v.choice[seat]), v) if v.choice[seat] else None,
        "spare": CARD_NAMES[v.spare[seat]] or None,
        "discards": [CARD_NAMES[card] for card in lost],
        "unseen": [name for card, name in enumerate(CARD_NAMES) if card not in turned],  # in the deck or face down
    }
