"""Labyrinth, rule by rule, on constructed deals."""

import functools
import itertools
import random
import re
from collections import Counter

import numpy as np
import pytest
from rich.console import Console

import clew
from clew import BadOption, BadRecord, IllegalMove
from clew.core.game import load
from clew.core.knowledge import dream, look
from clew.core.rng import stream
from clew.games.labyrinth.picture import picture

rule = pytest.mark.rule

CARDS = [f"c{number:02}" for number in range(1, 51)]
CORRIDORS = "c16r1 c17r1 c23r1 c24r1"  # rows 0 and 1 run from west to east, open at both ends
TREASURES = [
    *("candelabra", "crown", "ghost", "troll", "map", "money bag", "key", "ring", "sword", "helmet", "book", "gem"),
    *("owl", "bat", "dragon", "mouse", "spider", "beetle", "lizard", "genie", "chest", "skull", "lantern", "goblet"),
    "horn",
]


def record(*moves, start=CORRIDORS, then="", players=2, first=0, options="hand=1", **lines):
    """A record with these moves. With one card each, the cards are played in the order of the hands and the deck."""
    known = [move[:3] for move in moves] + then.split()
    square = [name[:3] for name in start.split()]
    cards = known + [card for card in CARDS if card not in known + square]
    deal = {"first": str(first), "start": start}
    deal |= {f"hand {seat}": cards[(seat - first) % players] for seat in range(players)}
    deal["deck"] = " ".join(cards[players:])
    head = ["clew-record 1", "game: labyrinth", "rules: 1", f"options: {options}", f"players: {players}"]
    head += [f"deal {key}: {text}" for key, text in (deal | lines).items()]
    played = [f"{(first + i) % players} {move}" for i, move in enumerate(moves)]
    return "\n".join([*head, "moves:", *played]) + "\n"


def table(*moves, **deal):
    """A table at which these moves have been made."""
    return clew.replay(record(*moves, **deal))


def written(t, seat=None):
    return [str(move) for move in t.legal_moves(seat)]


def takes(t, placement):
    """The sets of cells that can be taken with this placement."""
    moves = [move.split(" !") for move in written(t)]
    return {frozenset(cells) for placed, *cells in moves if placed == placement}


def sets(*texts):
    return {frozenset(text.split()) for text in texts}


def seen(t, seat=None):
    return t.view(seat)["table"]


def taken(t, chair=None):
    """The cards that lie before each player, by their names."""
    return [[face["card"] for face in player["taken"]] for player in seen(t, chair)["seats"]]


def lying(t):
    return {f"{card['x']},{card['y']}": f"{card['card']}r{card['rotation']}" for card in seen(t)["labyrinth"]}


def refused(t, move, seat=None):
    before = t.record(), [t.view(chair) for chair in (None, *range(t.players))]
    with pytest.raises(IllegalMove) as error:
        t.play(move, seat)
    assert (t.record(), [t.view(chair) for chair in (None, *range(t.players))]) == before
    return error.value.rule


def reason(t, move):
    with pytest.raises(IllegalMove) as error:
        t.play(move)
    return error.value.reason


def play_out(t, choose=lambda moves: next(move for move in moves if "!" not in str(move))):
    """To the end, by default without a take."""
    while t.to_move:
        t.play(choose(t.legal_moves()))
    return t


# The table


@rule("LAB-01")
def test_the_deck_is_fifty_cards_with_two_of_25_treasures_each_on_four_cards_and_no_pair_twice():
    t = play_out(clew.new("labyrinth", seed=1))  # nobody takes a card, so that all lie there
    faces = {card["card"]: card for card in seen(t)["labyrinth"]}
    assert sorted(faces) == CARDS
    pairs = [frozenset(face["treasures"]) for face in faces.values()]
    assert all(len(pair) == 2 for pair in pairs)
    assert len(set(pairs)) == 50
    assert Counter(treasure for pair in pairs for treasure in pair) == dict.fromkeys(TREASURES, 4)
    assert Counter(face["shape"] for face in faces.values()) == {"straight": 13, "bend": 19, "T": 18}


@rule("LAB-01")
@pytest.mark.parametrize(
    ("card", "treasures", "shape", "sides"),
    [
        ("c01", ["candelabra", "crown"], "straight", ["NS", "EW"]),
        ("c25", ["horn", "candelabra"], "bend", ["NE", "ES", "SW", "NW"]),
        ("c26", ["candelabra", "ring"], "bend", ["NE", "ES", "SW", "NW"]),
        ("c50", ["horn", "key"], "T", ["NES", "ESW", "NSW", "NEW"]),
    ],
)
def test_what_is_printed_on_a_card_and_how_it_turns(card, treasures, shape, sides):
    face = seen(table(then=card), 0)["hand"][0]
    assert face == {"card": card, "treasures": treasures, "shape": shape, "open": sides}


@rule("LAB-02")
@pytest.mark.parametrize(("players", "hand"), [(2, 2), (2, 1), (3, 2), (4, 3), (5, 2), (6, 2), (6, 4)])
def test_hands_and_a_square_are_dealt_and_the_rest_is_the_deck(players, hand):
    t = clew.new("labyrinth", players=players, seed=5, options={"hand": hand})
    lines = t.deal_lines()
    assert list(lines) == ["first", "start", *(f"hand {seat}" for seat in range(players)), "deck"]
    assert [len(lines[f"hand {seat}"].split()) for seat in range(players)] == [hand] * players
    cards = [name[:3] for key in list(lines)[1:] for name in lines[key].split()]
    assert sorted(cards) == CARDS
    assert set(lying(t)) == {"0,0", "1,0", "0,1", "1,1"}
    assert " ".join(lying(t).values()) == lines["start"]
    assert seen(t)["deck"] == 46 - players * hand


