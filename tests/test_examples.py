"""The example games: short, whole, green in the kit, playable, and true to their rule books."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import clew
from clew.bots.file_bots import load_bot
from clew.check import check_game
from clew.core.rng import below, stream

EXAMPLES = Path(__file__).parent.parent / "examples"
THUMBS = EXAMPLES.parent / "bench" / "thumbs"
MOST_LINES = {"dunes": 150, "courtiers": 260, "masks": 200, "kites": 120}
GAMES = 11


@pytest.mark.parametrize("name", MOST_LINES)
def test_an_example_is_short(name):
    files = [file for file in (EXAMPLES / name).iterdir() if file.is_file()]
    assert {"rules.py", "rules.md"} <= {file.name for file in files}
    assert sum(len(file.read_text().splitlines()) for file in files) <= MOST_LINES[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", MOST_LINES)
def test_an_example_keeps_all_checks(name):
    report = check_game(EXAMPLES / name, GAMES, lambda said: None, patience=6.0)
    assert [check for check in report.checks if not check.ok] == []


@pytest.mark.parametrize("name", MOST_LINES)
def test_an_example_is_played_in_the_terminal(name, tmp_path):
    env = {**os.environ, "CLEW_DATA": str(tmp_path), "NO_COLOR": "1", "COLUMNS": "100"}
    command = [sys.executable, "-m", "clew", "play", str(EXAMPLES / name), "--against", "random", "--seed", "7"]
    done = subprocess.run(command, env=env, input="1\nquit\n", capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert clew.new(EXAMPLES / name, seed=7).game.title in done.stdout


def test_examples_are_strictly_typed():
    cache = EXAMPLES.parent / ".mypy_cache"
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", str(cache)]
    for name in MOST_LINES:
        done = subprocess.run([*command, "rules.py"], cwd=EXAMPLES / name, capture_output=True, text=True, timeout=300)
        wrong = [line for line in done.stdout.splitlines() if line.startswith("rules.py") and "error" in line]
        assert wrong == []


@pytest.mark.parametrize(("name", "players"), [("dunes", 2), ("courtiers", 2), ("courtiers", 4), ("masks", 2)])
def test_a_rule_of_thumb_plays_whole_games_and_beats_random(name, players):
    choose = load_bot(THUMBS / f"{name}.py")
    wins, games = 0.0, 24
    for seed in range(games):
        t, own, rng = clew.new(EXAMPLES / name, players=players, seed=seed // players), seed % players, stream(seed)
        while t.to_move:
            seat = t.to_move[0]
            moves = [str(move) for move in t.legal_moves(seat)]
            t.play(choose(t.view(seat), moves) if seat == own else moves[below(rng, len(moves))], seat)
        wins += (t.outcome.places[own] == 1) / t.outcome.places.count(1)
    assert wins > games / players


def table(name, deal, moves=(), players=2):
    """A table of an example, dealt as written."""
    lines = ["clew-record 1", f"game: {name}", "rules: 1", f"players: {players}"]
    lines += [f"deal {key}: {cards}" for key, cards in deal.items()]
    return clew.replay("\n".join([*lines, "moves:", *moves, ""]), game=EXAMPLES / name)


def rule_of(t, move, seat=None):
    with pytest.raises(clew.IllegalMove) as refused:
        t.play(move, seat)
    return refused.value.rule


# Dunes

DUNES = {
    "hand 0": "a2 a5 b3 c4 d9 d8",
    "hand 1": "a3 a4 b2 b4 c2 c3",
    "pile": "a6 a7 a8 a9 b5 b6 b7 b8 b9 c5 c6 c7 c8 c9 d2 d3 d4 d5 d6 d7",
}


def test_a_caravan_rises():
    t = table("dunes", DUNES)
    assert rule_of(t, "a3") == "DUN-02"  # not in hand
    t.play("a5")
    t.play("b2")
    assert rule_of(t, "a2") == "DUN-02"
    t.play("-a2")
    assert t.view(1)["table"]["sold"] == ["a2"]
    assert [seat["hand_count"] for seat in t.view(1)["table"]["seats"]] == [6, 6]


def test_a_caravan_costs_and_earns_by_the_option():
    for cost in (15, 5):
        t = clew.new(EXAMPLES / "dunes", seed=5, options={"cost": cost})
        while t.to_move:
            t.play(t.legal_moves()[0])
        caravans = [seat["caravan"].values() for seat in t.view(None)["table"]["seats"]]
        earned = [sum(sum(int(card[1:]) for card in cards) - cost for cards in seat if cards) for seat in caravans]
        assert list(t.outcome.scores) == earned
        assert t.length == 32


# Courtiers

COURT = {
    "hand 0": "spy",
    "hand 1": "guard",
    "hand 2": "envoy",
    "aside": "regent",
    "pile": "spy spy spy duellist duellist envoy guard regent spy duellist envoy duellist",
}


def who_is_out(t):
    return [seat for seat, said in enumerate(t.view(None)["table"]["seats"]) if said["out"]]


def test_a_spy_who_is_right_drives_out_and_a_wrong_one_has_the_card_replaced():
    t = table("courtiers", COURT, players=3)
    t.play("spy Red guard")
    assert who_is_out(t) == [1]
    assert t.to_move == (2,)
    t = table("courtiers", COURT, players=3)
    t.play("spy Red regent")
    assert who_is_out(t) == []
    assert t.view(None)["table"]["open"] == ["spy", "guard"]


def test_who_looked_at_the_card_put_aside_knows_it_and_nobody_else():
    t = table("courtiers", COURT, ["0 spy Red guard", "2 envoy -"], players=3)
    assert [t.view(seat)["table"]["aside"] for seat in (0, 1, 2, None)] == ["?", "?", "regent", "?"]


def test_whom_a_move_names_is_called_by_name_and_written_by_colour():
    t = table("courtiers", COURT, players=3)
    t.names = ("Ann", "Cat", "Dan")
    assert t.say("spy Red guard").long == "spy on Cat for a guard"
    t.play("spy Red regent")
    assert [str(t.events(seat, 1, you=True)[0]) for seat in (0, 1, 2)] == [
        "You spy on Cat for a regent.",
        "Ann spies on you for a regent.",
        "Ann spies on Cat for a regent.",
    ]
    assert str(t.moves[0][1]) == "spy Red regent"
    t = table("courtiers", {**COURT, "hand 0": "guard", "hand 1": "spy"}, ["0 guard -"], players=3)
    t.names = ("Ann", "Cat", "Dan")
    with pytest.raises(clew.IllegalMove, match=r"^Green is not a rival whom you can choose"):
        t.play("spy Green guard")  # nobody sits there
    with pytest.raises(clew.IllegalMove, match=r"^Ann is not a rival whom you can choose"):
        t.play("spy Blue guard")


def test_a_guard_cannot_be_chosen_and_a_spy_is_laid_down_only_without_rivals():
    deal = {**COURT, "hand 0": "guard", "hand 1": "spy"}
    t = table("courtiers", deal, players=3)
    assert rule_of(t, "duellist -") == "COU-08"
    t.play("guard -")
    assert rule_of(t, "spy Blue guard") == "COU-03"
    assert rule_of(t, "regent -") == "COU-03"


# Masks

STAGE = {"hand 0": "1 2 3 4 5 6", "hand 1": "1 2 3 4 5 6", "aside": "7 7 8 8 9 9"}


def on_the_east(t, chair):
    return t.view(chair)["table"]["seats"][0]["mask"]["east"]


def test_a_mask_is_known_to_who_laid_it_until_it_falls():
    t = table("masks", STAGE)
    t.play("6 east")
    assert [on_the_east(t, seat) for seat in (0, 1, None)] == [["6"], ["?"], ["?"]]
    assert [str(event) for event in t.events(1)][-1] == "Blue lays a card in the east."
    assert [str(event) for event in t.events(0, you=True)][-1] == "You lay 6 in the east."
    t.play("1 west")
    t.play("unmask east first")
    assert on_the_east(t, 1) == ["6"]
    t.play("2 west")
    assert rule_of(t, "unmask east first") == "MAS-03"
    assert rule_of(t, "6 east") == "MAS-02"


def test_a_mask_may_be_taken_back_and_an_unmasked_one_may_not():
    t = table("masks", STAGE)
    t.play("6 east")
    assert str(t.undo(0)) == "6 east"
    t = table("masks", STAGE, ["0 6 east", "1 1 west"])
    t.play("unmask east first")
    with pytest.raises(clew.CannotUndo):
        t.undo(0)


def test_two_deals_that_differ_behind_a_mask_look_the_same_to_the_other():
    one = table("masks", STAGE, ["0 6 east"])
    two = table("masks", {**STAGE, "hand 0": "1 2 3 4 5 7", "aside": "6 7 8 8 9 9"}, ["0 7 east"])
    for seat in (1, None):
        assert one.view(seat) == two.view(seat)
        assert one.events(seat) == two.events(seat)
    assert one.legal_moves(1) == two.legal_moves(1)
    assert refusal_to_undo(one) == refusal_to_undo(two)


def refusal_to_undo(t):
    with pytest.raises(clew.CannotUndo) as refused:
        t.undo(1)
    return str(refused.value)
