"""The kit catches what it is meant to catch: faults planted in a copy of a little game, one at a time."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import clew
from clew.check.sample import Sampler
from clew.core.game import load

JARS = Path(__file__).parent / "jars"
GAMES = "6"
ASK = """
import json, sys
from clew.check import check_game
print(json.dumps(check_game(sys.argv[1], int(sys.argv[2]), only=sys.argv[3:]).json()))
"""


@dataclass(frozen=True)
class Fault:
    """Changes of one file, each from one text to another; the check that must notice, and words of how it says so."""

    name: str
    check: str
    says: str
    changes: dict[str, str]
    file: str = "rules.py"
    jitted: bool = False


FAULTS = [
    Fault(
        "a view that shows another hand",
        "views do not leak",
        "gives it another view",
        {"    v.seat = seat\n": "    v.seat = seat\n    v.open[0] = s.hand[(seat + 1) % s.players, 0]\n"},
    ),
    Fault(
        "moves that depend on the pile",
        "views do not leak",
        "its legal moves are others",
        {"if s.rested[seat] or": "if s.rested[seat] or s.pile[pile_size(s) - 1] > 3 or"},
    ),
    Fault(
        "words that remember",
        "views do not leak",
        "The words differ",
        {
            "def describe(": "TOLD: list[int] = []\n\n\ndef describe(",
            '        "pile": int(v.left),': '        "pile": TOLD.append(1) or len(TOLD),',
        },
        "words.py",
    ),
    Fault(
        "a view that depends on the order of the pile",
        "views are built by inclusion",
        "`view` reads what `cover` says is hidden",
        {"    v.seat = seat\n": "    v.seat = seat\n    v.open[0] = s.pile[0] < s.pile[1]\n"},
    ),
    Fault(
        "a cover that leaves the pile",
        "views are built by inclusion",
        "`cover` leaves something",
        {"    for i in range(DECK):\n        s.pile[i] = 0\n    for player": "    for player"},
    ),
    Fault(
        "a question that changes the state",
        "views are built by inclusion",
        "changes the state",
        {"    if s.ended != OFFERS:\n": "    s.open[0] += 1\n    if s.ended != OFFERS:\n"},
    ),
    Fault(
        "an imagine that remembers the truth",
        "imagine is fair",
        "always gives the true world",
        {
            "# What a chair knows\n": "TRUTH = {}\n",
            "            v.offer[player] = s.offer[player]\n": "            v.offer[player] = s.offer[player]\n"
            "    TRUTH.setdefault(bytes(v.bytes), bytes(s.bytes))\n",
            "    copy_public(v, s)\n    unseen": "    s.bytes[:] = TRUTH[bytes(v.bytes)]\n    return\n    unseen",
        },
    ),
    Fault(
        "an imagine with one world",
        "imagine is fair",
        "always gives the same world",
        {"    shuffle(rng, unseen, count)\n    for i in range(pile_size(v)": "    for i in range(pile_size(v)"},
    ),
    Fault(
        "an imagine that prefers worlds",
        "imagine is fair",
        "otherwise than the deal does",
        {"    shuffle(rng, unseen, count)\n": "    if below(rng, 4) > 0:\n        shuffle(rng, unseen, count)\n"},
    ),
    Fault(
        "an imagine that deals a jar twice",
        "imagine is fair",
        "otherwise than the deal does",
        {"    shuffle(rng, unseen, count)\n": "    shuffle(rng, unseen, count)\n    unseen[0] = unseen[count - 1]\n"},
    ),
    Fault(
        "an array that all states share",
        "copies are independent",
        "are not what they were",
        {
            "PUBLIC = [": "BROKEN = np.zeros(SIZES + 1, np.int16)\nPUBLIC = [",
            "    target.open = source.open\n": "    target.open = BROKEN\n",
            "        s.open[number] += 1\n": "        BROKEN[number] += 1\n",
        },
    ),
    Fault(
        "a rule that reads the clock",
        "same record, same states",
        "differ in a process with other clocks",
        {
            "import numpy as np\n": "import time\n\nimport numpy as np\n",
            "    total = gain(s, seat)\n": "    total = gain(s, seat) + int(time.time() < 1e9)\n",
        },
    ),
    Fault(
        "words in the order of a set",
        "same record, same states",
        "described table differ",
        {'"pile": int(v.left),': '"pile": int(v.left), "sizes": list(set(map(str, range(40)))),'},
        "words.py",
    ),
    Fault(
        "a move that reads as another",
        "notation is exact",
        "reads back as another",
        {"NUMBERS + int(found[2])": "NUMBERS + min(3, int(found[2]))"},
        "words.py",
    ),
    Fault(
        "a parser that is too kind",
        "notation is exact",
        "is no legal move and is accepted",
        {"MOVE.fullmatch(text)": "MOVE.match(text)"},
        "words.py",
    ),
    Fault(
        "a refusal that changes the state",
        "notation is exact",
        "changes",
        {"        return NOT_IN_HAND\n": "        s.open[0] += 1\n        return NOT_IN_HAND\n"},
    ),
    Fault(
        "a move that is accepted and not listed",
        "notation is exact",
        "`refusal` accepts the move",
        {
            " or number > 0 else LEGAL": " else LEGAL",
            "for number in range(SIZES + 1):": "for number in range(1 if action == HOLD else SIZES + 1):",
        },
    ),
    Fault(
        "a view that is not plain data",
        "round trips",
        "not plain data",
        {'"offered": bool(v.offered[seat])': '"offered": v.offered[seat] > 0'},
        "words.py",
    ),
    Fault(
        "deal lines in another order",
        "round trips",
        "cannot be replayed",
        {"map(str, jars[:count])": "map(str, sorted(jars[:count]))"},
        "words.py",
    ),
    Fault(
        "an event without a rule",
        "events name their rules",
        "not in the rule book",
        {'"JAR-05", seat)': '"JAR-50", seat)'},
        "words.py",
    ),
    Fault(
        "a game without an end",
        "games end",
        "goes on after LONGEST moves",
        {"        s.rested[seat] = 1\n": "        pass\n"},
    ),
    Fault(
        "a list with a move twice",
        "games end",
        "a move twice",
        {"    for action in range(PUT, OFFER + 1):\n": "    for action in (PUT, BREAK, HOLD, OFFER, HOLD):\n"},
    ),
    Fault(
        "wrong places",
        "results are proper",
        "worse place",
        {"if scores[other] > scores[seat]:": "if scores[other] < scores[seat]:"},
    ),
    Fault(
        "a move that is said in one way only",
        "events name their rules",
        "not as two lines",
        {'HOLD: ("hold", "hold, this once"),': 'HOLD: "hold",'},
        "words.py",
    ),
    Fault(
        "places that are left out",
        "results are proper",
        "no ranking",
        {"                places[seat] += 1\n": "                places[seat] += 2\n"},
    ),
    Fault(
        "a secret choice that shows",
        "simultaneous choices commute",
        "shows",
        {"if player == seat or s.ended:": "if player == seat or s.offered[player]:"},
    ),
    Fault(
        "choices that do not commute",
        "simultaneous choices commute",
        "do not commute",
        {"        s.offer[seat] = number\n": "        s.offer[seat] = number\n        s.open[0] = seat\n"},
    ),
    Fault(
        "a write beyond the end of an array",
        "no index out of bounds",
        "out of bounds",
        {"        s.rested[seat] = 1\n": "        s.rested[seat] = 1\n        take(s, seat, 1)\n"},
    ),
    Fault(
        "a small number that overflows",
        "jitted equals un-jitted",
        "overflow",
        {
            '("held", np.int16, (SEATS,))': '("held", np.int8, (SEATS,))',
            "    total = gain(s, seat)\n": "    total = gain(s, seat) + s.held[seat] * 100\n",
        },
        jitted=True,
    ),
    Fault(
        "a deal that reads the memory of its generator",
        "round trips",
        "The rules cannot deal from a server's generator",
        {"    shuffle(rng, deck, DECK)\n": "    shuffle(rng, deck, DECK - rng[0] % 2)\n"},
    ),
]


def ask(folder, checks, jitted=False, games=GAMES):
    """The verdicts on a game from a process of its own, by default with the rules as plain Python."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0" if jitted else "1"}
    command = [sys.executable, "-c", ASK, str(folder), games, *checks]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {check["name"]: check for check in json.loads(done.stdout.splitlines()[-1])["checks"]}


