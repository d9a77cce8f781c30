"""How people read The Lost Palaces: what a move does, what happened, what a chair sees."""

from __future__ import annotations

from typing import Any, Literal

from clew.core import SEATS, Cast, Event, listing
from clew.core.kernels import interpreted
from clew.games.palaces import rules
from clew.games.palaces.shapes import Find, PalacesTable, Points, Seat

goal = interpreted(rules.goal)
RARE_NAMES = ("the Minos ring", "the Malia jewel", "the Phaistos disc", "the Zakros rhyton")
PAWN_NAMES: tuple[Literal["archaeologist", "theseus"] | None, ...] = (None, "archaeologist", "theseus")
CARDS = rules.CARD.pieces
GOALS = [[goal(step, kind) for step in range(rules.LAST_STEP + 1)] for kind in (0, rules.ARIADNE)]
LAID = [
    (None if action >= rules.ATTACK else card // rules.KINDS, CARDS[card])
    for action in range(rules.DISCARD + 1)
    for card in range(rules.CARDS)
]
"""By the number of a move: the palace at which its card is laid, None if it is put aside, and the card."""
FIND_NAMES: tuple[Find | None, ...] = (None, "rare", "statue", "fresco15", "fresco20")


# Moves


def say(move: int, v: Any) -> tuple[str, str]:
    """A move for people: the card, and what it does."""
    action, card = divmod(move, rules.CARDS)
    palace, name = card // rules.KINDS, rules.CARD.spoken[card]
    if action == rules.DISCARD:
        return f"discard {name}", f"discard {name}"
    if action in (rules.START_A, rules.START_T):
        pawn = "Theseus" if action == rules.START_T else "an archaeologist"
        return f"{name} with {pawn}", f"play {name}: {pawn} sets out for {rules.NAMES[palace]}"
    if action == rules.ATTACK:
        if v.pawn[1 - v.seat, palace] == rules.THESEUS:
            return name, f"play {name}: the other Theseus parries it"
        return name, f"play {name}: it throws the other archaeologist back"
    pawn = "Theseus" if v.pawn[v.seat, palace] == rules.THESEUS else "the archaeologist"
    step = GOALS[card % rules.KINDS == rules.ARIADNE][v.step[v.seat, palace]]
    return name, f"play {name}: {pawn} goes on to step {step}"


def facts(move: int, v: Any) -> dict[str, Any]:
    """What a refusal speaks of besides the card."""
    action, card = divmod(move, rules.CARDS)
    palace = card // rules.KINDS
    pawns = "archaeologists are all" if action == rules.START_A else "Theseus is"
    return {"where": rules.NAMES[palace], "last": int(v.last[v.seat, palace]), "pawns": pawns}


# What happened


def tell(before: Any, seat: int | None, move: int | None, after: Any, cast: Cast) -> list[Event]:
    """A turn as a chair saw it: the card played, what was found, the card drawn, the end."""
    if before is None or seat is None or move is None:
        return [Event("deal", f"{cast.does(after.first, 'begin')}.", "PAL-01", int(after.first))]
    events = [_play(before, seat, move, after, cast)]
    if after.ended != rules.PAWNS:
        events.append(_draw(before, seat, move, after, cast))
    if after.ended:
        events.append(_end(after, cast))
    return events


def _play(before: Any, seat: int, move: int, after: Any, cast: Cast) -> Event:
    action, card = divmod(move, rules.CARDS)
    palace, kind = card // rules.KINDS, card % rules.KINDS
    where, name = rules.NAMES[palace], rules.CARD.spoken[card]
    data: dict[str, Any] = {"card": rules.CARD.pieces[card], "palace": rules.LETTERS[palace]}
    if action == rules.DISCARD:
        return Event("discard", f"{cast.does(seat, 'discard')} {name}.", "PAL-16", seat, data)
    if action == rules.ATTACK:
        return _attack(before, seat, palace, after, data, cast)
    pawn = int(after.pawn[seat, palace])
    step = int(after.step[seat, palace])
    data |= {"pawn": PAWN_NAMES[pawn], "step": step}
    if action in (rules.START_A, rules.START_T):
        sent = "Theseus" if pawn == rules.THESEUS else "an archaeologist"
        return Event(
            "start", f"{cast.does(seat, 'play')} {name} and {cast.verb(seat, 'send')} {sent}.", "PAL-07", seat, data
        )
    walker = f"{cast.whose(seat)} {'Theseus' if pawn == rules.THESEUS else 'archaeologist'} reaches step {step}"
    data["finds"] = finds = _finds(before, seat, palace, after)
    rule = "PAL-11" if finds else "PAL-09" if kind == rules.ARIADNE else "PAL-08"
    found = listing([_found(find, palace) for find in finds])
    return Event(
        "advance", f"{walker} at {where} and {found}." if finds else f"{walker} with {name}.", rule, seat, data
    )


def _finds(before: Any, seat: int, palace: int, after: Any) -> list[dict[str, Any]]:
    """PAL-11: what the seat's pawn found on its way, step by step, and what so many of them are worth together."""
    found: list[dict[str, Any]] = []
    statues = int(before.statues[seat])
    for site, step in enumerate(rules.SITE_STEPS):
        find = int(after.finds[palace, site])
        fresco = find in (rules.FRESCO15, rules.FRESCO20)
        known = before.photos[seat, palace, site] if fresco else before.finds[palace, site] != rules.CLOSED
        if known or not before.step[seat, palace] < step <= after.step[seat, palace]:
            continue
        statues += find == rules.STATUE
        points = {
            rules.RARE: rules.RARE_POINTS[palace],
            rules.STATUE: rules.STATUE_POINTS[statues],
            rules.FRESCO15: 15,
            rules.FRESCO20: 20,
        }[find]
        count = statues if find == rules.STATUE else 1
        found.append({"find": FIND_NAMES[find], "step": step, "count": count, "points": points})
    return found


def _found(find: dict[str, Any], palace: int) -> str:
    count, points = find["count"], str(find["points"]).replace("-", "−")
    if find["find"] == "rare":
        return f"digs up {RARE_NAMES[palace]} (worth {points})"
    if find["find"] == "statue":
        return f"digs up a statue ({count} now {'counts' if count == 1 else 'count'} {points})"
    return f"photographs a fresco worth {points}"


def _attack(before: Any, seat: int, palace: int, after: Any, data: dict[str, Any], cast: Cast) -> Event:
    other, where = 1 - seat, rules.NAMES[palace]
    step = int(after.step[1 - seat, palace])
    data |= {"step": step}
    if after.pawn[1 - seat, palace] == rules.THESEUS:
        text = f"{cast.whose(other)} Theseus parries {cast.whose(seat, inside=True)} Minotaur at {where}."
        return Event("parry", text, "PAL-13", seat, data)
    minotaur, thrown = f"{cast.whose(seat)} Minotaur", f"{cast.whose(other, inside=True)} archaeologist"
    if step == before.step[1 - seat, palace]:
        text = f"{minotaur} finds {thrown} at the very start to {where}: nothing happens."
    else:
        text = f"{minotaur} throws {thrown} at {where} back to step {step}."
    return Event("attack", text, "PAL-12", seat, data)


def _draw(before: Any, seat: int, move: int, after: Any, cast: Cast) -> Event:
    if after.seat != seat:
        return Event("draw", f"{cast.does(seat, 'draw')} a card.", "PAL-06", seat)
    rest, hand = before.hand.tolist(), after.hand.tolist()
    rest.remove(move % rules.CARDS)
    drawn = next(card for card in hand if hand.count(card) > rest.count(card))
    text = f"{cast.does(seat, 'draw')} {rules.CARD.spoken[drawn]}."
    return Event("draw", text, "PAL-06", seat, {"card": rules.CARD.pieces[drawn]})


def _end(after: Any, cast: Cast) -> Event:
    blue, red = _standing(after, 0), _standing(after, 1)
    why = "Four pawns stand on step 7 or beyond" if after.ended == rules.PAWNS else "The pile is empty"
    scores = [blue[0], red[0]]
    if blue == red:
        said = f"a draw at {scores[0]}"
    else:
        winner = 0 if blue > red else 1
        said = f"{cast.does(winner, 'win', inside=True)} by {scores[winner]} to {scores[1 - winner]}"
        if blue[0] == red[0]:
            said += (
                f", with more {'treasures' if blue[1] != red[1] else 'frescoes' if blue[2] != red[2] else 'statues'}"
            )
    return Event("end", f"{why}: {said}.", "PAL-19" if blue[0] == red[0] else "PAL-17", None, {"scores": scores})


def _standing(v: Any, seat: int) -> tuple[int, int, int, int]:
    return (
        int(v.points[seat].sum()),
        int(v.rares[seat].sum()),
        int(v.frescoes[seat].sum()),
        int(v.statues[seat]),
    )


# What a chair sees


def describe(v: Any) -> PalacesTable:
    """The table as plain data."""
    turns, seat = int(v.turns), int(v.first)
    finds, pawns, steps = v.finds.tolist(), v.pawn.tolist(), v.step.tolist()
    lasts = v.last.tolist()
    discards: list[str] = []
    played: list[list[list[str]]] = [[[], []] for _ in range(rules.PALACES)]
    for move in v.log[:turns].tolist():
        palace, card = LAID[move]
        (discards if palace is None else played[palace][seat]).append(card)
        seat = 1 - seat
    return {
        "turns": turns,
        "pile": int(v.pile_count),
        "hand": _hand(v),
        "discards": discards,
        "step_points": list(rules.STEP_POINTS[1:]),
        "statue_points": list(rules.STATUE_POINTS),
        "goals": [[*steps] for steps in GOALS],
        "paths": [
            {
                "palace": rules.NAMES[palace],
                "letter": rules.LETTERS[palace],
                "rare_points": rules.RARE_POINTS[palace],
                "sites": [
                    {"step": step, "find": FIND_NAMES[find]} for step, find in zip(rules.SITE_STEPS, finds[palace])
                ],
                "pawns": [
                    {
                        "pawn": PAWN_NAMES[pawns[seat][palace]],
                        "step": steps[seat][palace],
                        "last": lasts[seat][palace] or None,
                        "cards": played[palace][seat],
                    }
                    for seat in range(2)
                ],
            }
            for palace in range(rules.PALACES)
        ],
        "seats": _seats(v, pawns),
    }


def own(v: Any) -> dict[str, Any]:
    """What of the table differs by who looks."""
    return {"hand": _hand(v)}


def _hand(v: Any) -> list[str]:
    return [rules.CARD.pieces[card] for card in v.hand.tolist() if card >= 0]


def _seats(v: Any, pawns: list[list[int]]) -> list[Seat]:
    points, statues, cards = v.points.tolist(), v.statues.tolist(), v.hand_count.tolist()
    rares, frescoes, found = v.rares.tolist(), v.frescoes.tolist(), []
    for seat, sent in enumerate(pawns):
        steps, statue_points, treasures, fresco_points = points[seat]
        seat_points = Points(steps=steps, statues=statue_points, treasures=treasures, frescoes=fresco_points)
        one: Seat = {
            "name": SEATS[seat],
            "archaeologists": rules.ARCHAEOLOGISTS - sent.count(rules.ARCHAEOLOGIST),
            "theseus": 1 - sent.count(rules.THESEUS),
            "cards": cards[seat],
            "statues": statues[seat],
            "rares": [letter for letter, rare in zip(rules.LETTERS, rares[seat]) if rare],
            "frescoes": [15] * frescoes[seat][0] + [20] * frescoes[seat][1],
            "points": seat_points,
            "score": sum(points[seat]),
        }
        found.append(one)
    return found