@rule("LAB-02")
def test_the_square_lies_at_random_but_never_closed():
    tables = [clew.new("labyrinth", seed=seed) for seed in range(300)]
    turned = Counter(card["rotation"] for t in tables for card in seen(t)["labyrinth"] if card["shape"] != "straight")
    assert set(turned) == {0, 1, 2, 3}
    assert min(turned.values()) > 0.2 * turned.total()
    straight = Counter(card["rotation"] for t in tables for card in seen(t)["labyrinth"] if card["shape"] == "straight")
    assert set(straight) == {0, 1}
    assert all(t.legal_moves() for t in tables)


RING = "c03r1 c04r2 c05r0 c10r3"  # four bends that lead into each other


@rule("LAB-02")
@pytest.mark.parametrize(
    ("line", "text", "fault"),
    [
        ("start", "c16r2 c17r1 c23r1 c24r1", "no piece 'c16r2'"),
        ("start", "c16 c17r1 c23r1 c24r1", "no piece 'c16'"),
        ("start", "c16r1 c17r1 c23r1", "3 pieces instead of 4"),
        ("start", "c16r1 c16r0 c23r1 c24r1", "c16 is dealt once too often"),
        ("hand 0", "c02", "c02 is dealt once too often .*, and c01 is missing"),
        ("hand 1", "c02 c03", "2 pieces instead of 1"),
        ("hand 2", "c02", "no line 'hand 2'"),
        ("first", "2", "a number from 0 to 1"),
    ],
)
def test_a_deal_that_is_none_is_refused(line, text, fault):
    lines = [row for row in record().splitlines() if not row.startswith(f"deal {line}:")]
    lines.insert(5, f"deal {line}: {text}")
    with pytest.raises(BadRecord, match=fault) as error:
        clew.replay("\n".join(lines) + "\n")
    assert lines[error.value.line - 1].startswith("deal ")


@rule("LAB-02")
def test_a_square_that_no_path_leads_out_of_is_refused():
    with pytest.raises(BadRecord, match="line 7: No path leads out of the square"):
        table(start=RING)


@rule("LAB-02")
def test_one_open_side_to_the_outside_is_enough():
    t = table(start="c03r1 c04r2 c05r0 c13r3")  # the ring with a T that has a way out to the east
    assert {move.split("@")[1] for move in written(t)} == {"2,1"}


@rule("LAB-02")
def test_the_paths_of_the_square_need_not_meet():
    assert table(start="c01r0 c02r1 c09r1 c16r0").to_move == (0,)


@rule("LAB-02")
def test_the_first_player_is_drawn_by_the_seed_or_named_by_the_table():
    firsts = Counter(clew.new("labyrinth", players=6, seed=seed).to_move for seed in range(300))
    assert set(firsts) == {(seat,) for seat in range(6)}
    assert min(firsts.values()) > 25
    named = [clew.new("labyrinth", players=4, seed=seed, options={"first": "3"}) for seed in range(20)]
    assert {t.to_move for t in named} == {(3,)}
    assert str(named[0].events(None)[0]) == "Green begins."
    assert table(first=1).to_move == (1,)


@rule("LAB-02")
def test_a_seat_that_is_not_there_cannot_begin():
    with pytest.raises(BadOption, match="a seat from 0 to 2"):
        clew.new("labyrinth", players=3, seed=1, options={"first": "3"})
    with pytest.raises(BadRecord, match="seat 1 begins"):
        table(options="hand=1 first=1", first=0)
    assert table(options="hand=1 first=1", first=1).to_move == (1,)


# Placing


@rule("LAB-03")
def test_a_card_goes_where_an_open_side_meets_an_open_side():
    t = table(then="c01")
    assert set(written(t)) == {"c01r1@-1,0", "c01r1@2,0", "c01r1@-1,1", "c01r1@2,1"}
    t.play("c01r1@2,0")
    assert lying(t)["2,0"] == "c01r1"


@rule("LAB-03")
def test_other_sides_may_meet_walls():
    t = table("c01r1@2,0", then="c13")  # 2,1 lies beside the wall of 2,0
    assert "c13r2@2,1" in written(t)  # open to the north and to the west
    assert "c13r0@2,1" not in written(t)  # open north, east and south, but not to the west


@rule("LAB-03")
def test_every_rotation_that_shows_an_open_side_to_the_path_fits():
    t = table(then="c13")
    assert {move for move in written(t) if "@2,0" in move} == {"c13r1@2,0", "c13r2@2,0", "c13r3@2,0"}
    t = table(then="c03")
    assert {move for move in written(t) if "@2,0" in move} == {"c03r2@2,0", "c03r3@2,0"}


@rule("LAB-03")
def test_you_must_place_a_card_even_if_nothing_matches():
    t = table(then="c01")
    assert all(move.startswith("c01r") for move in written(t))
    assert refused(t, "") == "COM-06"
    assert refused(t, "pass") == "COM-06"


# Connecting


@rule("LAB-04")
def test_a_treasure_is_connected_round_a_long_path_over_several_cards():
    round_way = ["c03r3@2,0", "c04r2@2,-1", "c01r1@1,-1", "c02r1@0,-1", "c05r1@-1,-1"]
    t = table(*round_way, start="c31r1 c09r1 c23r1 c24r1", then="c38")
    # c38 lies beside c31 with a wall between them; the way from owl to owl leads over seven cards.
    assert takes(t, "c38r0@-1,0") == sets("", "0,0")
    events = t.play("c38r0@-1,0 !0,0")
    assert str(events[1]) == "Red connects two owls."
    assert str(events[2]) == "Red takes the money bag and owl card."


@rule("LAB-04")
def test_neighbours_with_a_wall_between_them_are_not_connected():
    way = ["c04r2@1,-1", "c01r1@0,-1", "c05r1@-1,-1", "c02r1@2,1"]
    t = table(*way, start="c31r1 c09r0 c23r1 c24r1", then="c38")
    assert takes(t, "c38r0@-1,0") == sets("")
    assert refused(t, "c38r0@-1,0 !0,0") == "LAB-04"
    assert reason(t, "c38r0@-1,0 !0,0") == "No path leads from the owl and genie card to the money bag and owl card."
    assert takes(t, "c38r1@-1,0") == sets("", "0,0")


