"""Ariadne's Thread, rule by rule, on constructed deals and against a slow referee."""

import json
import random
from collections import Counter
from io import StringIO

import pytest
from rich.console import Console

import clew
from clew import BadOption, BadRecord, IllegalMove
from clew.core.knowledge import dream, look
from clew.core.rng import stream
from clew.games.ariadne.picture import heading, picture

rule = pytest.mark.rule

RANKS = "A23456789JQK"
BLACK = [rank + suit for suit in "SC" for rank in RANKS]
RED = [rank + suit for suit in "HD" for rank in RANKS]
DECKS = {"black": BLACK, "red": RED}


def record(moves=(), black="", red="", options="", max_rounds=8, **later):
    """A record whose decks hold the cards in the order in which the moves use them, after those given to be held."""
    rounds = [list(moves)[i : i + 48] for i in range(0, max(len(moves), 1), 48)]
    lines = ["clew-record 1", "game: ariadne", "rules: 1", "players: 2"]
    lines.append(f"options: {options} max_rounds={max_rounds}")
    for n in range(1, max_rounds + 1):
        for colour, held in (("black", black), ("red", red)):
            cards = later.get(f"{colour}{n}", held if n == 1 else "").split()
            cards += [move[:2] for move in (rounds[n - 1] if n <= len(rounds) else []) if move[:2] in DECKS[colour]]
            cards = list(dict.fromkeys(cards))
            lines.append(f"deal {colour} {n}: {' '.join(cards + [c for c in DECKS[colour] if c not in cards])}")
    return "\n".join([*lines, "moves:"]) + "\n"


def table(*moves, **deal):
    """A table from such a record, with the moves made by the seats in turn."""
    t = clew.replay(record(moves, **deal))
    for move in moves:
        t.play(move)
    return t


def filled(layout, first=0):
    """The 48 moves that fill a round's tableau so: `b` and `r` any black and red card, `J` the Joker, which stays."""
    spec = [line.split() for line in layout.strip().splitlines()]
    assert [len(line) for line in spec] == [7] * 7
    ((jx, jy),) = [(x, y) for y in range(7) for x in range(7) if spec[y][x] == "J"]
    wanted = {(x - jx, y - jy): spec[y][x] for x in range(7) for y in range(7)}
    named = set(wanted.values())
    spare = [[card for card in deck if card not in named] for deck in (BLACK, RED)]
    taken, moves = {(0, 0)}, []
    for turn in range(48):
        seat = (first + turn) % 2
        mine = [cell for cell in wanted if cell not in taken and _seat(wanted[cell]) == seat]
        cell = min((c for c in mine if NEAR[c] & taken), key=lambda c: (max(abs(c[0]), abs(c[1])), c))
        card = wanted[cell] if wanted[cell] not in "br" else spare[seat].pop(0)
        taken.add(cell)
        moves.append(f"{card}@{cell[0]},{cell[1]}")
    return moves


def _seat(wanted):
    return {"b": 0, "r": 1, "J": None}.get(wanted, int(wanted in RED))


def around(x, y):
    return {(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)} - {(x, y)}


def beside(x, y):
    return {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)}


NEAR = {(x, y): around(x, y) for x in range(-6, 7) for y in range(-6, 7)}


def written(t, seat=None):
    return [str(move) for move in t.legal_moves(seat)]


def seen(t, seat=None):
    return t.view(seat)["table"]


def at(t, x, y):
    """The card at a cell and how it lies: 7S, or (7S) face down, None where there is none."""
    for cell in seen(t)["tableau"]["cells"]:
        if (cell["x"], cell["y"]) == (x, y):
            return cell["card"] if cell["face"] == "up" else f"({cell['card']})"
    return None


def now(t, seat):
    return seen(t)["seats"][seat]["now"]


def threads(t, seat):
    groups = seen(t)["tableau"]["groups"]
    return [group for group in groups if group["seat"] == seat and group["thread"]]


def told(t, rule, seat=None):
    return [str(event) for event in t.events(seat) if event.rule == rule]


def refused(t, move, seat=None):
    before = t.record(), t.view(0), t.view(1)
    with pytest.raises(IllegalMove) as error:
        t.play(move, seat)
    assert (t.record(), t.view(0), t.view(1)) == before
    assert move not in written(t, seat)
    return error.value.rule


# Tableaus for whole rounds

HALVES = """
    b b b b b b b
    b b b b b b b
    b b b b b b b
    b b b J r r r
    r r r r r r r
    r r r r r r r
    r r r r r r r
"""
TWO_THREADS = """
    b b b 5H b b b
    b b b 6D b b b
    b b b 7H b b b
    b b b J b b b
    r r r r r r r
    r r r r r r r
    r r r r r r r
"""
CHECKERED = """
    b r b r b r b
    r b r b r b r
    b r b r b r b
    r b r J r b r
    b r b r b r b
    r b r b r b r
    b r b r b r b
"""
DRAWN = filled(HALVES), filled(HALVES, first=1)
BLACK_WINS = filled(TWO_THREADS), filled(TWO_THREADS, first=1)  # by 18: three red cards are cut off
ALL = 2 * (sum(range(1, 10)) + 3 * 10)  # the points of a whole deck


# What is on the table


@rule("ARI-01")
def test_each_player_has_24_cards_of_one_colour_and_there_are_no_tens():
    lines = clew.new("ariadne", seed=1).deal_lines()
    assert list(lines) == [f"{colour} {n}" for n in range(1, 9) for colour in ("black", "red")]
    for key, cards in lines.items():
        assert sorted(cards.split()) == sorted(DECKS[key.split()[0]])
    assert len(BLACK) == len(RED) == 24
    assert len({*lines.values()}) == 16  # each is shuffled for itself


