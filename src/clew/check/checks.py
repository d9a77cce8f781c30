"""The list of checks, and running them on a game."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence

from numba.core.errors import NumbaError, UnsupportedBytecodeError

from clew.check import (
    hidden_checks,
    imagine_checks,
    knowledge_checks,
    notation_checks,
    play_checks,
    process_checks,
    recall_checks,
    sampler_checks,
    text_checks,
)
from clew.check.kit import PATIENCE, Kit
from clew.check.report import CheckFailed, Report, Result, pointed
from clew.check.sample import by_style
from clew.core import author

CHECKS: dict[str, Callable[[Kit], str]] = {
    "games end": play_checks.games_end,
    "pieces lie in one place": play_checks.pieces_lie_in_one_place,
    "same record, same states": process_checks.same_record_same_states,
    "jitted equals un-jitted": process_checks.jitted_equals_unjitted,
    "no index out of bounds": process_checks.no_index_out_of_bounds,
    "copies are independent": process_checks.copies_are_independent,
    "round trips": text_checks.record_round_trips,
    "notation is exact": notation_checks.notation_is_exact,
    "events name their rules": text_checks.events_name_their_rules,
    "views do not leak": knowledge_checks.views_do_not_leak,
    "views are built by inclusion": knowledge_checks.views_are_built_by_inclusion,
    "recall": recall_checks.recall,
    "imagine is fair": imagine_checks.imagine_is_fair,
    "imagine agrees with the sampler": sampler_checks.imagine_agrees,
    "results are proper": play_checks.results_are_proper,
    "hidden moves stay hidden": hidden_checks.hidden_moves_stay_hidden,
    "undo tells nothing": play_checks.undo_tells_nothing,
    "simultaneous choices commute": play_checks.choices_at_the_same_time_commute,
    "speed": play_checks.speed,
}
FIRST = ("games end", "pieces lie in one place")  # what the others build on
WORKERS = {
    "same record, same states": "elsewhere",
    "jitted equals un-jitted": "plain",
    "no index out of bounds": "bounds",
    "copies are independent": "plain",
}


def run(kit: Kit, name: str) -> Result:
    """One check, with its verdict whatever happens."""
    kit.progress(name)
    begun = time.perf_counter()
    record = ""
    kit.doubts, kit.sure = [], ""
    if kit.broken:
        return Result(name, False, f"Not tried: {kit.broken}.", 0.0, tried=False)
    try:
        ok, detail = True, CHECKS[name](kit)
        detail = f"{detail} {kit.sure}".strip()
    except CheckFailed as error:
        ok, detail, record = False, str(error), error.record
    except (NumbaError, UnsupportedBytecodeError) as error:
        ok, detail = False, author.not_compiled(error, kit.game.folder)
        kit.broken = "the rules cannot be compiled"
    except Exception as error:
        ok, detail = False, f"The check broke off with {type(error).__name__}: {error}"
    return Result(name, ok, detail, time.perf_counter() - begun, record, tuple(kit.doubts))


def check_game(
    name_or_path: str,
    games: int = 200,
    progress: Callable[[str], None] | None = None,
    only: Sequence[str] = tuple(CHECKS),
    patience: float = PATIENCE,
) -> Report:
    """Hold a game, by its name or the path of its folder, against all checks (or `only` some of them).

    Beyond the `games` that all checks look at, some look at as many games at random as `patience` allows.
    """
    kit = Kit(name_or_path, games, progress, patience)
    try:
        found = {name: run(kit, name) for name in FIRST if name in only}
        with contextlib.suppress(Exception):  # a check that meets the same again tells of it
            for name in (name for name in only if name in WORKERS and not kit.broken):
                kit.begin(WORKERS[name])
        others = [name for name in only if name not in found]
        found |= {name: run(kit, name) for name in sorted(others, key=lambda name: name in WORKERS)}
        return report(kit, [found[name] for name in CHECKS if name in found])
    finally:
        kit.close()


def report(kit: Kit, results: list[Result]) -> Report:
    """The verdicts together with what the games reached."""
    try:
        book = text_checks.rules_in_book(kit)
        endings = {int(kit.game.kernels.ending(kit.sampler.states(played)[-1])) for played in kit.sample}
        games = by_style(kit.sample)
    except Exception:  # a game that cannot be played has reached nothing; the checks say why
        book, endings, games = [], set(), {}
    reached = {ending for i, ending in enumerate(kit.game.endings, start=1) if i in endings}
    return Report(
        game=kit.game.name,
        where=kit.where,
        checks=pointed(results),
        rules_reached=sorted(kit.rules_reached),
        rules_missing=[rule for rule in book if rule not in kit.rules_reached],
        endings_reached=[ending for ending in kit.game.endings if ending in reached],
        endings_missing=[ending for ending in kit.game.endings if ending not in reached],
        games=games,
        speed=kit.speed,
    )
