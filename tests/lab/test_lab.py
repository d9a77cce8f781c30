"""The lab plays many games, the same whatever the threads, and tells what designers ask."""

import csv
import itertools
import json
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import clew
from clew.core.errors import ClewError
from clew.core.game import load
from clew.lab.begins import seed_of
from clew.lab.simulation import Play

TOKENS = Path(__file__).parent / "tokens"
KITES = Path(__file__).parents[2] / "examples" / "kites"


NO_PLAYOUTS = ["end", "seats", "length", "luck", "forced", "options", "forms", "pieces", "ties", "never", "own"]


def figures(report, key, run=0):
    """The figures of a measure by their labels."""
    found = {measure.key: measure for measure in report.runs[run].measures}
    return {figure.label: figure for figure in found[key].figures}


@pytest.fixture(scope="module")
def tokens():
    return load(TOKENS)


@pytest.fixture(scope="module")
def report(tokens):
    return clew.lab(
        tokens, bots="random", measures=NO_PLAYOUTS, games=4000, seed=1, options={"advantage": 60, "gems": "equal"}
    )


def test_the_truth_of_a_known_game_lies_in_its_intervals(report):
    seats, moves = figures(report, "seats"), figures(report, "moves")
    assert seats["seat 1"].low < 0.6 < seats["seat 1"].high
    assert seats["seat 1"].high - seats["seat 1"].low < 0.04
    assert moves["mean"].low < 12 < moves["mean"].high
    assert moves["median"].value == 12
    assert (moves["shortest"].value, moves["longest"].value) == (10, 14)
    assert figures(report, "luck")["the deal"].value == pytest.approx(1.0)
    assert figures(report, "forced")["of the moves"].value == 0
    assert figures(report, "options")["a move"].value == 3
    assert figures(report, "own")["gems"].low < 4 < figures(report, "own")["gems"].high


def test_what_never_happens_is_said_with_how_sure_that_is(report):
    never = figures(report, "never")
    assert set(never) == {"the ending never met", "the card dust is never possible"}
    assert never["the ending never met"].high == pytest.approx(3 / 4000, rel=0.01)


def test_a_card_that_decides_is_dominant_and_one_that_loses_is_dead(tokens):
    report = clew.lab(
        tokens,
        bots="random",
        measures=NO_PLAYOUTS,
        games=8000,
        seed=2,
        options={"rounds": 1, "gems": "decide", "dust": "loses"},
    )
    cards = figures(report, "pieces")
    assert cards["gem"].note == "dominant"
    assert cards["dust"].note == "dead: who uses it loses"
    assert cards["stone"].note == ""


def test_the_share_of_luck_is_that_of_the_deals(tokens):
    # Of the deals a quarter is won, a quarter lost, and in half of them the first move decides: two thirds are won.
    # The variance between deals is 0.1319, that of the result 0.2431.
    found = figures(
        clew.lab(tokens, bots="random", measures=NO_PLAYOUTS, games=50_000, seed=3, options={"luck": 50}), "luck"
    )["the deal"]
    assert found.low < 0.1319 / 0.2431 < found.high
    assert found.high - found.low < 0.15