@rule("ARI-01")
def test_every_card_is_as_likely_to_be_drawn_first():
    first = Counter()
    for seed in range(240):
        first.update(line[:2] for line in clew.new("ariadne", seed=seed).deal_lines().values())
    assert set(first) == {*BLACK, *RED}
    assert all(40 < count < 130 for count in first.values())  # 80 each


@rule("ARI-01")
@pytest.mark.parametrize(("line", "card"), [("black1", "10S"), ("black3", "AH"), ("red2", "QC"), ("red8", "Joker")])
def test_a_deck_has_only_cards_of_its_colour(line, card):
    text = record(**{line: card})
    with pytest.raises(BadRecord, match=f"no piece '{card}'") as error:
        clew.replay(text)
    assert text.splitlines()[error.value.line - 1].startswith(f"deal {line[:-1]} {line[-1]}: {card}")


@rule("ARI-01")
def test_a_deal_names_the_card_that_is_double_missing_or_too_many():
    good = record()
    with pytest.raises(BadRecord, match=r"AS is dealt once too often .* and 2S is missing"):
        clew.replay(good.replace("deal black 1: AS 2S", "deal black 1: AS AS"))
    with pytest.raises(BadRecord, match="23 pieces instead of 24"):
        clew.replay(good.replace("deal red 4: AH", "deal red 4:"))
    with pytest.raises(BadRecord, match="'deal red 8:' is missing"):
        clew.replay("\n".join(line for line in good.splitlines() if not line.startswith("deal red 8:")) + "\n")
    with pytest.raises(BadRecord, match="no line 'black 9'"):
        clew.replay(good.replace("moves:", f"deal black 9: {' '.join(BLACK)}\nmoves:"))


@rule("ARI-01")
def test_nobody_plays_a_card_of_the_other_colour():
    t = table(black="AS 2S 3S", red="AH 2H 3H")
    assert refused(t, "AH@1,0") == "ARI-01"
    assert refused(t, "AH joker 1,0") == "ARI-01"


@rule("ARI-02")
@rule("ARI-17")
def test_the_joker_begins_as_the_minotaur_in_odd_rounds_and_as_theseus_in_even_ones():
    t = table(*DRAWN[0], *DRAWN[1], *DRAWN[0], options="rounds=4", max_rounds=4)
    assert [event.data["joker"]["name"] for event in t.events(None) if event.kind == "round"] == [
        "the Minotaur",
        "Theseus",
        "the Minotaur",
        "Theseus",
    ]
    assert (at(table(), 0, 0), at(t, 0, 0)) == ("(Joker)", "Joker")


@rule("ARI-03")
def test_each_draws_three_cards():
    t = table(black="7C 2S KS", red="AD 9H 5D")
    assert seen(t, 0)["hand"] == ["2S", "KS", "7C"]
    assert seen(t, 1)["hand"] == ["9H", "AD", "5D"]
    assert [(player["cards"], player["deck"]) for player in seen(t)["seats"]] == [(3, 21), (3, 21)]


@rule("ARI-03")
@rule("ARI-17")
def test_black_plays_first_in_odd_rounds_and_red_in_even_ones():
    t = clew.replay(record((*DRAWN[0], *DRAWN[1], *DRAWN[0]), options="rounds=4"))
    for moves, first in ((DRAWN[0], 0), (DRAWN[1], 1), (DRAWN[0], 0), ([], 1)):
        assert t.to_move == (first,)
        assert [(player["cards"], player["deck"]) for player in seen(t)["seats"]] == [(3, 21), (3, 21)]
        for move in moves:
            t.play(move)


# A turn


@rule("ARI-04")
def test_a_turn_is_one_action_and_one_draw():
    t = table(black="AS 2S 3S 9C")
    events = t.play("2S@1,0")
    assert t.to_move == (1,)
    assert seen(t, 0)["hand"] == ["AS", "3S", "9C"]
    assert "Blue draws the nine of clubs." in map(str, events)
    assert seen(t)["seats"][0]["deck"] == 20


@rule("ARI-04")
def test_when_the_deck_is_empty_the_hand_is_played_out():
    t = clew.replay(record(DRAWN[0]))
    left = []
    for move in DRAWN[0]:
        t.play(move)
        left.append((seen(t)["seats"][0]["deck"], len(seen(t, 0)["hand"])))
    assert left[::2][:24] == [(max(0, 20 - i), min(3, 23 - i)) for i in range(23)] + [(0, 0)]
    assert "Blue draws the king of clubs, the last of the deck." in told(t, "ARI-04", 0)
    assert "Blue draws a card, the last of the deck." in told(t, "ARI-04", 1)


@rule("ARI-04")
@rule("COM-08")
def test_nobody_moves_out_of_turn_nor_after_the_end():
    t = table(black="AS", red="AH")
    assert refused(t, "AH@1,0", 1) == "COM-08"
    t = table(*DRAWN[0], options="rounds=1", max_rounds=1)
    assert refused(t, "AS@1,0", 0) == "COM-08"
    assert t.legal_moves(0) == t.legal_moves(1) == []


@rule("ARI-05")
def test_a_card_is_played_face_up_on_an_empty_cell():
    t = table("7S@1,-1")
    assert at(t, 1, -1) == "7S"
    assert at(t, 0, 0) == "(Joker)"
    assert "Blue plays the seven of spades above and right of the Joker." in told(t, "ARI-05", 1)


