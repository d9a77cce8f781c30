"""Aathenuo, rule by rule, on constructed deals; what a layout must look like is in test_aathenuo_sets.py."""

import math
import os
import random
import re
import subprocess
import sys
from collections import Counter

import pytest
from aathenuo_deals import all_tiles, held, laid, lay, lying, rack, record, refused, table

import clew
from clew import BadOption, BadRecord, CannotUndo
from clew.core.game import load
from clew.core.knowledge import dream, look
from clew.core.rng import stream

rule = pytest.mark.rule

NOTHING = "R1 R4 Y6 B8 G3"  # a rack without a set
SMALL = {"colours": 3, "copies": 1, "stars": 0}  # 24 tiles, each once


def seats(t, chair=None):
    return t.view(chair)["table"]["seats"]


def bag(t):
    return t.view(None)["table"]["bag"]


def told(t, chair=None):
    return [str(event) for event in t.events(chair)]


# The tiles and the start


@rule("AAT-01")
@pytest.mark.parametrize(
    ("tiles", "count"),
    [
        ({}, 100),
        ({"colours": 3}, 75),
        ({"colours": 6, "copies": 3, "stars": 4}, 168),
        ({"colours": 4, "copies": 2, "stars": 0}, 64),
        ({"colours": 5, "copies": 1, "stars": 3}, 55),
    ],
)
def test_each_colour_has_copies_of_1_to_8_and_stars(tiles, count):
    lines = clew.new("aathenuo", seed=3, options=tiles).deal_lines()
    dealt = [tile for key, line in lines.items() if not key.startswith("drawoff") for tile in line.split()]
    assert len(dealt) == count
    assert Counter(dealt) == Counter(all_tiles(**tiles))


@rule("AAT-01")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"colours": 2}, "colours"),
        ({"colours": 7}, "colours"),
        ({"copies": 0}, "copies"),
        ({"copies": 4}, "copies"),
        ({"stars": -1}, "stars"),
        ({"stars": 5}, "stars"),
        ({"hand": 4}, "hand"),
        ({"hand": 15}, "hand"),
        ({"must_play": "maybe"}, "must_play"),
        ({"joker": 1}, "joker"),
    ],
)
def test_other_options_are_refused(options, said):
    with pytest.raises(BadOption, match=said):
        clew.new("aathenuo", seed=1, options=options)


@rule("AAT-01")
def test_options_that_need_more_tiles_than_there_are_are_refused():
    with pytest.raises(BadOption, match="24"):
        clew.new("aathenuo", players=2, seed=1, options={**SMALL, "hand": 13})
    with pytest.raises(BadOption, match="28"):
        clew.new("aathenuo", players=4, seed=1, options={**SMALL, "hand": 7})
    t = clew.new("aathenuo", players=2, seed=1, options={**SMALL, "hand": 12})
    assert bag(t) == 0
    for players in (1, 5):
        with pytest.raises(BadOption, match="2 to 4"):
            clew.new("aathenuo", players=players, seed=1)


@rule("AAT-01")
@pytest.mark.parametrize(
    ("line", "text", "fault"),
    [
        ("rack 0", "R1 R2 R3 R4 R9", "R9"),
        ("rack 0", "R1 R2 R3 R4 P1", "P1"),  # not with four colours
        ("rack 0", "R1 R2 R3 R4", "4 pieces instead of 5"),
        ("rack 0", "R* R* R3 R4 R5", "R\\* is dealt once too often"),
        ("rack 2", "R1 R2 R3 R4 R5", "rack 2"),
        ("bag", "R1", "bag"),
        ("drawoff 1", "R8", "drawoff 1"),
        ("drawoff 1", "R8 -", "drawoff 1"),
        ("drawoff 1", "R8 Y8", "tied"),  # nobody leads yet
        ("drawoff 2", "R8 R1", "drawoff 2"),  # somebody leads already
    ],
)
def test_a_deal_that_is_none_is_refused_with_its_line(line, text, fault):
    lines = [row for row in record("", "", hand=5).splitlines() if not row.startswith(f"deal {line}:")]
    lines.insert(5, f"deal {line}: {text}")
    with pytest.raises(BadRecord, match=fault) as error:
        clew.replay("\n".join(lines) + "\n")
    assert error.value.line == 0 or lines[error.value.line - 1].startswith("deal ")