@rule("LAB-04")
def test_other_treasures_on_the_way_do_not_matter():
    t = table("c30r1@2,0", "c31r1@3,0", then="c38")  # over mice, spiders, a beetle, a map and a gem
    assert takes(t, "c38r1@-1,0") == sets("", "3,0")


@rule("LAB-04")
def test_a_card_placed_joins_paths_that_did_not_meet_before():
    t = table("c31r1@2,0", "c38r1@2,1", "c05r0@-1,1", then="c13")
    assert takes(t, "c13r3@-1,0") == sets("", "2,0")  # open west, north and east: row 0
    assert takes(t, "c13r2@-1,0") == sets("", "2,1")  # open south, west and north: row 1
    assert takes(t, "c13r0@-1,0") == sets("", "2,0", "2,1", "2,0 2,1")


# Taking

OWLS = "c31r1 c38r1 c23r1 c24r1"  # two owls in row 0


@rule("LAB-05")
def test_three_of_a_kind():
    t = table("c01r1@2,1", start=OWLS, then="c13")
    assert takes(t, "c13r1@2,0") == sets("", "0,0", "1,0", "0,0 1,0")
    events = t.play("c13r1@2,0 !0,0 !1,0")
    assert [str(event) for event in events[1:6]] == [
        "Red connects three owls.",
        "Red takes the money bag and owl card and the owl and genie card.",
        "The path from owl to owl leads over 3 cards.",
        "The path from owl to owl leads over 2 cards.",
        "Red has 2 cards.",
    ]
    assert set(lying(t)) == {"0,1", "1,1", "2,1", "2,0"}


@rule("LAB-05")
def test_both_treasures_at_once():
    t = table("c01r1@2,1", start="c31r1 c14r1 c23r1 c24r1", then="c13")
    assert takes(t, "c13r1@2,0") == sets("", "0,0", "1,0", "0,0 1,0")
    events = t.play("c13r1@2,0 !0,0 !1,0")
    assert [str(event) for event in events[1:4]] == [
        "Red connects two owls.",
        "Red connects two bats.",
        "Red takes the money bag and owl card and the bat and dragon card.",
    ]
    assert [event.data.get("treasure") for event in events[1:4]] == ["owl", "bat", None]


@rule("LAB-05")
def test_all_six_others_that_show_a_treasure_of_the_card():
    bats = ["c39r3@2,1", "c32r3@1,2", "c12r1@0,2"]  # and an owl
    others = ["c03r0@-1,0", "c04r1@-1,-1", "c01r1@0,-1", "c02r1@1,-1", "c09r1@2,-1", "c17r1@-1,1"]
    t = table(*bats, *others, start="c31r1 c38r1 c23r1 c14r1", then="c13")
    t.play("c13r1@2,0 !0,0 !1,0 !1,1 !2,1 !0,2 !1,2")
    assert taken(t)[1] == ["c12", "c14", "c31", "c32", "c38", "c39"]
    assert "Red connects four owls." in map(str, t.events(None))


def pointed_out(t, chair):
    """The paths of the last move as a chair is told them: treasure, card taken, how it lay, cells."""
    told = [event for event in t.events(chair) if event.kind == "path"]
    return [(e.data["treasure"], *e.data["cards"], e.data["rotation"], " ".join(e.data["way"])) for e in told]


@rule("LAB-05")
@pytest.mark.parametrize("chair", [None, 0, 1])
def test_the_path_between_the_treasures_is_pointed_out_to_everybody(chair):
    t = table("c01r1@2,1", "c13r1@2,0 !0,0 !1,0", start=OWLS)
    assert pointed_out(t, chair) == [("owl", "c31", 1, "2,0 1,0 0,0"), ("owl", "c38", 1, "2,0 1,0")]
    told = [(event.text, event.rule, event.seat) for event in t.events(chair) if event.kind == "path"]
    assert told == [
        ("The path from owl to owl leads over 3 cards.", "LAB-05", 1),
        ("The path from owl to owl leads over 2 cards.", "LAB-05", 1),
    ]


@rule("LAB-05")
def test_no_path_is_pointed_out_where_nothing_is_taken():
    t = table("c01r1@2,1", "c13r1@2,0", start=OWLS)
    assert any(event.kind == "connect" for event in t.events(None))
    assert pointed_out(t, None) == []


@rule("LAB-05")
def test_a_path_pointed_out_runs_through_open_sides_and_is_the_shortest():
    steps = {(0, -1): ("N", "S"), (1, 0): ("E", "W"), (0, 1): ("S", "N"), (-1, 0): ("W", "E")}
    paths = 0
    for seed in range(6):
        t = clew.new("labyrinth", players=3, seed=seed)
        rng = random.Random(seed)
        while t.to_move:
            seat = t.to_move[0]
            moves = sorted(map(str, t.legal_moves(seat)), key=lambda move: -move.count("!"))
            move = moves[0] if rng.random() < 0.7 else rng.choice(moves)
            table_before = seen(t)
            faces = {face["card"]: face for face in t.view(seat)["table"]["hand"]}
            lies = {f"{card['x']},{card['y']}": card["open"][card["rotation"]] for card in table_before["labyrinth"]}
            card, rotation, cell = re.fullmatch(r"(c\d\d)r(\d)@(\S+).*", move).groups()
            lies[cell] = faces[card]["open"][int(rotation)]
            far = distances(lies, cell, steps)
            events = [event for event in t.play(move, seat) if event.kind == "path"]
            assert [event.data["cells"] for event in events] == [[taken] for taken in move.split(" !")[1:]]
            for event in events:
                way = event.data["way"]
                assert (way[0], way[-1]) == (cell, event.data["cells"][0])
                assert [far[one] for one in way] == list(range(len(way)))
                paths += len(way) > 3
    assert paths > 10