@rule("ARI-05")
@rule("ARI-06")
@rule("ARI-07")
def test_only_a_card_in_hand_can_be_used():
    t = table("7S@1,0", "8H@0,1", black="AS 2S", red="AH 2H")
    assert [refused(t, f"KS{use}1,1") for use in ("@", " swap ", " joker ")] == ["ARI-05", "ARI-06", "ARI-07"]
    assert refused(t, "7S@1,1") == "ARI-05"  # it lies on the tableau


@rule("ARI-06")
def test_the_card_swapped_out_goes_face_down_to_another_cell():
    t = table("5S@1,0", "7H swap -1,-1")
    assert (at(t, 1, 0), at(t, -1, -1)) == ("7H", "(5S)")
    assert told(t, "ARI-09") == ["Red's seven of hearts outranks the five of spades, 7 against 5, and takes its place."]
    assert told(t, "ARI-06") == ["The five of spades goes above and left of the Joker, face down."]
    assert refused(table("5S@1,0", red="7H"), "7H swap 1,0") == "ARI-06"


@rule("ARI-07")
@rule("ARI-02")
def test_the_joker_is_turned_over_with_every_move():
    t = table("5S joker 1,1")
    assert (at(t, 0, 0), at(t, 1, 1)) == ("5S", "Joker")
    assert told(t, "ARI-07") == ["Blue puts the five of spades in the Joker's place."]
    assert "The Joker goes below and right of the five of spades as Theseus, face up." in told(t, "ARI-02")
    t.play(next(move for move in t.legal_moves() if str(move).endswith("joker 0,1")))
    assert at(t, 0, 1) == "(Joker)"


@rule("ARI-07")
def test_the_joker_does_not_stay_and_goes_on_no_card():
    t = table("5S@1,0", red="AH")
    assert refused(t, "AH joker 0,0") == "ARI-07"
    assert refused(t, "AH joker 1,0") == "ARI-11"


@rule("ARI-08")
def test_on_the_first_turn_of_a_round_there_is_nothing_to_swap():
    t = table(black="AS")
    assert refused(t, "AS swap 1,0") == "ARI-08"
    t = table(*DRAWN[0], red2="AH", options="rounds=2")
    assert t.to_move == (1,)
    assert refused(t, "AH swap 1,0") == "ARI-08"
    assert seen(t)["last"] is None


@rule("ARI-08")
@pytest.mark.parametrize(
    ("moves", "swap", "place"),
    [
        (["5S@1,0"], "7H swap 1,1", (1, 0)),  # put down by a play
        (["2S@1,0", "5H swap 1,1"], "7S swap 2,0", (1, 0)),  # by a swap: not the card that was moved
        (["5S joker 0,1"], "7H swap 1,1", (0, 0)),  # in the Joker's place
        (["2S@1,0", "AH@0,1", "5S@2,0"], "7H swap 1,1", (2, 0)),
    ],
)
def test_the_last_card_played_is_the_one_that_came_from_a_hand(moves, swap, place):
    t = table(*moves, black="7S", red="7H")
    last = seen(t)["last"]
    assert (last["x"], last["y"]) == place
    t.play(swap)
    assert at(t, *place) == swap[:2]


OUTRANKS = {  # what a card from the hand swaps out; each line thought through by hand
    "A": "3 4 5 6 8 9 J Q K",  # 14: 1, 2 and 7 divide it
    "2": "",  # 1 divides everything
    "3": "",  # 2 is one below
    "4": "",  # 2 divides, 3 is one below
    "5": "2 3",
    "6": "4",  # 2 and 3 divide, 5 is one below
    "7": "2 3 4 5",
    "8": "3 5 6",  # 2 and 4 divide, 7 is one below
    "9": "2 4 5 6 7",  # 3 divides, 8 is one below
    "J": "3 4 6 7 8",  # 10: 2 and 5 divide, 9 is one below
    "Q": "2 3 4 5 6 7 8 9",  # 11 is prime, 10 (J) is one below
    "K": "5 7 8 9 J",  # 12: 2, 3, 4 and 6 divide, 11 (Q) is one below
}


@rule("ARI-09")
@pytest.mark.parametrize("last", RANKS)
def test_the_whole_table_of_what_outranks_what(last):
    for suits, moves in (("SHD", []), ("HSC", ["AS joker -1,0"])):  # red over black, and black over red
        lies, first, second = suits
        for i in range(0, 12, 3):
            hand = [rank + (second if rank + first == "AS" else first) for rank in RANKS[i : i + 3]]
            held = {"red" if first == "H" else "black": " ".join((["AS"] if moves else []) + hand)}
            t = table(*moves, f"{last}{lies}@1,0", **held)
            for card in hand:
                if last in OUTRANKS[card[0]].split():
                    assert f"{card} swap 1,1" in written(t)
                else:
                    assert refused(t, f"{card} swap 1,1") == "ARI-09"


@rule("ARI-09")
def test_an_ace_beats_a_king_and_a_king_no_ace():
    assert "AH swap 1,1" in written(table("KS@1,0", red="AH"))
    t = table("AS@1,0", red="KH")
    with pytest.raises(IllegalMove, match="The last card is an ace, and an ace is never swapped out"):
        t.play("KH swap 1,1")


@rule("ARI-09")
@pytest.mark.parametrize(
    ("last", "card", "why"),
    [
        ("7S", "7H", "The seven of hearts is not higher than the seven of spades"),
        ("7S", "6H", "The six of hearts is not higher than the seven of spades"),
        ("7S", "8H", "7 is just one below 8"),
        ("7S", "AH", "7 divides 14"),
        ("JS", "QH", "10 is just one below 11"),
        ("2S", "AH", "2 divides 14"),
    ],
)
def test_a_refused_swap_says_why(last, card, why):
    with pytest.raises(IllegalMove, match=why):
        table(f"{last}@1,0", red=card).play(f"{card} swap 1,1")


