"""Checks of what is written and told: records, views as plain data, events."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import numpy as np

from clew.check.kit import Kit
from clew.check.report import CheckFailed
from clew.check.sample import Played
from clew.core.cast import Cast
from clew.core.events import Event
from clew.core.records import replay
from clew.core.table import Table, new

RULE_IN_BOOK = re.compile(r"^- \*\*([A-Z]{3}-\d\d)\*\*", re.M)
RECORDS = 16  # games whose records are read back


def record_round_trips(kit: Kit) -> str:
    """Records, states and views are read back as they were written, finished or not, with the seed or without."""
    games = kit.spread(kit.some(RECORDS, least=4))
    for played in games:
        for plies in {len(played), len(played) // 2}:
            table = kit.sampler.table(played, plies)
            _record(kit, played, table)
            for seat in (None, *range(table.players)):
                _view(kit, played, table, seat)
        _record(kit, played, _secret_table(kit, played))
        _other_order(kit, played)
    kit.looked(len(games))
    return f"{2 * len(games)} records and the views of all their chairs."


def _record(kit: Kit, played: Played, table: Table) -> None:
    text, ply = table.record(), len(table._moves)
    try:
        with_seed = replay(text, kit.game)
        unseeded = re.sub(r"^(seed|generator): .*\n", "", text, flags=re.M)
        with_deal = replay(unseeded, kit.game)
    except ValueError as error:
        raise kit.failed(f"A record cannot be replayed: {error}", played, ply) from error
    if with_seed.record() != text or with_deal.record() != unseeded:
        raise kit.failed("A record that is replayed and written again is another", played, ply)
    if with_deal._dealt.tobytes() != table._dealt.tobytes():
        raise kit.failed("The deal lines do not deal the state that the seed deals", played, ply)
    if kit.finished(table):
        for again in (with_seed, with_deal):
            if again._states[-1].tobytes() != table._states[-1].tobytes():
                raise kit.failed("A record leads to another state than the game did", played, ply)


def _secret_table(kit: Kit, played: Played) -> Table:
    """A table dealt as servers deal."""
    try:
        return new(kit.game, played.setup.players, played.seed, dict(played.setup.options), salt="0")
    except Exception as error:
        said = " ".join(str(error).split())[:200]
        advice = "draw by next32, below and shuffle, and nothing else"
        raise kit.failed(f"The rules cannot deal from a server's generator ({said}): {advice}", played, 0) from error


def _other_order(kit: Kit, played: Played) -> None:
    """Play the choices made at the same time in the other order."""
    states = kit.sampler.states(played)
    order = list(range(len(played)))
    for choice in kit.sampler.together(states):
        if choice.stop <= len(played):
            order[choice.start : choice.stop] = reversed(choice)
    if order == sorted(order):
        return
    texts = kit.sampler.texts(played, states, range(len(played)))
    table = kit.sampler.table(played, 0)
    for i in order:
        table.play(texts[i], int(played.seats[i]))
    straight = kit.sampler.table(played)
    if table._states[-1].tobytes() != straight._states[-1].tobytes() or table.record() != straight.record():
        raise kit.failed("Choices made at the same time in the other order give another game", played)


def _view(kit: Kit, played: Played, table: Table, seat: int | None) -> None:
    view, ply = table.view(seat), len(table._moves)
    strange = _not_plain(view)
    if strange:
        raise kit.failed(f"A view holds what is not plain data: {strange}", played, ply, seat)
    if json.loads(json.dumps(view, allow_nan=False)) != view:
        raise kit.failed("A view is not the same after JSON", played, ply, seat)
    known = np.frombuffer(base64.b64decode(view["known"]), dtype=kit.game.rules.VIEW).view(np.recarray)
    if kit.game.words.describe(known[0]) != view["table"]:
        raise kit.failed("The table described from `known` is not that of the view", played, ply, seat)
    if table.shared_view(seat)["table"] != view["table"]:
        raise kit.failed("What watchers see, with what `own` tells, is not the table described", played, ply, seat)


def _not_plain(thing: Any) -> str:
    """What in this is not plain JSON data, or an empty string."""
    if type(thing) is dict:
        parts = [*thing.keys(), *thing.values()]
        return next((repr(key) for key in thing if type(key) is not str), "") or _first_strange(parts)
    if type(thing) is list:
        return _first_strange(thing)
    if thing is None or type(thing) in (str, int, bool):
        return ""
    if type(thing) is float and np.isfinite(thing):
        return ""
    return f"{thing!r}, a {type(thing).__name__}"


def _first_strange(things: list[Any]) -> str:
    return next((strange for thing in things if (strange := _not_plain(thing))), "")


def events_name_their_rules(kit: Kit) -> str:
    """Every chair is told what happened, in lines that name a rule of the rule book; moves can be said in a line."""
    book = set(rules_in_book(kit))
    for reason in getattr(kit.game.rules, "REASONS", ()):
        if book and reason.rule not in book and not reason.rule.startswith("COM-"):
            raise CheckFailed(f"The reason {reason.text!r} names {reason.rule}, which is not in rules.md.")
    told = 0
    for played in kit.sample:
        states = kit.sampler.states(played)
        together = kit.sampler.together(states)
        codes = kit.sampler.codes(played.moves)
        for chair in played.chairs:
            views, cast = kit.sampler.views(states, chair), Cast()
            for ply in range(len(states)):
                if ply == 0:
                    events = kit.game.tell_opening(views[0], cast)
                else:
                    seat, at_once = int(played.seats[ply - 1]), any(ply - 1 in choice for choice in together)
                    seen = views[ply - 1], seat, codes[ply - 1], views[ply]
                    events = kit.game.tell(*seen, cast, seat == chair, at_once)
                    fault = _saying_fault(kit, codes[ply - 1], views[ply - 1]) if seat == chair else ""
                    if fault:
                        raise kit.failed(fault, played, ply, chair)
                for event in events:
                    told += 1
                    fault = _event_fault(event, book)
                    if fault:
                        raise kit.failed(f"The event {event.text!r} {fault}", played, ply, chair)
                    kit.rules_reached.add(event.rule)
    return f"{told} events told."


def _saying_fault(kit: Kit, move: Any, v: Any) -> str:
    if not hasattr(kit.game.words, "say"):
        return ""
    said = kit.game.words.say(move, v)
    lines = isinstance(said, tuple) and len(said) == 2 and all(_one_line(form) for form in said)
    return "" if lines else f"A move is said as {said!r}, not as two lines, short and long"


def _one_line(text: Any) -> bool:
    return isinstance(text, str) and len(text.splitlines()) == 1


def _event_fault(event: Event, book: set[str]) -> str:
    if not _one_line(event.text):
        return "is not one line"
    if event.rule not in book and not event.rule.startswith("COM-"):
        return f"names {event.rule!r}, which is not in the rule book"
    strange = _not_plain(event.json())
    return f"holds what is not plain data: {strange}" if strange else ""


def rules_in_book(kit: Kit) -> list[str]:
    """The ids of the rules in the game's rules.md."""
    return sorted(set(RULE_IN_BOOK.findall(kit.game.rule_book())))