def distances(lies, start, steps):
    """How many cards each cell is away along the paths, worked out apart from the game."""
    far, walk = {start: 0}, [start]
    for here in walk:
        x, y = map(int, here.split(","))
        for (dx, dy), (out, back) in steps.items():
            there = f"{x + dx},{y + dy}"
            if out in lies[here] and back in lies.get(there, "") and there not in far:
                far[there] = far[here] + 1
                walk.append(there)
    return far


@rule("LAB-05")
def test_the_card_just_placed_stays():
    t = table("c01r1@2,1", start=OWLS, then="c13")
    assert refused(t, "c13r1@2,0 !2,0") == "LAB-05"
    t.play("c13r1@2,0 !0,0")
    assert lying(t)["2,0"] == "c13r1"


@rule("LAB-05")
def test_a_connected_card_without_a_like_treasure_is_not_taken():
    t = table("c01r1@2,1", start=OWLS, then="c15")
    assert takes(t, "c15r1@2,0") == sets("")
    assert refused(t, "c15r1@2,0 !0,0") == "LAB-05"


@rule("LAB-06")
def test_connections_are_judged_before_anything_is_removed():
    t = table("c01r1@2,1", start=OWLS, then="c13")
    t.play("c13r1@2,0 !0,0 !1,0")  # the way to 0,0 leads over 1,0
    assert taken(t)[1] == ["c31", "c38"]


@rule("LAB-06")
def test_you_take_all_some_or_none():
    for move, said in [
        ("c13r1@2,0", ["Red leaves the money bag and owl card and the owl and genie card."]),
        ("c13r1@2,0 !1,0", ["Red takes the owl and genie card.", "Red leaves the money bag and owl card."]),
        ("c13r1@2,0 !0,0 !1,0", ["Red takes the money bag and owl card and the owl and genie card."]),
    ]:
        t = table("c01r1@2,1", start=OWLS, then="c13")
        assert [str(event) for event in t.play(move) if event.kind in ("take", "leave")] == said


@rule("LAB-07")
def test_the_card_placed_must_not_be_left_alone():
    t = table(start=OWLS, then="c13")
    assert takes(t, "c13r1@2,0") == sets("", "0,0")
    assert refused(t, "c13r1@2,0 !1,0") == "LAB-07"
    assert reason(t, "c13r1@2,0 !0,0 !1,0") == "That would leave the owl and bat card alone."


@rule("LAB-07")
def test_a_take_must_not_isolate_any_card():
    t = table("c31r1@2,0", "c01r1@3,0", then="c38")
    assert takes(t, "c38r1@-1,0") == sets("")
    assert refused(t, "c38r1@-1,0 !2,0") == "LAB-07"
    assert reason(t, "c38r1@-1,0 !2,0") == "That would leave the candelabra and crown card alone."
    events = t.play("c38r1@-1,0")
    assert "The money bag and owl card must stay for the labyrinth to hold." in map(str, events)


@rule("LAB-07")
def test_corners_do_not_count():
    t = table("c13r3@2,0", "c01r0@2,-1", then="c38")
    assert refused(t, "c38r1@-1,0 !2,0") == "LAB-07"  # c01 at 2,-1 would touch 1,0 at a corner only


@rule("LAB-07")
def test_two_can_be_taken_where_one_of_them_alone_cannot():
    t = table("c31r1@2,0", "c38r1@3,0", then="c13")
    assert takes(t, "c13r3@-1,0") == sets("", "3,0", "2,0 3,0")
    assert reason(t, "c13r3@-1,0 !2,0") == "That would leave the owl and genie card alone."
    t.play("c13r3@-1,0 !2,0 !3,0")
    assert taken(t)[0] == ["c31", "c38"]


@rule("LAB-07")
def test_each_can_be_taken_alone_where_both_together_cannot():
    t = table("c31r1@2,0", "c01r1@3,0", "c38r1@4,0", then="c13")
    assert takes(t, "c13r3@-1,0") == sets("", "2,0", "4,0")
    assert reason(t, "c13r3@-1,0 !2,0 !4,0") == "That would leave the candelabra and crown card alone."


@rule("LAB-07")
def test_the_labyrinth_can_shrink_to_two_cards_and_no_further():
    t = table(start="c12r1 c14r1 c31r0 c38r0", then="c13")  # three owls, a bat, and c13 has both
    around = [set(), {"0,0"}, {"0,1"}, {"1,1"}, {"0,0", "0,1"}, {"0,1", "1,1"}, {"0,0", "0,1", "1,1"}]
    assert takes(t, "c13r2@2,0") == set(map(frozenset, around))
    assert refused(t, "c13r2@2,0 !0,0 !1,1") == "LAB-07"  # 0,1 alone
    assert refused(t, "c13r2@2,0 !0,0 !1,0 !0,1 !1,1") == "LAB-07"  # c13 alone
    t.play("c13r2@2,0 !0,0 !0,1 !1,1")
    assert set(lying(t)) == {"1,0", "2,0"}
    assert t.legal_moves()


@rule("LAB-07")
def test_without_the_option_the_labyrinth_may_fall_apart_and_grows_on_in_both_parts():
    t = table("c31r1@2,0", "c01r1@3,0", "c38r1@4,0", "c13r3@-1,0 !2,0", then="c02")
    assert {"c02r1@2,0", "c02r1@5,0", "c02r1@-2,0"} <= set(written(t))


ONE_PIECE = "hand=1 labyrinth=one_piece"


@rule("LAB-07")
def test_with_one_piece_all_cards_left_hang_together():
    t = table("c31r1@2,0", "c01r1@3,0", "c38r1@4,0", then="c13", options=ONE_PIECE)
    assert takes(t, "c13r3@-1,0") == sets("", "4,0")
    assert refused(t, "c13r3@-1,0 !2,0") == "LAB-07"
    assert "pieces" in reason(t, "c13r3@-1,0 !2,0")
    assert reason(t, "c13r3@-1,0 !2,0 !4,0") == "That would leave the candelabra and crown card alone."