# Where cards may lie


@rule("ARI-10")
def test_a_card_touches_another_by_side_or_corner():
    t = table(black="AS")
    assert {move for move in written(t) if move[:3] == "AS@"} == {f"AS@{x},{y}" for x, y in around(0, 0)}
    assert [refused(t, f"AS@{cell}") for cell in ("2,0", "2,2", "0,-2", "6,6")] == ["ARI-10"] * 4


@rule("ARI-10")
def test_a_moved_card_touches_another_too_and_the_new_one_counts():
    t = table("5S@1,0", red="7H")
    assert refused(t, "7H swap 3,0") == "ARI-10"
    assert refused(t, "7H joker 3,0") == "ARI-10"
    t.play("7H swap 2,1")  # 5S touches only 7H, which lies where 5S lay
    assert at(t, 2, 1) == "(5S)"
    assert table("AS joker 1,1").to_move == (1,)  # and the Joker only the first card


@rule("ARI-11")
def test_no_card_lies_on_another():
    t = table("5S@1,0", "4D@2,0", black="9S")
    assert [refused(t, f"9S{use}") for use in ("@0,0", "@1,0", "@2,0", " joker 1,0", " swap 0,0")] == ["ARI-11"] * 5


ROW = ["2S@1,0", "2H@2,0", "4S@3,0", "3D@4,0", "5S@5,0"]  # columns 0 to 5: one more on either side


@rule("ARI-12")
def test_the_tableau_spans_seven_cells_at_most_wherever_they_begin():
    t = table(*ROW, red="9H")
    assert {"9H@-1,0", "9H@6,0", "9H@6,1", "9H@-1,-1"} <= set(written(t))
    t = table(*ROW, "9H@-1,1", black="9S")
    assert [refused(t, f"9S{use}6,0") for use in ("@", " joker ")] == ["ARI-12"] * 2
    assert "9S@-1,0" in written(t)
    assert seen(t)["window"] == {"left": -1, "right": 5, "top": -5, "bottom": 6}
    assert told(t, "ARI-12") == ["The tableau is 7 cells wide now: it grows no further left or right."]


@rule("ARI-12")
def test_the_same_holds_for_rows():
    t = table("2S@0,-1", "2H@0,-2", "4S@1,-3", "3D@0,-4", "5S@0,-5", "9H@0,1", black="9S")
    assert refused(t, "9S@0,-6") == "ARI-12"
    assert refused(t, "9S@0,2") == "ARI-12"
    assert "9S@-1,1" in written(t)


@rule("ARI-12")
def test_a_swap_may_not_leave_the_window():
    t = table(*ROW, "3H@-1,0", black="5C")
    assert refused(t, "5C swap 6,0") == "ARI-12"
    assert refused(t, "5C swap -2,0") == "ARI-12"
    assert "5C swap 5,1" in written(t)


@rule("ARI-12")
def test_no_card_ever_gets_further_than_six_from_the_first_cell():
    t = table(black="AS")
    assert [refused(t, f"AS@{cell}") for cell in ("7,0", "0,-7", "99,99")] == ["ARI-12"] * 3


# The end of a round


@rule("ARI-13")
@rule("ARI-01")
def test_a_round_ends_after_48_turns_with_a_full_tableau():
    t = table(*DRAWN[0][:47])
    assert (seen(t)["round"], seen(t)["turns"], len(seen(t)["free"])) == (1, 47, 1)
    assert len(seen(t)["tableau"]["cells"]) == 48
    t.play(DRAWN[0][47])
    assert (seen(t)["round"], seen(t)["turns"]) == (2, 0)
    assert told(t, "ARI-13") == ["All cards of round 1 are on the tableau."]
    past = seen(t)["previous"]
    assert past["round"] == 1
    assert past["box"] == {"left": -3, "right": 3, "top": -3, "bottom": 3}
    assert {(cell["x"], cell["y"]) for cell in past["cells"]} == {(x, y) for x in range(-3, 4) for y in range(-3, 4)}
    assert len({cell["card"] for cell in past["cells"]}) == 49


@rule("ARI-13")
def test_every_game_ends_exactly_full():
    for seed in range(5):
        t = clew.new("ariadne", seed=seed, options={"rounds": 1, "max_rounds": 1})
        chance = random.Random(seed)
        for _ in range(48):
            t.play(chance.choice(t.legal_moves()))
        assert t.outcome
        assert len(seen(t)["tableau"]["cells"]) == 49
        box = seen(t)["tableau"]["box"]
        assert (box["right"] - box["left"], box["bottom"] - box["top"]) == (6, 6)
        assert seen(t)["free"] == []


def interleaved(black, red):
    """Moves of both, in turn."""
    return [move for pair in zip(black, red) for move in pair]


@rule("ARI-14")
@pytest.mark.parametrize("least", [3, 5, 8])
def test_a_thread_has_so_many_cards_and_no_fewer(least):
    # A black row under the Joker, and red cards at a distance from one another above it, corner to corner.
    black = [f"{rank}S@{x},1" for rank, x in zip("A2345", (0, 1, 2, 3, 4))] + ["6S@4,2", "7S@3,2", "8S@2,2"]
    red = ["AH@1,-1", "2H@-1,-1", "3H@2,-2", "4H@0,-2", "5H@3,-1", "6H@1,-3", "7H@3,-3"]
    moves = [*interleaved(black, red), black[7]][: 2 * least - 1]
    t = table(*moves[:-2], options=f"thread_min={least}")
    assert threads(t, 0) == threads(t, 1) == []
    t = table(*moves, options=f"thread_min={least} joker_points=0")
    (thread,) = threads(t, 0)
    assert sorted(thread["cards"]) == [f"{rank}S" for rank in sorted("A2345678"[:least])]
    assert now(t, 0)["score"] == sum(range(1, least + 1))