@rule("AAT-02")
@pytest.mark.parametrize(
    ("drawoff", "first"),
    [
        (["R8 Y7"], 0),
        (["R3 Y7"], 1),
        (["R8 Y*"], 1),  # a star beats an 8
        (["R8 Y8", "B1 G2"], 1),
        (["R* Y*", "B* G*", "R1 Y1", "R2 Y1"], 0),
        (["R3 Y7 B7", "- Y1 B2"], 2),  # only those who are level draw again
        (["R7 Y7 B7 G1", "R2 Y2 B1 -", "R1 Y6 - -"], 1),
        (["R1 Y2 B3 G4"], 3),
    ],
)
def test_the_largest_number_begins_and_those_who_are_level_draw_again(drawoff, first):
    racks = [""] * len(drawoff[0].split())
    t = table(*racks, drawoff=drawoff)
    assert t.to_move == (first,)
    assert [t.deal_lines()[f"drawoff {i}"] for i in range(1, len(drawoff) + 1)] == drawoff


@rule("AAT-02")
@pytest.mark.parametrize(
    "drawoff",
    [
        ["R3 Y7 B7"],  # they are level
        ["R3 Y7 B7", "R1 Y1 B2"],  # Blue is not level
        ["R3 Y7 B7", "- Y1 -"],
        ["R* Y*", "R* G*", "R1 Y2"],  # there is one red star, and it is out
        ["R3 Y7 B9"],
        ["R3 Y7 P8"],
    ],
)
def test_a_draw_off_that_cannot_have_been_is_refused(drawoff):
    with pytest.raises(BadRecord):
        table(*[""] * len(drawoff[0].split()), drawoff=drawoff)


@rule("AAT-02")
def test_everybody_sees_the_draw_off():
    t = table("", "", "", drawoff=["R3 Y7 B7", "- Y1 B2"])
    for chair in (None, 0, 1, 2):
        opening = " ".join(told(t, chair))
        assert all(tile in opening for tile in ("red 3", "yellow 7", "blue 7", "yellow 1", "blue 2"))
        assert "Gold" in opening
    assert t.events(None)[0].rule == "AAT-02"


@rule("AAT-02")
def test_the_tiles_of_the_draw_off_go_back_into_the_bag():
    t = table("R8 R8 R8", "R1 R1 R1", drawoff=["R8 R1"])  # dealt to the racks again
    assert rack(t, 0).count("R8") == 3


@rule("AAT-02")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seat_begins_as_often(players):
    tables = [clew.new("aathenuo", players=players, seed=seed) for seed in range(400)]
    firsts = Counter(t.to_move[0] for t in tables)
    assert set(firsts) == set(range(players))
    assert min(firsts.values()) > 0.75 * 400 / players
    assert max(len([key for key in t.deal_lines() if key.startswith("drawoff")]) for t in tables) > 1


@rule("AAT-03")
@pytest.mark.parametrize(("players", "hand"), [(2, 10), (3, 10), (4, 10), (2, 5), (4, 14)])
def test_everybody_draws_a_hand_and_the_rest_is_the_bag(players, hand):
    t = clew.new("aathenuo", players=players, seed=5, options={"hand": hand})
    assert held(t) == [hand] * players
    assert bag(t) == 100 - players * hand
    assert lying(t) == {}


@rule("AAT-03")
def test_turns_go_clockwise_from_the_first():
    t = table(NOTHING, NOTHING, NOTHING, hand=5, drawoff=["R1 R2 Y8"])
    for seat in (2, 0, 1, 2):
        assert t.to_move == (seat,)
        assert refused(t, "draw", (seat + 1) % 3).rule == "COM-08"
        t.play(t.legal_moves()[0])