@rule("LAB-07")
def test_with_one_piece_too_two_can_go_where_one_cannot():
    way = ["c31r1@2,0", "c38r1@3,0", "c37r1@4,0"]
    assert takes(table(*way, then="c13", options=ONE_PIECE), "c13r3@-1,0") == sets("")
    way = ["c31r1@2,0", "c01r1@2,1", "c38r1@3,0"]
    assert takes(table(*way, then="c13", options=ONE_PIECE), "c13r3@-1,0") == sets("", "3,0", "2,0 3,0")
    ring = table("c31r1@2,0", "c01r1@2,1", "c02r1@3,0", "c09r1@3,1", then="c38", options=ONE_PIECE)
    assert takes(ring, "c38r1@-1,0") == sets("", "2,0")  # the others hang together round the gap


@rule("LAB-08")
def test_each_card_taken_is_a_point_and_everybody_sees_it():
    t = table("c01r1@2,1", "c13r1@2,0 !0,0 !1,0", start=OWLS)
    for chair in (None, 0, 1):
        assert [seat["score"] for seat in seen(t, chair)["seats"]] == [0, 2]
        assert taken(t, chair) == [[], ["c31", "c38"]]
        assert seen(t, chair)["seats"][1]["taken"][0] == {
            "card": "c31",
            "shape": "straight",
            "treasures": ["money bag", "owl"],
            "open": ["NS", "EW"],
        }
    assert "Red has 2 cards." in map(str, t.events(0))


@rule("LAB-09")
def test_a_turn_draws_back_to_the_hand_and_passes_to_the_left():
    t = clew.new("labyrinth", players=3, seed=1, options={"first": "1", "hand": 3})
    deck = t.deal_lines()["deck"].split()
    for turn in range(7):
        seat = (1 + turn) % 3
        assert t.to_move == (seat,)
        t.play(t.legal_moves()[0])
        assert deck[turn] in [card["card"] for card in seen(t, seat)["hand"]]
        assert [player["cards"] for player in seen(t)["seats"]] == [3, 3, 3]
        assert seen(t)["deck"] == len(deck) - turn - 1


@rule("LAB-09")
@rule("LAB-10")
@pytest.mark.parametrize(("players", "hand"), [(2, 2), (3, 4), (5, 1), (6, 2)])
def test_the_last_cards_are_played_without_a_draw_and_the_hands_run_out_in_turn(players, hand):
    t = clew.new("labyrinth", players=players, seed=8, options={"hand": hand, "first": "0"})
    dice = random.Random(3)
    for turn in range(46):
        assert t.to_move == (turn % players,)
        events = t.play(dice.choice(t.legal_moves()))
        drew = turn < 46 - players * hand
        assert any(event.kind == "draw" for event in events) == drew
        held = [player["cards"] for player in seen(t)["seats"]]
        assert sum(held) == min(players * hand, 45 - turn)
        assert max(held) - min(held) <= 1
    assert t.outcome.ended == "played"
    assert t.to_move == ()
    assert str(events[-1]).startswith("All cards are played: ")
    assert refused(t, "c01r0@0,0", 0) == "COM-08"


# The end


@rule("LAB-10")
def test_most_cards_win_and_equal_counts_share_the_place():
    t = play_out(table("c01r1@2,1", "c13r1@2,0 !0,0", "c12r2@3,0 !1,0", start=OWLS, players=3))
    assert t.outcome.scores == (0, 1, 1)
    assert t.outcome.places == (3, 1, 1)
    assert str(t.events(None)[-1]).endswith("Red and Gold share the win with 1 card each.")


@rule("LAB-10")
def test_the_winner_has_the_most_cards():
    t = play_out(table("c01r1@2,1", "c13r1@2,0 !0,0 !1,0", start=OWLS, players=4))
    assert t.outcome.places == (2, 1, 2, 2)
    assert str(t.events(None)[-1]).endswith("Red wins with 2 cards.")
    assert clew.replay(t.record()).outcome == t.outcome


@rule("LAB-10")
def test_six_players_play_all_fifty_cards():
    t = play_out(clew.new("labyrinth", players=6, seed=4), random.Random(4).choice)
    assert t.outcome.ended == "played"
    assert len(t.moves) == 46
    assert sorted([card[:3] for card in lying(t).values()] + [card for cards in taken(t) for card in cards]) == CARDS
    assert t.outcome.scores == tuple(map(len, taken(t)))
    ranks = [1 + sum(other > score for other in t.outcome.scores) for score in t.outcome.scores]
    assert list(t.outcome.places) == ranks
    assert clew.replay(t.record()).record() == t.record()


ALMOST_CLOSED = {"start": "c03r1 c09r1 c04r0 c16r1"}  # a loop that is open at 2,0 and 2,1


@rule("LAB-11")
def test_a_closed_labyrinth_ends_the_game_at_once():
    t = table("c11r2@2,0", then="c39", **ALMOST_CLOSED)
    assert "c39r3@2,1" in written(t)
    events = t.play("c39r3@2,1")
    assert t.to_move == ()
    assert t.legal_moves() == []
    assert str(t.outcome) == "places 1 1; scores 0 0; ended closed"
    assert (
        str(events[-1]) == "No path leads out of the labyrinth any more: Blue and Red share the win with 0 cards each."
    )
    assert [player["cards"] for player in seen(t)["seats"]] == [1, 1]  # they count for nobody
    assert clew.replay(t.record()).outcome == t.outcome


@rule("LAB-11")
def test_a_take_that_opens_the_labyrinth_keeps_the_game_going():
    t = table("c11r2@2,0", then="c47", **ALMOST_CLOSED)
    assert {"c47r3@2,1", "c47r3@2,1 !0,0"} <= set(written(t))  # trolls at 0,0 and 0,1
    t.play("c47r3@2,1 !0,0")
    assert t.outcome is None
    assert {move.split("@")[1] for move in written(t)} == {"0,0"}