@rule("ARI-14")
def test_corners_do_not_connect():
    black = ["2S@1,0", "3S@1,1", "4S@1,2", "5S@2,3", "6S@3,3", "7S@2,2"]
    red = ["2H@-1,0", "3H@-1,1", "4H@-1,2", "5H@-1,3", "6H@-1,-1"]
    t = table(*interleaved(black[:5], red), black="7S")
    assert threads(t, 0) == []
    assert sorted(len(group["cells"]) for group in seen(t)["tableau"]["groups"] if group["seat"] == 0) == [2, 3]
    assert len(threads(t, 1)[0]["cells"]) == 5
    t.play("7S@2,2")
    assert len(threads(t, 0)[0]["cells"]) == 6


TURNED = ["2S@1,0", "3H@-1,0", "3S@1,1", "4H@-1,1", "4S@1,2", "5H@-1,2", "6S@0,2", "9H swap 2,2"]


@rule("ARI-14")
def test_a_card_face_down_joins_nothing():
    # Red takes 6S out of Black's row of four and lays it, turned over, at the end of the other three.
    t = table(*TURNED, "7S@3,2", options="thread_min=4")
    assert at(t, 2, 2) == "(6S)"
    assert threads(t, 0) == []
    assert now(t, 0)["score"] == 0


@rule("ARI-14")
def test_with_the_option_a_card_face_down_joins_its_colour_but_is_worth_nothing():
    t = table(*TURNED, options="thread_min=4 face_down=colour joker_points=0")
    assert threads(t, 0)[0]["cards"] == ["2S", "3S", "4S", "6S"]
    assert now(t, 0)["score"] == 2 + 3 + 4
    t = table(*TURNED, "7S@3,2", options="thread_min=4 face_down=colour joker_points=0")
    assert threads(t, 0)[0]["cards"] == ["2S", "3S", "4S", "6S", "7S"]
    assert now(t, 0)["score"] == 2 + 3 + 4 + 7


@rule("ARI-14")
@rule("ARI-16")
def test_with_the_option_the_joker_can_lie_beside_a_card_face_down():
    # The thread of Black goes from the cell 1,0 down; the face-down card alone lies beside the Joker.
    moves = ["2S@1,1", "3H@-1,0", "3S@1,2", "4H@-1,1", "4S@1,3", "5H@-1,2", "6S@0,3", "9H swap 1,0"]
    t = table(*moves, options="thread_min=4 face_down=colour")
    assert (at(t, 1, 0), threads(t, 0)[0]["joker"]) == ("(6S)", True)
    assert now(t, 0) == {"threads": 9, "joker": -10, "score": -1}
    assert now(table(*moves, options="thread_min=4"), 0)["joker"] == 0


@rule("ARI-14")
def test_the_joker_is_a_wall_whichever_way_it_lies():
    # Two black cards to the left of 0,1 and two to the right: the Joker does not connect them, a card does.
    black = ["2S@-1,1", "3S@-2,1", "4S@1,1", "5S@2,1", "6S joker 0,1"]
    red = ["2H@1,-1", "3H@-1,-1", "4H@2,-2", "5H@-2,-2"]
    t = table(*interleaved(black, red), black[4], options="thread_min=4")
    assert at(t, 0, 1) == "Joker"
    assert threads(t, 0) == []
    t = table(*interleaved(black, red), "6S@0,1", options="thread_min=4")
    assert len(threads(t, 0)[0]["cells"]) == 5


@rule("ARI-15")
def test_what_the_cards_of_a_thread_are_worth():
    t = table(*DRAWN[0], options="joker_points=0")
    assert seen(t)["seats"][0]["rounds"][0] == {"threads": ALL, "joker": 0, "score": ALL}
    values = dict(zip(RANKS, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10)))
    for ranks in ("A2345", "6789J", "QKAJ9"):
        black = [f"{rank}S@{x},1" for x, rank in enumerate(ranks)]
        red = ["2H@-1,-1", "3H@1,-1", "4H@2,-2", "5H@0,-2"]
        t = table(*interleaved(black, red), black[4])
        assert now(t, 0)["threads"] == sum(values[rank] for rank in ranks)


@rule("ARI-15")
def test_all_threads_count_and_shorter_rows_do_not():
    t = table(*BLACK_WINS[0])
    groups = seen(t)["previous"]["groups"]
    assert [(group["seat"], len(group["cells"]), group["thread"]) for group in groups] == [
        (0, 12, True),
        (0, 12, True),
        (1, 3, False),
        (1, 21, True),
    ]
    assert [group["points"] for group in groups[2:]] == [5 + 6 + 7, ALL - 5 - 6 - 7]
    assert [player["rounds"][0]["threads"] for player in seen(t)["seats"]] == [ALL, ALL - 5 - 6 - 7]


@rule("ARI-16")
def test_the_joker_meets_threads_of_both_players():
    t = table(*DRAWN[0], *DRAWN[1])
    for player in seen(t)["seats"]:
        assert player["rounds"] == [
            {"threads": ALL, "joker": -10, "score": ALL - 10},  # the Minotaur in round 1
            {"threads": ALL, "joker": 10, "score": ALL + 10},  # Theseus in round 2
        ]
    assert told(t, "ARI-16") == [
        "The Minotaur lies beside Blue's thread: 10 points off.",
        "The Minotaur lies beside Red's thread: 10 points off.",
        "Theseus lies beside Blue's thread: 10 points more.",
        "Theseus lies beside Red's thread: 10 points more.",
    ]


