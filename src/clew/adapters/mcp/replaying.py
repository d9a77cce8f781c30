"""A record told step by step, as somebody who watched or one of the seats saw it."""

from __future__ import annotations

from clew.adapters.mcp import answers
from clew.adapters.mcp.answers import Answer
from clew.core import pictures, records
from clew.core.errors import BadOption, quoted
from clew.core.table import Table

MOST_STEPS = 50  # told at once


def replay(text: str, step: int, steps: int, seat: int | None) -> Answer:
    """What happened in some steps of a record, of which 0 is the opening, and how things stood after them."""
    whole = records.replay(text)
    count = len(whole.moves)
    if not 0 <= step <= count:
        raise BadOption(f"This game has the steps 0, the opening, to {count}: there is no step {quoted(step)}.", "step")
    if not 1 <= steps <= MOST_STEPS:
        raise BadOption(f"At most {MOST_STEPS} steps are told at once, and at least 1, not {quoted(steps)}.", "steps")
    last = min(count, step + steps - 1)
    table = whole.afresh()
    for mover, move in whole.moves[:last]:
        table.make(move, mover)
    told = [_step(table, whole, number, seat) for number in range(step, last + 1)]
    view = table.view(seat, known=False)
    picture = pictures.picture(table.game, table.view(seat, known=False), table.names)
    lines = [f"{pictures.heading(table)}, {table.players} players, {count} moves.", ""]
    lines += [one.text for one in told] + ["", answers.drawn(picture)]
    if last == count and (outcome := table.outcome):
        lines += ["", answers.result(outcome.places, outcome.scores, table.names, seat)]
    data = {"step": step, "last": last, "steps": count, "told": [one.data for one in told], "view": view}
    return Answer("\n".join(lines), {**data, "names": list(table.names)})


def _step(table: Table, whole: Table, number: int, seat: int | None) -> Answer:
    events = [event.json() for event in table.events(seat, number, number + 1)]
    said = " ".join(event["text"] for event in events)
    if number == 0:
        return Answer(f"0. {said}", {"number": 0, "events": events})
    mover, move = whole.moves[number - 1]
    return Answer(
        f"{number}. {table.names[mover]}: {move}  {said}",
        {"number": number, "seat": mover, "move": str(move), "events": events},
    )