@rule("LAB-11")
def test_while_a_path_leads_out_every_card_fits():
    t = table("c11r2@2,0", then="c01", **ALMOST_CLOSED)  # only 2,1 is left
    assert [move for move in written(t) if "!" not in move] == ["c01r0@2,1", "c01r1@2,1"]


# Bad input

STRAIGHT = "The owl and genie card is straight: turned twice it is as it was, so it is turned once at most."
NO_PATH = "Turned so, the owl and genie card carries on no path there: no open side of it meets an open side."
NOT_ALIKE = "The mouse and spider card shows no owl and no genie, the treasures of the card that you place."


@pytest.mark.parametrize(
    ("move", "broken", "said"),
    [
        ("c39r3@-1,0", "LAB-03", "You do not hold the bat and chest card."),
        (
            "c38r2@-1,0",
            "LAB-03",
            STRAIGHT,
        ),
        ("c38r1@0,0", "LAB-03", "The mouse and spider card lies there already."),
        ("c38r1@9,9", "LAB-03", "No card lies side by side with that place."),
        ("c38r1@-999,999", "LAB-03", "No card lies side by side with that place."),
        ("c38r1@4,-1", "LAB-03", "No card lies side by side with that place."),  # a corner is not a side
        ("c38r0@-1,0", "LAB-03", NO_PATH),
        ("c38r0@2,-1", "LAB-03", NO_PATH),
        ("c38r1@-1,1 !2,0", "LAB-04", "No path leads from the owl and genie card to the money bag and owl card."),
        ("c38r1@-1,0 !-1,0", "LAB-05", "The owl and genie card is the one that you place: it stays."),
        ("c38r1@-1,0 !7,7", "LAB-05", "There is no card to take at that place."),
        ("c38r1@-1,0 !0,0", "LAB-05", NOT_ALIKE),
        ("c38r1@-1,0 !2,0", "LAB-07", "That would leave the candelabra and crown card alone."),
        ("c38r1@-1,0 !3,0 !2,0", "COM-06", "Takes are written in reading order and each once: !2,0 !3,0."),
        ("c38r1@-1,0 !2,0 !2,0", "COM-06", "Takes are written in reading order and each once: !2,0."),
        ("c38r1@-1,0 !0,1 !2,0", "COM-06", "Takes are written in reading order and each once: !2,0 !0,1."),
        ("c51r1@-1,0", "LAB-01", "There is no card c51; cards are c01 to c50."),
        ("c00r1@-1,0", "LAB-01", "There is no card c00; cards are c01 to c50."),
    ],
)
@rule("LAB-01")
@rule("LAB-03")
@rule("LAB-05")
@rule("LAB-07")
@rule("COM-03")
def test_a_bad_move_is_refused_by_the_rule_it_breaks_and_changes_nothing(move, broken, said):
    t = table("c31r1@2,0", "c01r1@3,0", then="c38")
    assert refused(t, move) == broken
    assert reason(t, move) == said


@rule("COM-06")
@pytest.mark.parametrize(
    "text",
    ["", "c38", "c38r1", "c38@-1,0", "c38r4@-1,0", "C38r1@-1,0", "c38r1@-01,0", "c38r1@-0,0", "c38r1@+1,0", "c8r1@-1,0"]
    + ["c38r1@-1, 0", "c38r1@-1,0 !", "c38r1@-1,0  !3,0", "c38r1@-1,0!3,0", "c38r1@-1,0 3,0", "c38r1@1000,0", "-1,0"]
    + ["c３８r1@-1,0", "c38r1@-1,0\n!3,0", "c38r1@-1,0 !3,0,0", "c38r1@-1", "c" * 9000],
)
def test_there_is_one_written_form(text):
    assert refused(table("c31r1@2,0", "c01r1@3,0", then="c38"), text) == "COM-06"


@rule("COM-08")
def test_nobody_moves_out_of_turn():
    assert refused(table(then="c01 c02", players=3), "c02r1@2,0", 1) == "COM-08"


# Secrets


def two_worlds():
    """Two tables of three that Blue, and those who watch, cannot tell apart: Blue's cards are the same in both."""
    moves = ["c31r1@2,0", "c01r1@2,1", "c38r1@-1,0 !2,0", "c02r1@3,1"]
    known = {*(move[:3] for move in moves), *(name[:3] for name in CORRIDORS.split()), "c03", "c04"}
    rest = [card for card in CARDS if card not in known]
    worlds = []
    for red, gold, *deck in (rest, rest[::-1]):
        lines = {"hand 0": "c31 c02", "hand 1": f"c01 {red}", "hand 2": f"{gold} c38"}
        lines["deck"] = " ".join(["c03", *deck[:2], "c04", *deck[2:]])  # Blue draws the first and the fourth
        worlds.append(table(*moves, players=3, options="hand=2", **lines))
    return worlds


@rule("LAB-12")
@rule("COM-02")
def test_a_view_does_not_change_with_what_the_chair_cannot_see():
    one, two = two_worlds()
    assert one.deal_lines() != two.deal_lines()
    for chair in (0, None):
        assert one.view(chair) == two.view(chair)
        assert [event.json() for event in one.events(chair)] == [event.json() for event in two.events(chair)]
    assert one.legal_moves(0) == two.legal_moves(0) == []
    assert one.view(1) != two.view(1)
    assert one.view(2) != two.view(2)
    for t in (one, two):
        for _ in range(2):
            t.play(next(move for move in t.legal_moves() if "!" not in str(move)))
    # Red and Gold have shown different cards now, so that the worlds differ for Blue too.
    assert one.view(0) != two.view(0)