@rule("ARI-16")
@pytest.mark.parametrize(("counts", "black"), [("once", -10), ("per_thread", -20)])
def test_the_joker_counts_once_or_for_each_thread(counts, black):
    t = table(*BLACK_WINS[0], options=f"joker_counts={counts}")
    assert [player["rounds"][0]["joker"] for player in seen(t)["seats"]] == [black, -10]
    assert [group["joker"] for group in seen(t)["previous"]["groups"]] == [True, True, False, True]


@rule("ARI-16")
@pytest.mark.parametrize("points", [0, 50])
def test_how_much_the_joker_counts_is_an_option(points):
    t = table(*DRAWN[0], options=f"joker_points={points}")
    assert seen(t)["seats"][0]["rounds"][0]["score"] == ALL - points


@rule("ARI-16")
def test_a_corner_is_not_beside_and_a_short_row_is_no_thread():
    black = [f"{rank}S@{x},1" for x, rank in enumerate("23456", start=1)]
    red = ["2H@-1,-1", "3H@-1,0", "4H@-1,1", "5H@0,2"]
    t = table(*interleaved(black, red), black[4])
    assert now(t, 0) == {"threads": 20, "joker": 0, "score": 20}  # the Joker at 0,0 touches 2S at the corner
    assert now(t, 1) == {"threads": 0, "joker": 0, "score": 0}  # and three red cards by the side


@rule("ARI-16")
def test_the_joker_beside_nothing_is_told():
    t = table(*filled(CHECKERED), options="thread_min=3")
    assert told(t, "ARI-14") == []
    assert told(t, "ARI-16") == ["The Minotaur lies beside no thread."]
    assert [player["score"] for player in seen(t)["seats"]] == [0, 0]


# The end of the game


@rule("ARI-17")
def test_after_two_rounds_the_higher_total_wins():
    t = table(*DRAWN[0], *BLACK_WINS[1])
    assert t.outcome.ended == "rounds"
    assert t.outcome.scores == (2 * ALL, 2 * ALL - 18)
    assert t.outcome.places == (1, 2)
    assert t.to_move == ()
    assert seen(t)["phase"] == "over"
    assert [player["score"] for player in seen(t)["seats"]] == list(t.outcome.scores)
    assert "after 2 rounds" in told(t, "ARI-17")[-1]
    assert clew.replay(t.record()).outcome == t.outcome


@rule("ARI-17")
def test_the_total_of_all_rounds_decides_not_the_last():
    t = table(*BLACK_WINS[0], *DRAWN[1])
    assert [[part["score"] for part in player["rounds"]] for player in seen(t)["seats"]] == [
        [ALL - 10, ALL + 10],
        [ALL - 28, ALL + 10],
    ]
    assert t.outcome.places == (1, 2)


@rule("ARI-17")
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_after_a_draw_another_round_is_played(rounds):
    played = [DRAWN[n % 2] for n in range(rounds)]
    t = table(*(move for moves in played for move in moves), *BLACK_WINS[rounds % 2], options=f"rounds={rounds}")
    assert len(t.moves) == 48 * (rounds + 1)
    assert t.outcome.ended == "rounds"
    kinds = [event.kind for event in t.events(None)]
    assert kinds.count("extra") == 1
    assert kinds.count("round") == rounds + 1
    assert len(seen(t)["seats"][0]["rounds"]) == rounds + 1


@rule("ARI-17")
def test_no_further_round_is_played_when_somebody_leads():
    t = table(*BLACK_WINS[0], options="rounds=1")
    assert t.outcome
    assert len(t.moves) == 48


@rule("ARI-18")
@pytest.mark.parametrize(("rounds", "most"), [(1, 1), (1, 3), (2, 2), (2, 4)])
def test_a_draw_after_the_last_round_is_a_draw(rounds, most):
    moves = [move for n in range(most) for move in DRAWN[n % 2]]
    t = table(*moves[:-1], options=f"rounds={rounds}", max_rounds=most)
    assert t.outcome is None
    t.play(moves[-1])
    assert t.outcome.ended == "draw"
    assert t.outcome.places == (1, 1)
    assert told(t, "ARI-18") == [
        f"After {most} round{'s' if most > 1 else ''} both have {t.outcome.scores[0]}: the game is a draw."
    ]


@rule("ARI-18")
def test_sixteen_rounds_are_the_most():
    moves = [move for n in range(16) for move in DRAWN[n % 2]]
    t = table(*moves, max_rounds=16)
    assert t.outcome.ended == "draw"
    assert len(t.moves) == t.game.rules.LONGEST


@rule("ARI-18")
def test_the_limit_is_at_least_the_rounds():
    with pytest.raises(BadOption, match="max_rounds is at least the 4 rounds to be played, not 3"):
        clew.new("ariadne", seed=1, options={"rounds": 4, "max_rounds": 3})
    clew.new("ariadne", seed=1, options={"rounds": 4, "max_rounds": 4})


@pytest.mark.parametrize(
    ("option", "bad"),
    [
        ("thread_min", 2), ("thread_min", 9), ("rounds", 0), ("rounds", 5), ("joker_points", -1), ("joker_points", 51),
        ("joker_counts", "twice"), ("face_down", "up"), ("max_rounds", 17), ("max_rounds", 0),
    ],
)  # fmt: skip
def test_options_have_their_ranges(option, bad):
    with pytest.raises(BadOption, match=option):
        clew.new("ariadne", seed=1, options={option: bad})


# Written forms