# Secrets


@rule("AAT-04")
@rule("COM-02")
def test_others_see_how_many_tiles_of_which_colours_and_no_numbers():
    racks = [("R1 R4 R* Y6 B8", "G3 Y1 Y4 B5 B6"), ("R7 R5 R2 Y8 B1", "G3 Y1 Y4 B5 B6")]
    one, two = (table(*both, hand=5) for both in racks)
    assert one.deal_lines() != two.deal_lines()
    for chair in (1, None):
        assert one.view(chair) == two.view(chair)
        assert told(one, chair) == told(two, chair)
    assert one.view(0) != two.view(0)
    colours = seats(one, 1)[0]["colours"]
    assert {letter: count for letter, count in colours.items() if count} == {"R": 3, "Y": 1, "B": 1}
    assert rack(one, 0) == sorted(["R1", "R4", "R*", "Y6", "B8"])


@rule("AAT-04")
def test_the_order_of_a_rack_tells_nothing():
    one, two = (table(mine, NOTHING, hand=5) for mine in ("R1 R4 R* Y6 B8", "B8 R* Y6 R4 R1"))
    for chair in (0, 1, None):
        assert one.view(chair) == two.view(chair)


@rule("AAT-04")
def test_a_drawn_tile_is_told_to_its_player_and_its_colour_to_all():
    one, two = (table(NOTHING, NOTHING, hand=5, bag=drawn) for drawn in ("B2", "B*"))
    for t in (one, two):
        t.play("draw")
    assert "blue 2" in told(one, 0)[-1]
    assert "blue star" in told(two, 0)[-1]
    for chair in (1, None):
        assert told(one, chair) == told(two, chair)
        assert seats(one, chair)[0]["colours"] == seats(two, chair)[0]["colours"]
        assert seats(one, chair)[0]["colours"]["B"] == 2
        assert "blue" in told(one, chair)[-1]


@rule("AAT-04")
def test_nobody_sees_the_order_of_the_bag():
    one, two = (table(NOTHING, NOTHING, hand=5, bag=order) for order in ("B2 B3 R7", "R7 B3 B2"))
    for chair in (0, 1, None):
        assert one.view(chair) == two.view(chair)


@rule("AAT-04")
def test_moves_and_reasons_tell_nothing_about_the_others():
    mine = "R1 R2 R3 Y6 B8"
    one, two = (table(mine, theirs, hand=5) for theirs in ("G1 G3 G4 Y1 B5", "G2 G5 G* Y3 B6"))
    assert one.view(0) == two.view(0)
    assert list(map(str, one.legal_moves())) == list(map(str, two.legal_moves()))
    for move in ("draw", "pass", "G1@0,0", "R1@0,0 R2@1,0", "R1@0,0 R2@1,0 Y6@2,0"):
        assert str(refused(one, move)) == str(refused(two, move))