@rule("LAB-12")
def test_moves_and_reasons_do_not_change_with_what_the_chair_cannot_see():
    known = {"c31", "c02", *(name[:3] for name in CORRIDORS.split())}
    rest = [card for card in CARDS if card not in known]
    one, two = (
        table(options="hand=2", **{"hand 0": "c31 c02", "hand 1": " ".join(cards[:2]), "deck": " ".join(cards[2:])})
        for cards in (rest, rest[::-1])
    )
    assert one.view(0) == two.view(0)
    assert written(one) == written(two)
    bad = ["c31r1@0,0", "c31r1@2,0 !0,0", f"{rest[0]}r1@2,0", f"{rest[-1]}r1@2,0"]
    assert [reason(one, move) for move in bad] == [reason(two, move) for move in bad]


@rule("LAB-12")
def test_the_draw_is_told_to_its_player_only():
    t = table("c01r1@2,0", then="c02 c13")
    assert "Blue draws the owl and bat card." in map(str, t.events(0))
    for chair in (1, None):
        assert "Blue draws a card." in map(str, t.events(chair))
        assert not any("c13" in str(event.json()) for event in t.events(chair))
        assert "c13" in seen(t, chair)["unseen"]
    assert seen(t)["hand"] == []
    assert seen(t)["placements"] == {}


@rule("LAB-12")
def test_a_card_that_was_seen_is_counted():
    t = table("c01r1@2,1", "c13r1@2,0 !0,0", start=OWLS)
    unseen = seen(t, 0)["unseen"]
    shown = {"c31", "c38", "c23", "c24", "c01", "c13", seen(t, 0)["hand"][0]["card"]}
    assert sorted(unseen) == sorted(set(CARDS) - shown)


@rule("LAB-12")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_an_imagined_world_looks_the_same_to_its_chair_and_deals_only_unseen_cards(players):
    game = load("labyrinth")
    dice, rng = random.Random(players), stream(players, "test")
    t = clew.new("labyrinth", players=players, seed=players, options={"hand": 1 + players % 4})
    while t.to_move:
        if dice.random() < 0.3 or len(t.moves) > 40:
            for chair in (-1, *range(players)):
                known = look(game, t._states[-1], chair)
                world = dream(game, known, rng)
                assert look(game, world, chair).tobytes() == known.tobytes()
                hidden, imagined = t._states[-1].copy(), world.copy()
                game.kernels.cover(hidden[0], chair)
                game.kernels.cover(imagined[0], chair)
                assert hidden.tobytes() == imagined.tobytes()
                hidden_cards = [*world[0].hands.flat, *world[0].deck]
                unseen = [CARDS[card] for card in hidden_cards if card >= 0 and card not in known[0].hands]
                assert sorted(unseen) == seen(t, chair if chair >= 0 else None)["unseen"]
        t.play(dice.choice(t.legal_moves()))


@rule("LAB-12")
def test_every_unseen_card_is_as_likely_everywhere():
    game = load("labyrinth")
    t = table("c01r1@2,1", "c13r1@2,0 !0,0", start=OWLS, players=3)
    known, rng = look(game, t._states[-1], 2), stream(1, "test")
    worlds = [dream(game, known, rng)[0] for _ in range(4300)]
    unseen = {CARDS.index(card) for card in seen(t, 2)["unseen"]}
    for place in (lambda s: s.hands[0, 3], lambda s: s.hands[1, 3], lambda s: s.deck[3], lambda s: s.deck[43]):
        counts = Counter(int(place(world)) for world in worlds)
        assert set(counts) == unseen
        assert sum((n - 4300 / len(unseen)) ** 2 / (4300 / len(unseen)) for n in counts.values()) < 2 * len(unseen)


# Held against an independent enumeration, written from the rule sheet alone


@functools.cache
def open_sides(card, rotation):
    """The steps to the cells that a card opens to."""
    number = 7 * (int(card[1:]) - 1) % 50
    printed = "NS" if number < 13 else "NE" if number < 32 else "NES"
    if printed == "NS" and rotation > 1:
        return []
    return [((0, -1), (1, 0), (0, 1), (-1, 0))[("NESW".index(side) + rotation) % 4] for side in printed]


def treasures(card):
    k = int(card[1:]) - 1
    return {k, (k + 1) % 25} if k < 25 else {k - 25, (k - 25 + 7) % 25}


def beside(cell):
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))]


def meeting(board, cell):
    """The neighbours of a card on the board that its path leads to."""
    found = []
    for dx, dy in open_sides(*board[cell]):
        other = cell[0] + dx, cell[1] + dy
        if other in board and (-dx, -dy) in open_sides(*board[other]):
            found.append(other)
    return found


def hangs_together(cells, links):
    reached, walk = {cells[0]}, [cells[0]]
    for here in walk:
        for other in links(here):
            if other in cells and other not in reached:
                reached.add(other)
                walk.append(other)
    return reached


def slow_placements(board, hand):
    free = {cell for lies in board for cell in beside(lies)} - set(board)
    for cell, card, rotation in itertools.product(sorted(free), hand, range(4)):
        if meeting({**board, cell: (card, rotation)}, cell):
            yield card, rotation, cell


def slow_takes(board, card, rotation, cell, one_piece):
    """All sets of cells that may be taken."""
    placed = {**board, cell: (card, rotation)}
    reached = hangs_together([cell, *board], lambda here: meeting(placed, here))
    takeable = [c for c in board if c in reached and treasures(board[c][0]) & treasures(card)]
    allowed = set()
    for size in range(len(takeable) + 1):
        for taken in itertools.combinations(takeable, size):
            left = [c for c in placed if c not in taken]
            if all(any(other in left for other in beside(c)) for c in left):
                if not one_piece or len(hangs_together(left, beside)) == len(left):
                    allowed.add(frozenset(taken))
    return allowed


def named(cell):
    return f"{cell[0]},{cell[1]}"


def random_tables(games, seed, players=(2, 3, 4, 5, 6)):
    """Every position of random games with every option, and with all legal moves; some hardly ever take."""
    dice = random.Random(seed)
    for number in range(games):
        options = {"labyrinth": ("no_isolated", "one_piece")[number % 2], "hand": dice.choice([1, 2, 2, 3, 4])}
        t = clew.new("labyrinth", players=players[number % len(players)], seed=seed + number, options=options)
        thrift = dice.choice([0, 0.5, 0.9])
        while t.to_move:
            moves = t.legal_moves()
            yield t, moves, dice
            if dice.random() < thrift:
                moves = [move for move in moves if "!" not in str(move)]
            t.play(dice.choice(moves))