@rule("COM-06")
@pytest.mark.parametrize(
    "text",
    ["AS@+1,0", "AS@01,0", "AS@-0,1", "AS@1, 0", "AS @1,0", "as@1,0", "AS@1", "AS@1,0,0", "AS", "@1,0", "10S@1,0",
     "AS swap  1,0", "AS swap1,0", "AS Swap 1,0", "AS joker", "AS joker @1,0", "1S@1,0", "Joker@1,0", "AX@1,0", "",
     "AS@1,0 ; 2S@0,1", "AS@١,0", "AS@100,0"],
)  # fmt: skip
def test_a_move_has_exactly_one_written_form(text):
    assert refused(table(black="AS 2S 3S"), text) == "COM-06"


@rule("COM-06")
def test_every_legal_move_can_be_typed_and_leads_to_the_same_table():
    t = table("5S@1,0", "8H@0,1")
    for move in t.legal_moves():
        one, two = t.copy(), t.copy()
        one.play(move)
        two.play(str(move))
        assert one.view(0) == two.view(0)
        assert str(one.moves[-1][1]) == str(move)


# Against a referee who knows the rule sheet only


class Referee:
    """One round in plain Python: cells in a dict, every rule as it is written, nothing clever."""

    def __init__(self, round_number, decks):
        self.cards = {(0, 0): "Joker"}
        self.down = {(0, 0)} if round_number % 2 else set()
        self.last = None
        self.hands = [deck[:3] for deck in decks]
        self.decks = [deck[3:] for deck in decks]
        self.seat = 1 - round_number % 2

    @property
    def joker(self):
        return next(cell for cell, card in self.cards.items() if card == "Joker")

    def fits(self, cell):
        """Whatever the action, afterwards cards cover the cells they covered before and this one."""
        if cell in self.cards:
            return False
        covered = {*self.cards, cell}
        for along in (0, 1):
            line = {place[along] for place in covered}
            if max(line) - min(line) > 6:
                return False
        return all(not NEAR[place].isdisjoint(covered) for place in covered)

    def moves(self):
        cells = [cell for cell in NEAR if self.fits(cell)]
        found = set()
        for card in self.hands[self.seat]:
            uses = ["@", " joker "]
            if self.last and self.cards[self.last][0] in OUTRANKS[card[0]].split():
                uses.append(" swap ")
            found |= {f"{card}{use}{x},{y}" for use in uses for x, y in cells}
        return found

    def play(self, move):
        card, rest = move[:2], move[2:]
        cell = tuple(int(part) for part in rest.replace("@", " ").split()[-1].split(","))
        place = cell
        if rest[0] != "@":
            place = self.last if "swap" in rest else self.joker
            self.cards[cell] = self.cards[place]
            if place not in self.down:
                self.down.add(cell)
            self.down.discard(place)
        self.cards[place] = card
        self.last = place
        hand, deck = self.hands[self.seat], self.decks[self.seat]
        hand.remove(card)
        if deck:
            hand.append(deck.pop(0))
        self.seat = 1 - self.seat

    def score(self, seat, options):
        mine = {
            cell
            for cell, card in self.cards.items()
            if card in (BLACK, RED)[seat] and (cell not in self.down or options["face_down"] == "colour")
        }
        points, touched = 0, 0
        while mine:
            thread, edge = set(), {mine.pop()}
            while edge:
                thread |= edge
                edge = {near for cell in edge for near in beside(*cell)} & mine
                mine -= edge
            if len(thread) >= options["thread_min"]:
                points += sum(WORTH[self.cards[cell][0]] for cell in thread if cell not in self.down)
                touched += not thread.isdisjoint(beside(*self.joker))
        if options["joker_counts"] == "once":
            touched = min(touched, 1)
        return points + touched * options["joker_points"] * (-1 if self.joker in self.down else 1)


WORTH = {"A": 1, "J": 10, "Q": 10, "K": 10} | {str(n): n for n in range(2, 10)}
TABLES = (
    {},
    {"thread_min": 3, "joker_counts": "per_thread"},
    {"face_down": "colour", "thread_min": 4},
    {"face_down": "colour", "joker_counts": "per_thread", "joker_points": 7},
)


@rule("ARI-05")
@rule("ARI-06")
@rule("ARI-07")
@rule("ARI-09")
@rule("ARI-10")
@rule("ARI-11")
@rule("ARI-12")
@rule("ARI-15")
@rule("ARI-16")
@pytest.mark.parametrize("options", TABLES)
def test_legal_moves_and_scores_are_those_of_a_slow_referee(options):
    positions = 0
    for seed in range(6 if options else 4):
        t = clew.new("ariadne", seed=seed, options=options)
        chance = random.Random(f"{seed} {options}")
        lines = t.deal_lines()
        while t.outcome is None:
            n = seen(t)["round"]
            referee = Referee(n, [lines[f"{colour} {n}"].split() for colour in ("black", "red")])
            for _ in range(48):
                assert t.to_move == (referee.seat,)
                moves = written(t)
                assert len(moves) == len(set(moves))
                assert set(moves) == referee.moves()
                positions += 1
                # A use of a card first, then where: else swaps would be rare.
                use = chance.choice(sorted({move[:4] for move in moves}))
                move = chance.choice([move for move in moves if move[:4] == use])
                t.play(move)
                referee.play(move)
            scores = [player["rounds"][n - 1]["score"] for player in seen(t)["seats"]]
            assert scores == [referee.score(seat, t.options) for seat in (0, 1)]
    assert positions >= (500 if options else 380)  # 2,000 on all tables


# Secrets


