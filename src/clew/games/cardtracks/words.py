"""How people read Cardtracks: what a move does, what happened, what a chair sees."""

from __future__ import annotations

from typing import Any, get_args

from clew.core import SEATS, Cast, Event, listing, plural, suited
from clew.games.cardtracks.rules import ALL_WON, CARD, KEEP, MOVE, PLACE, REPLACE
from clew.games.cardtracks.shapes import CardtracksTable, Colour, Flip, Lane, Seat, Track, Waiting

TRACK_COLOURS = get_args(Colour)  # Blue and Red are the players


# Moves


def say(move: int, v: Any) -> tuple[str, str]:
    """A move for people: the card and its track, and where it comes to lie."""
    if move == KEEP:
        return "leave the spare face down", "keep the winning cards as they are, and leave the spare face down"
    if move >= REPLACE:
        number = 1 + move - REPLACE
        return f"spare for track {number}", f"turn over the spare in place of the winning card of track {number}"
    number, card = 1 + move - PLACE, _waiting_card(v)
    step = int(v.landing[number - 1]) if number <= v.tracks else 0
    where = "there" if not step else "where it reaches the centre" if step == v.track_length else f"on step {step}"
    return f"{card} to track {number}", f"put the {card} on track {number}, {where}"


def facts(move: int, v: Any) -> dict[str, Any]:
    """What a refusal speaks of besides the track."""
    number = MOVE.split(move)[1].get("track", 0)
    won_by = int(v.won_by[number - 1]) if number <= v.tracks else 0
    winner = {0: "nobody has", 1 + v.seat: "you have"}.get(won_by, "the other player has")
    return {"tracks": int(v.tracks), "winner": winner, "card": _waiting_card(v)}


def _waiting_card(v: Any) -> str:
    return CARD.say(int(v.deck[v.seat, v.flips - 1]))


# What happened


def tell(before: Any, seat: int | None, move: int | None, after: Any, cast: Cast) -> list[Event]:
    """A move as a chair saw it: the card or the choice, the next cards turned over, the end."""
    if before is None or seat is None:
        events = _opening(after, cast)
    elif before.choosing:
        events = [] if after.ended else [_choice(seat, move, cast)]
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
    tracks, left = int(after.tracks), _left(after) + int(after.flips)
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
    number, step = int(after.placed[at]), int(after.reached[at])
    track = number - 1
    card, last = CARD.names[after.deck[seat, at]], CARD.names[before.last[seat, track]]
    put = f"{cast.does(seat, 'put')} the {suited(card)} on track {number}"
    data: dict[str, Any] = {"card": card, "track": number, "step": step}
    if before.step[seat, track] == 0:
        text = f"{cast.does(seat, 'begin')} on track {number} with the {suited(card)}."
        event = Event("step", text, "CAR-06", seat, data)
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
    data = {"track": number, "card": CARD.names[after.winning[track]], "points": int(after.points[track])}
    won = f"{cast.does(seat, 'win')} track {number} and {cast.verb(seat, 'turn')} over the {suited(data['card'])}"
    return [event, Event("won", f"{won}: {_points(data['points'])}.", "CAR-09", seat, data)]


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


def _choice(seat: int, move: int | None, cast: Cast) -> Event:
    if move is None:
        return Event("chosen", f"{cast.does(seat, 'have')} chosen.", "CAR-10", seat)
    text = "leave the spare face down" if move == KEEP else f"turn over the spare for track {1 + move - REPLACE}"
    return Event("chosen", f"{cast.who(seat)} will {text}.", "CAR-10", seat, {"choice": MOVE.write(move)})


def _shown(after: Any, seat: int, cast: Cast) -> Event:
    choice = int(after.choice[seat])
    data: dict[str, Any] = {"choice": MOVE.write(choice)}
    if choice == KEEP:
        return Event("keep", f"{cast.does(seat, 'leave')} the spare face down.", "CAR-10", seat, data)
    track, card = choice - REPLACE, CARD.names[after.spare[seat]]
    data |= {"track": track + 1, "card": card, "points": int(after.points[track])}
    replaced = f"the {CARD.say(int(after.centre[seat, track]))} on track {track + 1}"
    spare = f"{cast.does(seat, 'turn')} over the spare, the {suited(card)}"
    text = f"{spare}, in place of {replaced}: {_points(data['points'])}."
    return Event("spare", text, "CAR-10", seat, data)