@rule("AAT-04")
def test_every_rack_that_the_colours_allow_is_imagined_as_often():
    game, rng, worlds = load("aathenuo"), stream(1, "test"), 12_000
    t = clew.new("aathenuo", seed=3, options={"colours": 3, "copies": 1, "stars": 0, "hand": 5})
    known = look(game, t._states[-1], 0)
    racks, next_tiles = [Counter(), Counter(), Counter()], [Counter(), Counter(), Counter()]
    for _ in range(worlds):
        s = dream(game, known, rng)[0]
        for colour in range(3):
            racks[colour][s.rack[1, 9 * colour : 9 * colour + 9].tobytes()] += 1
        next_tiles[s.bag[s.top] // 9][int(s.bag[s.top])] += 1
    for colour in range(3):
        unseen = 8 - int(known[0].rack[0, 9 * colour : 9 * colour + 9].sum())
        assert len(racks[colour]) == math.comb(unseen, int(known[0].colours_held[1, colour]))
        for counts in (racks[colour], next_tiles[colour]):
            expected = counts.total() / len(counts)
            chi2 = sum((count - expected) ** 2 / expected for count in counts.values())
            freedom = len(counts) - 1
            assert abs(chi2 - freedom) < 6 * math.sqrt(2 * freedom + 1)
        assert len(next_tiles[colour]) == unseen


@rule("AAT-04")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_imagined_world_looks_the_same_to_its_chair_and_keeps_the_colours(players):
    game, rng, dice = load("aathenuo"), stream(players, "test"), random.Random(players)
    t = clew.new("aathenuo", players=players, seed=players)
    everything = Counter(all_tiles())
    while t.to_move and len(t.moves) < 40:
        for chair in (-1, *range(players)):
            known = look(game, t._states[-1], chair)
            world = dream(game, known, rng)
            assert look(game, world, chair).tobytes() == known.tobytes()
            hidden, imagined = t._states[-1].copy(), world.copy()
            game.kernels.cover(hidden[0], chair)
            game.kernels.cover(imagined[0], chair)
            assert hidden.tobytes() == imagined.tobytes()
            s = world[0]
            left = [int(kind) for kind in s.bag[s.top :]]
            racks = [kind for row in s.rack for kind in range(54) for _ in range(row[kind])]
            kinds = [*racks, *left, *map(int, s.tile[: s.tiles])]
            assert Counter("RYBGPO"[kind // 9] + "12345678*"[kind % 9] for kind in kinds) == everything
        t.play(dice.choice(t.legal_moves()))


@rule("AAT-04")
def test_every_unseen_tile_of_a_colour_is_as_likely():
    game, rng = load("aathenuo"), stream(1, "test")
    t = table("R1 R2 R3 R4 Y1", "R5 Y2 Y4 Y6 B1", hand=5, moves=[lay("R1 R2 R3")])
    known = look(game, t._states[-1], 0)
    counts = Counter()
    for _ in range(2200):
        world = dream(game, known, rng)[0]
        (red,) = [kind for kind in range(9) if world.rack[1, kind]]
        counts[red] += 1
    unseen = {0: 2, 1: 2, 2: 2, 3: 2, 4: 3, 5: 3, 6: 3, 7: 3, 8: 1}  # 21 red tiles
    assert sum((counts[kind] - 2200 * n / 21) ** 2 / (2200 * n / 21) for kind, n in unseen.items()) < 27


# A turn


@rule("AAT-05")
def test_you_play_one_tile_or_as_many_as_you_like():
    for move, left in [("R4@3,0", 13), ("R4@3,0 R5@4,0", 12), ("R4@3,0 R5@4,0 Y1@0,1 B1@0,2", 10)]:
        t = laid("R1 R2 R3", then="R4 R5 Y1 B1")
        t.play(move)
        assert held(t) == [11, left]
        assert t.to_move == (0,)


@rule("AAT-06")
def test_who_cannot_play_draws_and_the_turn_ends():
    t = table(NOTHING, NOTHING, hand=5, bag="Y2 G7")
    assert list(map(str, t.legal_moves())) == ["draw"]
    t.play("draw")
    assert rack(t, 0) == sorted([*NOTHING.split(), "Y2"])
    assert t.to_move == (1,)
    t.play("draw")
    assert rack(t, 1) == sorted([*NOTHING.split(), "G7"])
    assert bag(t) == 88
    assert lying(t) == {}


@rule("AAT-06")
@pytest.mark.parametrize(
    ("rows", "mine"),
    [
        ([], "R1 R2 R3 Y6 B8"),  # a set from the rack
        (["R1 R2 R3"], "R4 Y6 B8 G3 G1"),  # at the end of a run
        (["R1 Y1 B1"], "G1 Y6 B8 G3 R8"),
        (["R1 R2 R3"], "Y2 B2 Y6 B8 G3"),  # across
        (["R3 R4 R5 R6 R7"], "R5 Y1 Y8 B1 G8"),  # the run must be cut in two
        (["R3 R4 R*"], "R5 Y1 Y8 B1 G8"),  # the star makes room
    ],
)
def test_drawing_is_refused_while_there_is_a_play_which_is_not_told(rows, mine):
    t = laid(*rows, then=f"{mine} G1", hand=6) if rows else table(mine, NOTHING, hand=5)
    assert "draw" not in map(str, t.legal_moves())
    error = refused(t, "draw")
    assert error.rule == "AAT-06"
    assert error.reason.startswith("You have a play")
    assert not re.search(r"[RYBGPO][1-8*]|\d", error.reason)


@rule("AAT-06")
def test_in_a_free_game_you_may_draw_although_you_could_play():
    t = table("R1 R2 R3 Y6 B8", NOTHING, hand=5, must_play="free")
    *plays, last = map(str, t.legal_moves())
    assert last == "draw"
    assert plays
    t.play("draw")
    assert held(t) == [6, 5]


@rule("AAT-06")
def test_a_free_game_lets_you_pass_only_when_the_bag_is_empty():
    t = table("R1 R2 R3 Y6 B8", NOTHING, hand=5, must_play="free")
    assert refused(t, "pass").rule == "AAT-13"
    t = table("R1 R2 R3", "", hand=12, must_play="free", **SMALL)
    assert refused(t, "draw").rule == "AAT-06"
    t.play("pass")
    assert t.to_move == (1,)


@rule("AAT-11")
def test_a_turn_is_declared_whole_and_a_refused_one_changes_nothing():
    t = laid("R1 R2 R3", then="R4 Y4")
    for move in ("Y4@3,0", "R4@3,0 Y4@4,0", "R4@4,0", "R4@3,0 0,0>9,9"):
        refused(t, move)  # which looks that nothing has changed
    t.play("R4@3,0")
    assert t.to_move == (0,)


@rule("AAT-11")
def test_an_ended_turn_stays_as_the_tiles_have_been_seen():
    t = laid("R1 R2 R3", then="R4")
    t.play("R4@3,0")
    with pytest.raises(CannotUndo):
        t.undo(1)


# The end


@rule("AAT-12")
def test_the_first_without_tiles_wins():
    t = table("R1 R2 R3 R4 R5", NOTHING, hand=5)
    events = t.play(lay("R1 R2 R3 R4 R5"))
    assert t.to_move == ()
    assert str(t.outcome) == "places 1 2; scores 0 5; ended out"
    assert events[-1].kind == "end"
    assert refused(t, "draw", 1).rule == "COM-08"
    assert clew.replay(t.record()).outcome == t.outcome


RUNS = ["R1 R2 R3 R4 R5", "Y1 Y2 Y3 Y4 Y5", "B1 B2 B3 B4 B5", "G1 G2 G3 G4 G5"]


def across(row, y):
    return " ".join(f"{tile}@{x},{y}" for x, tile in enumerate(row.split()))


@rule("AAT-12")
def test_three_play_on_for_the_second_place():
    t = table(RUNS[0], NOTHING, RUNS[2], hand=5, bag="G8")
    t.play(across(RUNS[0], 0))
    assert t.outcome is None
    assert t.to_move == (1,)
    t.play(t.legal_moves()[0])
    assert t.to_move == (2,)
    t.play(across(RUNS[2], 9))
    assert t.outcome.places == (1, 3, 2)
    assert t.outcome.ended == "out"


@rule("AAT-12")
def test_four_play_on_for_all_places_and_who_is_out_is_left_out():
    t = table(RUNS[0], "G6 G7 G8 R7 Y7", RUNS[2], "Y8 B8 R8 R6 B6", hand=5)
    t.play(across(RUNS[0], 0))
    t.play("G6@0,20 G7@1,20 G8@2,20")
    t.play(across(RUNS[2], 9))
    assert [seat.get("place") or None for seat in seats(t)] == [1, None, 2, None]
    t.play("Y8@0,30 B8@1,30 R8@2,30")
    assert t.to_move == (1,)
    assert refused(t, "draw", 0).rule == "COM-08"
    for _ in range(200):
        if not t.to_move:
            break
        assert t.to_move[0] in (1, 3)
        t.play(t.legal_moves()[0])
    assert t.outcome.ended == "out"
    assert t.outcome.places in ((1, 3, 2, 4), (1, 4, 2, 3))
    assert sorted(t.outcome.scores)[:3] == [0, 0, 0]


STUCK = "R1 R2 R5 R6 Y3 Y4 Y7 Y8", "R3 R4 R7 R8 Y1 Y2 Y5 Y6"  # no three in a row, and no number in all three colours


@rule("AAT-13")
def test_with_an_empty_bag_who_cannot_play_passes_and_when_all_have_passed_it_is_over():
    t = table(f"{STUCK[0]} B1 B3 B5 B7", f"{STUCK[1]} B2 B4 B6 B8", hand=12, **SMALL)
    assert list(map(str, t.legal_moves())) == ["pass"]
    assert refused(t, "draw").rule == "AAT-06"
    t.play("pass")
    assert t.outcome is None
    t.play("pass")
    assert str(t.outcome) == "places 1 2; scores 12 12; ended passes"  # 52 against 56
    assert t.to_move == ()
    assert clew.replay(t.record()).outcome == t.outcome


@rule("AAT-13")
def test_equal_sums_share_the_place():
    t = table(f"{STUCK[0]} B1 B4 B6 B7", f"{STUCK[1]} B2 B3 B5 B8", hand=12, moves=["pass", "pass"], **SMALL)
    assert str(t.outcome) == "places 1 1; scores 12 12; ended passes"


@rule("AAT-13")
def test_passing_is_refused_while_there_is_a_play():
    t = table("R1 R2 R3", "", hand=12, **SMALL)
    assert refused(t, "pass").rule == "AAT-13"
    assert "pass" not in map(str, t.legal_moves())


@rule("AAT-13")
def test_a_play_begins_the_count_of_passes_anew():
    t = table("R1 R2 R3", "Y1 Y2 Y3", hand=12, must_play="free", **SMALL)
    for move in ("pass", lay("Y1 Y2 Y3"), "pass"):
        t.play(move)
        assert t.outcome is None
    t.play("pass")
    assert str(t.outcome) == "places 2 1; scores 12 9; ended passes"


@rule("AAT-13")
def test_the_open_places_go_by_fewest_tiles_then_by_the_lowest_sum_with_a_star_as_9():
    mine = "R1 R2 R3 R4 R5 R6 R7 R8 R*", "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y*", "B1 B2 B3 B4 B5 B6 B7 B8 B*"
    deal = {"hand": 9, "must_play": "free", "colours": 3, "copies": 1, "stars": 1}
    both = [across("R1 R2 R3", 0), across("Y1 Y2 Y3", 9)]
    t = table(*mine, moves=[*both, "pass", "pass", "pass"], **deal)
    assert str(t.outcome) == "places 1 1 3; scores 6 6 9; ended passes"  # 39 each
    t = table(*mine, moves=[across("R1 R2 R3", 0), across("Y4 Y5 Y6", 9), "pass", "pass", "pass"], **deal)
    assert t.outcome.places == (2, 1, 3)  # 39 against 30
    t = table(*mine, moves=[across("R1 R2 R3", 0), across("Y6 Y7 Y*", 9), "pass", "pass", "pass"], **deal)
    assert t.outcome.places == (2, 1, 3)
    t = table(*mine, moves=[across("R6 R7 R8", 0), across("Y6 Y7 Y*", 9), "pass", "pass", "pass"], **deal)
    assert t.outcome.places == (2, 1, 3)  # Y* counts 9 and R8 only 8: 24 against 23
    t = table(*mine, moves=[across("R1 R2 R3 R4", 0), across("Y6 Y7 Y*", 9), "pass", "pass", "pass"], **deal)
    assert t.outcome.places == (1, 2, 3)  # five tiles against six


@rule("AAT-13")
def test_who_went_out_keeps_the_place_when_the_others_pass():
    t = table("R1 R2 R3 R4 R5 R6 R7 R8", "Y1 Y2 Y5 Y6 B3 B4 B7 B8", "", hand=8, **SMALL)
    for move in (across("R1 R2 R3 R4 R5 R6 R7 R8", 0), "pass", "pass"):
        t.play(move)
    assert str(t.outcome) == "places 1 2 2; scores 0 8 8; ended passes"


# Bad input


@rule("AAT-05")
@rule("AAT-06")
@rule("AAT-07")
@rule("AAT-10")
@rule("COM-03")
@pytest.mark.parametrize(
    ("move", "broken", "said"),
    [
        ("G7@3,0", "AAT-05", "green 7"),  # not on the rack
        ("R4@3,0 R4@4,0", "AAT-05", "only one red 4"),  # only once on the rack
        ("P4@3,0", "AAT-05", "purple 4"),  # there is no purple at this table
        ("R4@0,0", "AAT-07", "The red 1 and the red 4"),  # where a tile lies
        ("R4@3,0 Y4@3,0", "AAT-07", "The red 4 and the yellow 4"),  # two on one cell
        ("R4@3,0 0,0>3,0", "AAT-07", "The red 1 and the red 4"),
        ("R4@3,0 0,0>1,0", "AAT-07", "The red 1 and the red 2"),
        ("R4@3,0 0,0>5,5 0,0>6,6", "AAT-10", "The red 1 can go to one place"),  # doubled
        ("R4@100,0", "AAT-07", "beyond the table"),
        ("R4@3,-100", "AAT-07", "beyond the table"),
        ("R4@3,0 0,0>0,100", "AAT-07", "beyond the table"),
        ("R4@3,0 7,7>8,8", "AAT-10", "no tile to move"),  # nothing lies there
        ("R4@3,0 100,7>8,8", "AAT-07", "beyond the table"),
        ("R4@3,0 0,0>0,0", "AAT-10", "The red 1 lies there already"),  # onto its own cell
        ("0,0>0,5", "AAT-05", "your rack"),  # no tile from the rack
        ("pass", "AAT-13", "bag"),
        ("draw", "AAT-06", "You have a play"),
        ("R4@4,0", "AAT-07", "The red 4 is in no set"),  # it is left alone
        ("R4@3,0 0,0>0,5", "AAT-07", "The red 1 is in no set"),
    ],
)
def test_a_bad_move_is_refused_by_the_rule_it_breaks_and_names_the_tile(move, broken, said):
    t = laid("R1 R2 R3", then="R4 Y4 B6 B8 Y2 G2", hand=6)
    error = refused(t, move)
    assert error.rule == broken
    assert said in error.reason


@rule("COM-06")
@pytest.mark.parametrize(
    "text",
    ["", "R4", "R4@", "R4@3", "R4@3,", "@3,0", "r4@3,0", "R9@3,0", "R0@3,0", "R44@3,0", "X4@3,0", "4R@3,0", "R4@3, 0"]
    + ["R4@03,0", "R4@-0,0", "R4@+3,0", "R4@3.0", "R4 @3,0", "R4@3,0,0", "R4@3,0;Y4@4,0", "R4@３,0", "R4@x,y"]
    + ["1,1>", ">1,1", "1,1>2", "1,1-2,1", "R4@3,0 draw", "draw draw", "DRAW", "draw 1", "passes", "hint"]
    + ["R4@3,0 " * 2000, "0" * 9000, "R4@99999999999999999999,0"],
)
def test_unreadable_words_are_no_move(text):
    error = refused(laid("R1 R2 R3", then="R4 Y4"), text)
    assert error.rule == "COM-06"


@rule("COM-06")
def test_the_parts_of_a_play_may_stand_in_any_order_and_are_written_in_one():
    t = laid("R1 R2 R3", then="R4 Y1 B1")
    t.play("0,0>0,1 B1@0,2 2,0>2,1 R4@3,1 1,0>1,1 Y1@0,3")
    assert str(t.moves[-1][1]) == "R4@3,1 B1@0,2 Y1@0,3 0,0>0,1 1,0>1,1 2,0>2,1"
    assert clew.replay(t.record()).record() == t.record()


@rule("COM-06")
def test_every_listed_play_is_read_back_and_accepted():
    game = load("aathenuo")
    for players in (2, 3, 4):
        t = clew.new("aathenuo", players=players, seed=players)
        dice = random.Random(players)
        while t.to_move and len(t.moves) < 30:
            moves = t.legal_moves()
            seat = t.to_move[0]
            v = look(game, t._states[-1], seat)[0]
            assert len({str(move) for move in moves}) == len(moves) <= game.rules.MOVES
            for move in moves:
                code = game.words.parse(str(move), v)
                assert code.tobytes() == move.code.tobytes()
                assert game.kernels.refusal(t._states[-1][0], seat, code) == 0
            t.play(dice.choice(moves))


@rule("AAT-10")
def test_the_edge_of_the_grid_is_a_cell_like_any_other():
    t = table("R1 R2 R3", "R4 R5", moves=["R1@97,-99 R2@98,-99 R3@99,-99"])
    assert refused(t, "R4@100,-99").rule == "AAT-07"
    t.play("R4@96,-99 97,-99>99,-99 99,-99>97,-99")
    assert lying(t) == {"96,-99": "R4", "97,-99": "R3", "98,-99": "R2", "99,-99": "R1"}


# Whole games

RANDOM_GAMES = """
import sys
import numpy as np
from clew.core.game import load
from clew.core.options import read_options
from clew.core.rng import stream
game = load("aathenuo")
game.ready()
for players in (2, 3, 4):
    for given in ({}, {"colours": 6, "stars": 4, "hand": 14}, {"colours": 3, "copies": 1, "stars": 0, "hand": 5}):
        blank = game.blank(read_options("", game.options, given), players)
        states, rng, out = game.states(2), stream(players, "test"), game.moves(game.rules.MOVES)
        states[0] = blank[0]
        for _ in range(int(sys.argv[1]) // 3 + 1):
            moves = game.kernels.random_games(1, states, rng, out)
            s = states[1]
            out_of_tiles = sum(s.place[seat] > 0 for seat in range(players))
            assert s.ended == 1 and out_of_tiles == players - 1 or s.ended == 2 and s.passes == players - out_of_tiles
            assert moves == s.turns <= game.rules.LONGEST
print("done")
"""
MANY = os.environ.get("CLEW_MANY_GAMES", "600")  # with each number of players; more take minutes


@rule("AAT-12")
@rule("AAT-13")
@rule("COM-05")
@pytest.mark.slow
def test_random_games_under_bounds_checking_end_only_as_the_rules_say():
    command = [sys.executable, "-c", RANDOM_GAMES, MANY]
    done = subprocess.run(command, env={**os.environ, "NUMBA_BOUNDSCHECK": "1"}, capture_output=True, text=True)
    assert done.stdout == "done\n", done.stderr


@rule("AAT-12")
@pytest.mark.slow
def test_two_players_who_play_the_first_listed_move_never_come_to_a_standstill():
    endings = Counter()
    for seed in range(30):
        t = clew.new("aathenuo", players=2, seed=seed)
        while t.to_move:
            t.play(t.legal_moves()[0])
        endings[t.outcome.ended] += 1
    assert endings == {"out": 30}