def plant(fault, home):
    """A copy of the game with the fault."""
    folder = home / "jars"
    shutil.copytree(JARS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    text = (folder / fault.file).read_text()
    for old, new in fault.changes.items():
        assert old in text, old
        text = text.replace(old, new, 1)
    (folder / fault.file).write_text(text)
    return folder


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_kit_catches(fault, tmp_path):
    found = ask(plant(fault, tmp_path), [fault.check], fault.jitted)[fault.check]
    assert not found["ok"]
    assert fault.says in found["detail"]


def test_the_same_checks_hold_without_a_fault():
    """The two that need the compiler are in `test_plugin.py`."""
    checks = {fault.check for fault in FAULTS} - {"no index out of bounds", "jitted equals un-jitted"}
    assert [check for check in ask(JARS, sorted(checks)).values() if not check["ok"]] == []


def test_a_failure_brings_the_game_that_shows_it(tmp_path):
    fault = next(fault for fault in FAULTS if fault.name == "wrong places")
    found = ask(plant(fault, tmp_path), [fault.check])[fault.check]
    assert "seed 0, players=2 jars=2, styles uniform/uniform, ply" in found["detail"]
    assert found["record"].startswith("clew-record 1\ngame: jars\n")


@pytest.mark.parametrize(("declared", "possible"), [("", False), ("NOT_DEDUCED = (4,)\n\n", True)])
def test_a_world_where_a_move_was_refused_is_possible_only_if_nobody_draws_that_conclusion(
    declared, possible, tmp_path, interpreted
):
    line = "# Why a move may be refused\n"
    game = load(str(plant(Fault("", "", "", {line: declared + line}), tmp_path)))
    table = clew.new(game, seed=0)
    (seat,) = table.to_move
    rested = table._states[0].copy()
    rested[0].rested[seat] = 1
    hold = game.rules.HOLD * game.rules.NUMBERS
    assert game.kernels.refusal(rested[0], seat, hold) == game.rules.HELD_BEFORE == 4
    assert Sampler(game).kernels.possible(rested[0], seat, hold) == possible
    assert not Sampler(game).kernels.possible(rested[0], seat, hold + 1000)  # no move at all


def test_a_failure_prints_the_command_that_opens_its_position(tmp_path):
    fault = next(fault for fault in FAULTS if fault.name == "wrong places")
    folder, kept = plant(fault, tmp_path), tmp_path / "kept records"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    clew_command = [sys.executable, "-m", "clew"]
    checked = subprocess.run(
        [*clew_command, "check", str(folder), "--games", "2", "--records", str(kept)],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 1
    record = kept / "jars-results-are-proper.clew"
    (command,) = (line.strip() for line in checked.stdout.splitlines() if line.strip().startswith("clew replay "))
    assert command == f"clew replay '{record}' --game {folder}"

    opened = subprocess.run([*clew_command, *shlex.split(command)[1:]], env=environment, capture_output=True, text=True)
    assert opened.returncode == 0, opened.stderr
    moves = record.read_text().partition("moves:\n")[2].splitlines()
    assert f"{len(moves)}. " in opened.stdout
    assert "Checked; the game goes on." in opened.stdout


def test_a_rule_that_breaks_off_brings_the_deal(tmp_path):
    broken = Fault("", "", "", {"    total = gain(s, seat)\n": "    total = gain(s, seat) // 0\n"})
    found = ask(plant(broken, tmp_path), ["games end"])["games end"]
    assert re.match(r"rules\.py:\d+: ZeroDivisionError: .* \(seed ", found["detail"])
    assert found["record"].startswith("clew-record 1\ngame: jars\n")


def test_knowledge_that_shows_in_one_game_of_a_hundred_is_found_by_sixty(tmp_path):
    """None of the 60 games of the sample shows it; the check plays on until it is surer."""
    rare = (
        "    if s.shelf[0, 0] == SIZES and s.shelf[1, 0] == SIZES:\n"
        "        v.open[0] = s.hand[(seat + 1) % s.players, 0]\n"
    )
    leak = Fault("", "views do not leak", "", {"    v.seat = seat\n": "    v.seat = seat\n" + rare}, jitted=True)
    found = ask(plant(leak, tmp_path), [leak.check], leak.jitted, games="60")[leak.check]
    assert not found["ok"]
    assert "gives it another view" in found["detail"]
    assert "seed 300" in found["detail"]  # a game beyond the sample


def test_a_check_says_how_sure_it_is():
    found = ask(JARS, ["views do not leak"])["views do not leak"]
    assert "in 6 games" in found["detail"]
    assert found["detail"].endswith("What shows in 50 % of games would have been missed with probability 2 %.")