@rule("ARI-19")
@rule("COM-02")
def test_a_chair_sees_and_is_told_nothing_of_what_it_cannot_know():
    moves = ["5S@1,0", "7H swap 1,1", "9S@2,0"]
    known = "5S 9S 2S 3S AS"
    one = table(*moves, black=f"{known} KC QC", red="7H 2H 3H 4H", red3="KD AH", black2="KS 4C")
    two = table(*moves, black=f"{known} 8C JC", red="7H KD JD AD", red3="2H 3D", black2="3S QC")
    assert one.view(0) == two.view(0)
    assert one.view(None) == two.view(None)
    assert one.view(1) != two.view(1)
    for chair in (0, None):
        assert [event.json() for event in one.events(chair)] == [event.json() for event in two.events(chair)]


@rule("ARI-19")
def test_legal_moves_are_the_same_in_worlds_that_look_the_same():
    one = table("5S@1,0", "7H swap 1,1", black="5S 9S 2S 3S KC QC", red="7H 2H 3H 4H", red2="KD AH")
    two = table("5S@1,0", "7H swap 1,1", black="5S 9S 2S 3S 8C JC", red="7H KD JD AD", red2="2H 3D")
    assert one.view(0) == two.view(0)
    assert one.legal_moves(0) == two.legal_moves(0)
    for t in (one, two):
        with pytest.raises(IllegalMove) as error:
            t.play("KC@2,0")
        assert str(error.value) == "You do not hold the king of clubs: it is still in your deck. (ARI-05)"


@rule("ARI-19")
def test_a_draw_is_told_to_its_player_only():
    t = table("5S@1,0", black="AS 2S 5S 9C")
    assert "Blue draws the nine of clubs." in told(t, "ARI-04", 0)
    assert told(t, "ARI-04", 1) == told(t, "ARI-04") == ["Blue draws a card."]
    assert told(t, "ARI-03", 0)[0] == "Blue draws the ace of spades, the two of spades and the five of spades."
    assert told(t, "ARI-03", 1)[0] == "Blue draws 3 cards."
    for chair in (1, None):
        assert "9C" not in json.dumps([event.json() for event in t.events(chair)])
        assert "9C" not in seen(t, chair)["hand"]


@rule("ARI-19")
def test_what_is_left_in_a_deck_is_known_but_not_its_order():
    t = table("5S@1,0", "7H swap 1,1", black="AS 2S 5S KC 3S", red="7H 2H 3H KD")
    assert seen(t, 0)["hand"] == ["AS", "2S", "KC"]
    gone = {"5S", "AS", "2S", "KC"}
    assert seen(t, 0)["seats"][0]["unseen"] == [card for card in BLACK if card not in gone]  # the 20 in the deck
    assert seen(t, 1)["seats"][0]["unseen"] == [card for card in BLACK if card != "5S"]  # hand and deck
    assert seen(t)["hand"] == []


@rule("ARI-19")
def test_a_card_face_down_is_known_to_all():
    t = table("5S@1,0", "7H swap 1,1")
    for chair in (0, 1, None):
        cells = {(cell["x"], cell["y"]): cell for cell in seen(t, chair)["tableau"]["cells"]}
        assert (cells[1, 1]["card"], cells[1, 1]["face"], cells[1, 1]["seat"]) == ("5S", "down", 0)


@rule("ARI-19")
@pytest.mark.parametrize("turns", [0, 7, 44, 47, 48, 71, 96])
def test_imagined_worlds_look_the_same_and_deal_the_unseen_cards(turns):
    t = clew.new("ariadne", seed=5)
    chance = random.Random(turns)
    for _ in range(turns):
        t.play(chance.choice(t.legal_moves()))
    rng = stream(turns, "test")
    for chair in (0, 1, -1):
        known = look(t.game, t._states[-1], chair)
        hands, decks, futures = set(), set(), set()
        for _ in range(30):
            world = dream(t.game, known, rng)
            assert look(t.game, world, chair).tobytes() == known.tobytes()
            for seat in (0, 1):
                s, true = world[0], t._states[-1][0]
                played = int(s.round_number) - 1
                assert sorted([*s.hand[seat], *s.deck[played, seat]]) == sorted(
                    [*true.hand[seat], *true.deck[played, seat]]
                )
                assert [card > 0 for card in s.deck.ravel()] == [card > 0 for card in true.deck.ravel()]
                if seat != chair:
                    hands.add(tuple(s.hand[seat]))
                decks.add(tuple(s.deck[played, seat]))
                futures.add(tuple(s.deck[7, seat]))
        if turns in (0, 7, 48, 71):
            assert len(hands) > 20
            assert len(decks) == 60
        assert len(futures) == 60


@rule("ARI-19")
def test_a_view_is_plain_data():
    t = table(*DRAWN[0], *DRAWN[1][:30])
    for chair in (0, 1, None):
        json.dumps(t.view(chair))


# The picture


@pytest.mark.parametrize("turns", [0, 1, 9, 30, 47, 48, 60, 96])
def test_the_picture_fits_80_columns_and_shows_every_card(turns):
    t = clew.new("ariadne", seed=9)
    chance = random.Random(1)
    for _ in range(turns):
        t.play(chance.choice(t.legal_moves()))
    for chair in (0, 1, None):
        console = Console(width=80, file=StringIO())
        console.print(picture(t.view(chair)))
        shown = console.file.getvalue()
        assert max(map(len, shown.splitlines())) <= 80
        signs = str.maketrans("SCHD", "♠♣♥♦")
        for cell in seen(t)["tableau"]["cells"]:
            name = {"up": "THES", "down": "MINO"}[cell["face"]] if cell["card"] == "Joker" else cell["card"]
            assert (name if cell["card"] == "Joker" else name.translate(signs)) in shown
        assert shown.count("·") == 1 + len(seen(t)["free"])  # one in the legend
    assert {heading(move) for move in written(t)} <= {"Play", "Swap out the last card", "Move the Joker"}