def _end(after: Any, cast: Cast) -> Event:
    scores, tracks = [_score(after, seat) for seat in range(2)], [_tracks(after, seat) for seat in range(2)]
    why = "All tracks are won" if after.ended == ALL_WON else "The decks are empty"
    data = {"scores": scores, "tracks": tracks}
    if scores[0] == scores[1] and tracks[0] == tracks[1]:
        text = f"{why}: a draw at {scores[0]}, with {plural(tracks[0], 'track')} each."
        return Event("end", text, "CAR-13", None, data)
    winner = 0 if (scores[0], -tracks[0]) > (scores[1], -tracks[1]) else 1
    wins = cast.does(winner, "win", inside=True)
    if scores[0] == scores[1]:
        return Event("end", f"{why}: both have {scores[0]}, and {wins} with fewer tracks.", "CAR-12", winner, data)
    return Event("end", f"{why}: {wins} by {scores[winner]} to {scores[1 - winner]}.", "CAR-11", winner, data)


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
        "deck": _left(v),
        "flip": _waiting(v),
        "flips": [_turned(v, i) for i in range(v.flips)],
        "tracks": [_track(v, track) for track in range(v.tracks)],
        "seats": [_seat(v, seat) for seat in range(2)],
    }


def own(v: Any) -> dict[str, Any]:
    """What of the table differs by who looks: a choice that the other does not know yet."""
    return {"seats": [_seat(v, seat) for seat in range(2)]} if v.choosing else {}


def _left(v: Any) -> int:
    return int(v.deck_down[0].sum())


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
    return {
        "cards": [CARD.names[card] for card in v.deck[:, i]],
        "winner": int(v.winner[i]) - 1 if v.winner[i] else None,
        "track": int(v.placed[i]) or None,  # where it was put
        "step": int(v.reached[i]) or None,
    }


def _track(v: Any, track: int) -> Track:
    won = bool(v.won_by[track])
    return {
        "number": track + 1,
        "colour": TRACK_COLOURS[track],
        "winner": int(v.won_by[track]) - 1 if won else None,
        "card": CARD.names[v.winning[track]] or None,  # the one that counts: from the centre, or the spare instead
        "points": int(v.points[track]) if won else None,
        "lanes": [_lane(v, track, seat) for seat in range(2)],
    }


def _lane(v: Any, track: int, seat: int) -> Lane:
    steps: list[list[str]] = [[] for _ in range(v.step[seat, track])]
    for i in range(v.flips):
        if v.placed[i] == track + 1 and v.winner[i] == 1 + seat:
            steps[v.reached[i] - 1].append(CARD.names[v.deck[seat, i]])
    return {
        "step": len(steps),
        "steps": steps,  # the cards on each step, the last on top
        "last": steps[-1][-1] if steps else None,
        "compared": CARD.names[v.last[seat, track]] if steps else None,  # what the next card must beat to step
        "centre": CARD.names[v.centre[seat, track]] or None,
    }


def _seat(v: Any, seat: int) -> Seat:
    lost = [card for card, winner in zip(v.deck[seat], v.winner[: v.flips]) if winner != 1 + seat]
    turned = {*v.deck[seat].tolist(), *v.centre[seat].tolist(), int(v.spare[seat])}
    return {
        "name": SEATS[seat],
        "score": _score(v, seat),
        "tracks": _tracks(v, seat),
        "chosen": bool(v.chosen[seat]),
        "choice": MOVE.write(v.choice[seat]) if v.choice[seat] else None,
        "spare": CARD.names[v.spare[seat]] or None,
        "discards": [CARD.names[card] for card in lost],
        "unseen": [name for name, card in CARD.codes.items() if card not in turned],  # in the deck or face down
    }