@rule("LAB-03")
@rule("LAB-04")
@rule("LAB-05")
@rule("LAB-06")
@rule("LAB-07")
@rule("LAB-11")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_on_2000_positions_the_legal_moves_are_those_of_a_slow_enumeration(players):
    positions = 0
    for t, moves, dice in random_tables(9, 100 * players, [players]):
        positions += 1
        table = seen(t, t.to_move[0])
        board = {(card["x"], card["y"]): (card["card"], card["rotation"]) for card in table["labyrinth"]}
        hand = [card["card"] for card in table["hand"]]
        found = {}
        for move in moves:
            placed, *cells = str(move).split(" !")
            found.setdefault(placed, []).append(frozenset(cells))
        expected = {
            f"{card}r{turn}@{named(cell)}": (card, turn, cell) for card, turn, cell in slow_placements(board, hand)
        }
        assert set(found) == set(expected)
        assert {placed[:3] for placed in found} == set(hand)  # LAB-11: every card fits somewhere
        # All placements of every hundredth position, and two of each other.
        for placed in expected if positions % 100 == 0 else dice.sample(sorted(expected), min(2, len(expected))):
            allowed = slow_takes(board, *expected[placed], t.options["labyrinth"] == "one_piece")
            assert len(found[placed]) == len(allowed)
            assert set(found[placed]) == {frozenset(map(named, taken)) for taken in allowed}
        assert sorted(told_by_the_view(table)) == sorted(map(str, moves))
    assert positions >= 400


def told_by_the_view(table):
    """The moves that the view names: each placement, and with it which cards may be taken together."""
    for placed, cells in table["placements"].items():
        yield from (f"{placed}@{cell}" for cell in cells)
    for take in table["takes"]:
        assert len(take["cells"]) == len(take["treasures"])
        for rotation, taken in itertools.product(take["rotations"], take["sets"]):
            cells = [cell for i, cell in enumerate(take["cells"]) if taken >> i & 1]
            yield " !".join([f"{take['card']}r{rotation}@{take['cell']}", *cells])


@rule("LAB-06")
def test_the_view_names_the_treasures_that_a_placement_connects():
    t = table("c01r1@2,1", start="c31r1 c14r1 c23r1 c24r1", then="c13")
    there = [take for take in seen(t, 1)["takes"] if take["cell"] == "2,0"]
    assert there == [
        {
            "card": "c13",
            "cell": "2,0",
            "rotations": [1, 2, 3],
            "cells": ["0,0", "1,0"],
            "treasures": ["owl", "bat"],
            "sets": [1, 2, 3],
        }
    ]
    assert seen(t)["takes"] == []


@rule("LAB-03")
@pytest.mark.parametrize("way", [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (-1, -1)])
def test_nothing_bounds_the_labyrinth(way):
    def along(x, y):
        return x * way[0] + y * way[1]

    def onwards(move):
        placed, cell = str(move).split("@")
        sides = open_sides(placed[:3], int(placed[-1]))
        return along(*map(int, cell.split(","))) + max(along(*side) for side in sides)

    def farthest(moves):
        return max((move for move in moves if "!" not in str(move)), key=onwards)

    t = clew.new("labyrinth", seed=11, options={"hand": 4})
    while len(t.moves) < 45:
        t.play(farthest(t.legal_moves()))
    board = {(card["x"], card["y"]): (card["card"], card["rotation"]) for card in seen(t)["labyrinth"]}
    hand = [card["card"] for card in seen(t, t.to_move[0])["hand"]]
    expected = {f"{card}r{turn}@{named(cell)}" for card, turn, cell in slow_placements(board, hand)}
    assert {str(move).split(" ")[0] for move in t.legal_moves()} == expected
    assert max(along(*cell) for cell in board) > 20


def test_every_written_move_is_read_back_and_every_listed_one_is_accepted():
    for t, moves, dice in random_tables(3, 20):
        v = look(t.game, t._states[-1], t.to_move[0])[0]
        for move in dice.sample(moves, min(10, len(moves))):
            assert t.game.words.parse(str(move), v) == move.code
            assert t.game.kernels.refusal(t._states[-1][0], t.to_move[0], move.code) == 0
        assert len(moves) == len({str(move) for move in moves}) <= t.game.rules.MOVES


def test_no_code_but_those_of_the_list_is_accepted():
    for t, moves, dice in random_tables(3, 50):
        codes = {move.code for move in moves}
        s, seat = t._states[-1][0], t.to_move[0]
        for code in dice.sample(sorted(codes), min(5, len(codes))):
            for bit in range(40):
                wrong = np.int64(code ^ 1 << bit)
                assert (t.game.kernels.refusal(s, seat, wrong) == 0) == (int(wrong) in codes)
        assert t.game.kernels.refusal(s, seat, np.int64(-1)) != 0


def test_the_picture_fits_80_columns_and_names_the_cells():
    console = Console(width=200)
    for t, _, _ in random_tables(2, 3):
        with console.capture() as captured:
            console.print(picture(t.view(t.to_move[0])))
        lines = captured.get().splitlines()
        assert max(map(len, lines)) <= 80
        for name in ("x", "y"):
            assert str(max(card[name] for card in seen(t)["labyrinth"])) in captured.get()


@rule("LAB-08")
def test_the_picture_shows_which_cards_were_taken():
    console = Console(width=80)
    t = table("c01r1@2,1", "c13r1@2,0 !0,0 !1,0", start=OWLS)
    with console.capture() as captured:
        console.print(picture(t.view(None)))
    assert "\n    c31 c38\n" in captured.get().replace(" \n", "\n")