@pytest.mark.parametrize("level", ["random", "level:1"])
def test_threads_and_going_on_change_nothing(level, tmp_path):
    games = {"random": 3000, "level:1": 24}[level]
    once = clew.lab("cardtracks", games, measures=NO_PLAYOUTS, seed=5, bots=level, threads=1)
    part = clew.lab("cardtracks", games // 3, measures=NO_PLAYOUTS, seed=5, bots=level, threads=3)
    file = tmp_path / "part.json"
    file.write_text(json.dumps(part.json()))
    whole = clew.lab("cardtracks", games, measures=NO_PLAYOUTS, bots=level, extend=file, threads=3)
    assert whole.runs[0].sums == once.runs[0].sums
    assert whole.runs[0].measures == once.runs[0].measures
    assert json.dumps(whole.json())  # nothing that JSON does not know


@pytest.mark.parametrize("level", ["random", "level:1"])
def test_a_game_behind_a_figure_can_be_replayed(level):
    report = clew.lab("cardtracks", 40, measures=NO_PLAYOUTS, seed=5, bots=level)
    shown = {figure.label: figure.examples for figure in figures(report, "seats").values()}
    for label, numbers in shown.items():
        for number in numbers[:2]:
            play = Play(load("cardtracks"), seed=5, level=level)
            table = clew.replay(play.record(number))
            assert table.outcome.places[int(label[-1]) - 1] == 1
            assert table.seed == seed_of(5, number)


def test_random_games_are_what_the_rules_say_of_them():
    play = Play(load("cardtracks"), seed=4)
    rows = play.rows(range(8), 0, play.sums())
    for number, row in enumerate(rows):
        table = clew.replay(play.record(number))
        noted = dict(zip(play.columns.names, row.tolist()))
        assert noted["moves"] == table.length
        assert load("cardtracks").endings[noted["ending"] - 1] == table.outcome.ended
        assert tuple(noted[f"score_{seat}"] for seat in range(2)) == table.outcome.scores
        whole = 60 // table.outcome.places.count(1)
        assert [noted[f"won_{seat}"] for seat in range(2)] == [whole * (p == 1) for p in table.outcome.places]
        movers = [seat for seat, _ in table.moves]
        assert noted["turns"] == 1 + sum(a != b for a, b in itertools.pairwise(movers))


def test_who_stops_it_keeps_what_is_done():
    stop = threading.Event()

    def progress(level, done, total):
        if done >= 2000:
            stop.set()

    report = clew.lab(
        "cardtracks", 10_000_000, bots="random", measures=NO_PLAYOUTS, seed=1, progress=progress, stop=stop
    )
    (run,) = report.runs
    assert not report.finished
    assert 2000 <= run.games < 10_000_000
    assert run.games == sum(count for _, count in figures_histogram(report))
    again = clew.lab("cardtracks", run.games, bots="random", measures=NO_PLAYOUTS, seed=1)
    assert again.runs[0].sums == run.sums


def figures_histogram(report):
    return next(measure.histogram for measure in report.runs[0].measures if measure.key == "moves")


def test_bad_input_is_told_in_one_sentence(tmp_path):
    for wrong in (
        {"games": 0},
        {"games": -1},
        {"bots": "level:9"},
        {"options": {"nothing": 1}},
        {"options": {"tracks": 99}},
        {"pace": 0},
        {"measures": ["nothing"]},
        {"vary": {"tracks": ["3"]}},
        {"vary": {"colours": ["3", "4"]}},
        {"targets": {"nothing": 1}},
        {"targets": {"first_seat": 50}},
        {"extend": tmp_path / "none.json"},
        {"players": 7},
        {"seed": 1 << 220},
        {"vary": {"tracks": ["3", "4"]}, "ledger": True},
        {"vary": {"tracks": ["3", "4"]}, "files": {"csv": str(tmp_path / "games.csv")}},
    ):
        with pytest.raises(ClewError) as told:
            clew.lab("cardtracks", **wrong)
        assert "\n" not in str(told.value)


def test_ctrl_c_leaves_what_is_known(tmp_path):
    command = [sys.executable, "-m", "clew", "lab", "cardtracks", "--games", "90000000", "--seed", "1", "--json"]
    command += ["--bots", "random", "-m", "length", "--csv", str(tmp_path / "games.csv")]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    part = tmp_path / "games.csv.part"
    while child.poll() is None and (not part.exists() or part.stat().st_size < 10_000):
        time.sleep(0.05)
    for _ in range(5):
        child.send_signal(signal.SIGINT)
        time.sleep(0.003)
    out, _ = child.communicate(timeout=60)
    (run,) = json.loads(out)["runs"]
    assert not run["finished"]
    assert 0 < run["games"] < 90_000_000
    rows = (tmp_path / "games.csv").read_text().splitlines()
    assert len(rows) == 1 + run["games"]


def test_rows_say_what_happened(tmp_path):
    files = {"csv": str(tmp_path / "games.csv"), "csv_moves": str(tmp_path / "moves.csv")}
    clew.lab("cardtracks", 20, seed=3, bots="random", measures=["length"], files=files)
    with open(files["csv"]) as games, open(files["csv_moves"]) as moves:
        by_game, by_move = list(csv.DictReader(games)), list(csv.DictReader(moves))
    assert len(by_game) == 20
    for row in by_game[:5]:
        table = clew.new("cardtracks", seed=int(row["seed"]))
        for move in by_move:
            if move["number"] == row["number"]:
                table.play(move["move"], int(move["seat"]))
        assert table.outcome.ended == row["ending"]
        assert table.length == int(row["moves"])
        assert [int(row["score_0"]), int(row["score_1"])] == list(table.outcome.scores)
    assert not list(tmp_path.glob("*.part"))


def test_what_cannot_be_written_is_said_before_the_first_game(tmp_path):
    def progress(level, done, total):
        raise AssertionError("a game was played")

    with pytest.raises(ClewError, match="cannot be written"):
        clew.lab("cardtracks", 20, files={"csv": str(tmp_path / "none" / "games.csv")}, progress=progress)


@pytest.mark.slow
def test_a_planted_flaw_is_found():
    """Kites: silk is dominant, nobody wants a knot, and who begins takes a card more."""
    report = clew.lab(KITES, 2000, seed=1, bots="random", measures=["seats", "values", "choice"])
    values = figures(report, "values")
    assert (values["silk"].note, values["a knot"].note) == ("dominant", "dead")
    assert figures(report, "seats")["seat 1"].low > 0.5
    assert figures(report, "choice")["a decision"].low > 0.05
    (even,) = clew.lab(KITES, 2000, seed=1, vary={"takes": [13, 14]}).comparisons
    seats = next(one for one in even.differences if one.key == "seats")
    assert seats.significant
    assert seats.difference < -0.05
    assert even.same_deals == 1


def test_a_game_that_never_ends_is_told(tmp_path, interpreted):
    rules = (TOKENS / "rules.py").read_text().replace("s.turns += 1", "s.turns += 0")
    (tmp_path / "endless").mkdir()
    (tmp_path / "endless" / "rules.py").write_text(rules)
    with pytest.raises(ClewError, match=r"seed 100000000[0-9] did not end within LONGEST = 44 moves"):
        clew.lab(tmp_path / "endless", 20, seed=1, bots="random")


def test_measures_of_a_game_need_the_rule_that_writes_them(tmp_path, interpreted):
    rules = (TOKENS / "rules.py").read_text().partition("@rule\ndef measure")[0]
    (tmp_path / "unmeasured").mkdir()
    (tmp_path / "unmeasured" / "rules.py").write_text(rules)
    with pytest.raises(ClewError, match="go together"):
        clew.lab(tmp_path / "unmeasured", 20, seed=1, bots="random")


def test_a_report_is_gone_on_from_as_it_was_played(tmp_path):
    file = tmp_path / "report.json"
    file.write_text(json.dumps(clew.lab("cardtracks", 20, seed=5, bots="random", measures=["length"]).json()))
    for wrong in ({"seed": 6}, {"bots": "level:1"}, {"options": {"tracks": 4}}, {"vary": {"tracks": [3, 4]}}):
        with pytest.raises(ClewError):
            clew.lab("cardtracks", 40, extend=file, **wrong)
    with pytest.raises(ClewError, match="report of cardtracks"):
        clew.lab(TOKENS, 40, extend=file)
    damaged = json.loads(file.read_text())
    damaged["runs"][0]["sums"]["moments"]["sums"] = [1]
    file.write_text(json.dumps(damaged))
    with pytest.raises(ClewError, match="damaged"):
        clew.lab("cardtracks", 40, extend=file)
    file.write_text("{}")
    with pytest.raises(ClewError, match="not a report"):
        clew.lab("cardtracks", 40, extend=file)


def test_the_command_prints_plain_data():
    command = [sys.executable, "-m", "clew", "lab", "cardtracks", "--games", "50", "--seed", "1", "--json"]
    command += ["--bots", "random", "-m", "length"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert found["runs"][0]["games"] == 50
    assert [measure["key"] for measure in found["runs"][0]["measures"]] == ["moves", "turns", "minutes"]
    assert [key for key, _ in found["questions"]][:3] == ["end", "seats", "length"]
