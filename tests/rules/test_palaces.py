"""The Lost Palaces, rule by rule, on constructed deals."""

from collections import Counter

import pytest

import clew
from clew import BadRecord, IllegalMove

rule = pytest.mark.rule

DECK = Counter(
    {f"{palace}{number}": 2 for palace in "KMPZ" for number in range(1, 11)}
    | {f"{palace}A": 3 for palace in "KMPZ"}
    | {f"{palace}X": 2 for palace in "KMPZ"}
)
FINDS = {"K": "R S S F15 F20", "M": "R S S F15 F20", "P": "R S S F15 F20", "Z": "R S S S S"}


def record(blue="", red="", pile="", first=0, moves=(), **finds):
    """A record from the cards that matter: hands are filled up, the pile continues, with the cards left."""
    left = DECK.copy()
    for card in f"{blue} {red} {pile}".split():
        left[card] -= 1
        assert left[card] >= 0, f"no {card} left"
    rest = sorted(left.elements(), key=lambda card: (card[1:].isdigit(), card))  # hands are filled with numbers
    hands = [hand.split() + [rest.pop() for _ in range(8 - len(hand.split()))] for hand in (blue, red)]
    lines = ["clew-record 1", "game: palaces", "rules: 1", "players: 2", f"deal first: {first}"]
    lines += [f"deal hand {seat}: {' '.join(hand)}" for seat, hand in enumerate(hands)]
    lines.append(f"deal pile: {' '.join(pile.split() + rest[::-1])}")
    lines += [f"deal finds {palace}: {(FINDS | finds)[palace]}" for palace in "KMPZ"]
    return "\n".join([*lines, "moves:", *moves]) + "\n"


def table(*moves, **deal):
    """A table from such a record, with moves made by the seats in turn."""
    t = clew.replay(record(**deal))
    for move in moves:
        t.play(move)
    return t


def written(t, seat=None):
    return [str(move) for move in t.legal_moves(seat)]


def pawn(t, seat, palace):
    path = t.view(None)["table"]["paths"]["KMPZ".index(palace)]
    return path["pawns"][seat]


def seat_of(t, seat):
    return t.view(None)["table"]["seats"][seat]


def refused(t, move, seat=None):
    before = t.record(), t.view(0), t.view(1)
    with pytest.raises(IllegalMove) as error:
        t.play(move, seat)
    assert (t.record(), t.view(0), t.view(1)) == before
    return error.value.rule


def idle(t):
    """Whoever is to move discards a card, a number if there is one."""
    discards = [move for move in written(t) if move.startswith("-")]
    t.play(max(discards, key=lambda move: (move[-1].isdigit(), discards.index(move))))


def walked(steps, thrown=(), **deal):
    """Blue walks to a step at Knossos with K1, K2, ... while Red idles, or attacks after the steps in `thrown`."""
    t = table(**{"blue": "K1 K2 K3 K4 K5 K6 K7 K8", "red": "KX KX", "pile": "K9 M1 K10 M1"} | deal)
    for step in range(1, steps + 1):
        t.play("K1:a" if step == 1 else f"K{step}")
        if step in thrown:
            t.play("KX")
        elif step < steps:
            idle(t)
    return t


def walks(palace, steps, pawn="a"):
    return [f"{palace}{n}{':' + pawn if n == 1 else ''}" for n in range(1, steps + 1)]


# The table


@rule("PAL-01")
def test_the_deck_is_a_hundred_cards_and_eight_are_dealt_to_each():
    t = clew.new("palaces", seed=1)
    lines = t.deal_lines()
    cards = " ".join(lines[key] for key in ("hand 0", "hand 1", "pile")).split()
    assert Counter(cards) == DECK
    assert [len(lines[key].split()) for key in ("hand 0", "hand 1", "pile")] == [8, 8, 84]


@rule("PAL-01")
def test_the_first_player_is_drawn_by_the_seed():
    firsts = Counter(clew.new("palaces", seed=seed).to_move for seed in range(200))
    assert set(firsts) == {(0,), (1,)}
    assert 70 <= firsts[(0,)] <= 130
    assert table(first=1).to_move == (1,)


@rule("PAL-02")
def test_three_archaeologists_and_a_theseus_and_no_more():
    t = table("K1:a", "-Z1", "M1:a", "-Z1", "P1:a", "-Z2", blue="K1 M1 P1 Z5", red="Z1 Z1 Z2 Z2")
    assert seat_of(t, 0)["archaeologists"] == 0
    assert refused(t, "Z5:a") == "PAL-02"
    assert "Z5:t" in written(t)
    t.play("Z5:t")
    assert seat_of(t, 0)["theseus"] == 0


@rule("PAL-02")
def test_theseus_goes_only_once():
    t = table("K1:t", "-Z1", blue="K1 M1", red="Z1")
    assert refused(t, "M1:t") == "PAL-02"
    assert "M1:a" in written(t)


@rule("PAL-02")
def test_one_pawn_of_yours_on_a_path_but_both_players_may_be_there():
    t = table("K1:a", "K2:a", blue="K1 K3", red="K2")
    assert refused(t, "K3:a") == "PAL-02"
    assert refused(t, "K3:t") == "PAL-02"
    assert (pawn(t, 0, "K")["pawn"], pawn(t, 1, "K")["pawn"]) == ("archaeologist", "archaeologist")


@rule("PAL-02")
def test_which_pawn_is_theseus_is_open():
    t = table("K1:t", blue="K1")
    assert pawn(t, 0, "K")["pawn"] == "theseus"
    assert [t.view(chair)["table"]["paths"] for chair in (0, 1, None)] == [t.view(1)["table"]["paths"]] * 3


@rule("PAL-03")
def test_the_points_of_the_nine_steps():
    points = {0: 0, 1: -20, 2: -15, 3: -10, 4: 5, 5: 10, 6: 15, 7: 30, 8: 35, 9: 50}
    assert {steps: seat_of(walked(steps), 0)["points"]["steps"] for steps in range(10)} == points


@rule("PAL-04")
def test_sites_lie_at_steps_2_4_6_8_9_and_each_palace_hides_its_treasure():
    counts = Counter()
    places = Counter()
    for seed in range(300):
        lines = clew.new("palaces", seed=seed).deal_lines()
        for palace in "KMPZ":
            finds = lines[f"finds {palace}"].split()
            assert finds.count("R") == 1
            assert len(finds) == 5
            places[finds.index("R")] += 1
            counts.update(finds)
    assert counts == {"R": 1200, "S": 3000, "F15": 900, "F20": 900}
    assert all(190 < places[site] < 290 for site in range(5))
    path = clew.new("palaces", seed=1).view(0)["table"]["paths"][0]
    assert [site["step"] for site in path["sites"]] == [2, 4, 6, 8, 9]


@rule("PAL-04")
@pytest.mark.parametrize(("palace", "points"), [("K", 25), ("M", 25), ("P", 35), ("Z", 25)])
def test_what_the_treasures_are_worth(palace, points):
    t = table(
        f"{palace}1:a",
        "-Z9",
        f"{palace}2",
        blue=f"{palace}1 {palace}2",
        red="Z9",
        **{palace: FINDS["K"]},
        **({"K": FINDS["Z"]} if palace == "Z" else {}),
    )
    assert seat_of(t, 0)["rares"] == [palace]
    assert seat_of(t, 0)["points"]["treasures"] == points


@rule("PAL-04")
@pytest.mark.parametrize(
    ("finds", "fault"),
    [
        ({"K": "S S S F15 F20"}, "S is dealt once too often"),
        ({"K": "R R S F15 F20"}, "R is dealt once too often"),
        ({"K": "S S S F15 F20", "M": "R R S F15 F20"}, "PAL-04: each palace has one treasure"),
        ({"K": "R S S F15 F15"}, "F15 is dealt once too often"),
        ({"K": "R S S F15"}, "4 pieces instead of 5"),
        ({"K": "R S S F15 F25"}, "no piece 'F25'"),
    ],
)
def test_a_deal_with_wrong_finds_is_refused(finds, fault):
    with pytest.raises(BadRecord, match=fault) as error:
        table(**finds)
    assert record(**finds).splitlines()[error.value.line - 1].startswith("deal finds")


@rule("PAL-05")
def test_frescoes_are_worth_15_or_20():
    t = walked(4, K="F15 F20 R S S", M="R S S S S", P="R S F15 F20 S", Z="R S F15 F20 S")
    assert seat_of(t, 0)["frescoes"] == [15, 20]
    assert seat_of(t, 0)["points"]["frescoes"] == 35


# A turn


@rule("PAL-06")
def test_a_turn_is_one_card_and_one_draw():
    t = table(blue="K1", pile="MA PX")
    t.play("-K1", 0)
    assert t.to_move == (1,)
    hand = t.view(0)["table"]["hand"]
    assert len(hand) == 8
    assert "MA" in hand
    assert "K1" not in hand
    assert t.view(0)["table"]["pile"] == 83


@rule("PAL-06")
def test_a_card_that_is_not_in_your_hand_cannot_be_played():
    t = table(blue="K1", red="M5 M5 ")
    assert refused(t, "-M5") == "PAL-06"
    assert refused(t, "M5:a") == "PAL-06"


@rule("PAL-07")
def test_any_number_starts_a_path_with_either_pawn():
    t = table(blue="K1 M10 PA ZX")
    assert {"K1:a", "K1:t", "M10:a", "M10:t"} <= set(written(t))
    t.play("M10:t")
    assert pawn(t, 0, "M") == {"pawn": "theseus", "step": 1, "last": 10, "cards": ["M10"]}


@rule("PAL-07")
def test_an_ariadne_card_starts_nothing():
    t = table(blue="PA")
    assert not {"PA", "PA:a", "PA:t"} & set(written(t))
    assert [refused(t, move) for move in ("PA:a", "PA:t", "PA")] == ["PAL-07"] * 3


@rule("PAL-07")
def test_a_number_without_a_pawn_must_start():
    t = table(blue="K5")
    assert refused(t, "K5") == "PAL-07"


@rule("PAL-08")
def test_an_equal_or_higher_number_takes_one_step_and_a_lower_none():
    t = table("K5:a", "-Z1", blue="K4 K5 K5 K10", red="Z1")
    assert refused(t, "K4") == "PAL-08"
    assert {"K5", "K10"} <= set(written(t))
    assert "K4" not in written(t)
    t.play("K5")
    assert pawn(t, 0, "K")["step"] == 2
    assert pawn(t, 0, "K")["last"] == 5


@rule("PAL-08")
def test_only_your_own_last_number_on_that_path_counts():
    t = table("K1:a", "K9:a", "M10:a", "-Z1", blue="K1 K2 M10", red="K9 Z1")
    assert "K2" in written(t)


@rule("PAL-09")
def test_ariadne_takes_two_steps_and_keeps_the_number():
    t = table("K5:a", "-Z1", "KA", "-Z1", blue="K5 K4 K5 KA KA", red="Z1 Z1")
    assert pawn(t, 0, "K") == {"pawn": "archaeologist", "step": 3, "last": 5, "cards": ["K5", "KA"]}
    assert "K5" in written(t)
    assert refused(t, "K4") == "PAL-08"
    t.play("KA")
    assert pawn(t, 0, "K")["step"] == 5


@rule("PAL-09")
def test_ariadne_takes_the_one_step_that_is_left_from_step_8():
    t = walked(8, pile="KA M1 K10")
    idle(t)
    t.play("KA")
    assert pawn(t, 0, "K")["step"] == 9


@rule("PAL-10")
def test_a_pawn_on_step_9_stays_there():
    t = walked(9, pile="K9 M1 K10 M1 KA M2")
    idle(t)
    assert refused(t, "K10") == "PAL-10"
    assert refused(t, "KA") == "PAL-10"
    assert not {"K10", "KA"} & set(written(t))


@rule("PAL-11")
def test_landing_on_a_closed_site_opens_it():
    t = walked(2, K="S R S F15 F20")
    assert t.view(1)["table"]["paths"][0]["sites"][0] == {"step": 2, "find": "statue"}
    assert t.view(1)["table"]["paths"][0]["sites"][1]["find"] is None
    assert seat_of(t, 0)["statues"] == 1


@rule("PAL-11")
def test_passing_with_ariadne_opens_as_well_even_two_at_once():
    t = table("K1:a", "-Z1", "KA", "-Z1", blue="K1 KA", red="Z1 Z1", K="R S S F15 F20")
    assert seat_of(t, 0)["rares"] == ["K"]  # from step 1 over 2 to 3
    t = walked(7, pile="KA M1 K10", K="S F15 S R S", M="R S S F15 F20", P="R S S F15 F20", Z="R S S S F20")
    idle(t)
    t.play("KA")  # from 7 over 8 to 9
    assert seat_of(t, 0)["rares"] == ["K"]
    assert seat_of(t, 0)["statues"] == 3


@rule("PAL-11")
@pytest.mark.parametrize(("find", "kept"), [("S", "statues"), ("R", "rares")])
def test_a_statue_or_rare_find_is_gone_for_the_other(find, kept):
    finds = f"{find} {'R' if find == 'S' else 'S'} S F15 F20"
    t = table("K1:a", "K1:a", "K2", "K2", blue="K1 K2", red="K1 K2", K=finds)
    assert seat_of(t, 0)[kept]
    assert not seat_of(t, 1)[kept]


@rule("PAL-11")
def test_a_fresco_stays_and_the_other_photographs_it_too():
    t = table("K1:a", "K1:a", "K2", "KA", blue="K1 K2", red="K1 KA", K="F20 S S R F15")
    assert seat_of(t, 0)["frescoes"] == [20]
    assert seat_of(t, 1)["frescoes"] == [20]  # passed, not landed on


@rule("PAL-11")
def test_nobody_photographs_a_fresco_twice():
    t = walked(2, thrown=[2], K="F20 S S R F15")
    assert pawn(t, 0, "K")["step"] == 1
    events = t.play("K3")
    assert pawn(t, 0, "K")["step"] == 2
    assert seat_of(t, 0)["frescoes"] == [20]
    assert "photographs" not in str(events[0])


@rule("PAL-11")
@pytest.mark.parametrize("chair", [None, 0, 1])
def test_what_was_found_and_what_it_is_worth_is_told_to_every_chair(chair):
    t = walked(7, pile="KA M1 K10", K="S F15 S R S", M="R S S F15 F20", P="R S S F15 F20", Z="R S S S F20")
    idle(t)
    t.play("KA")  # from 7 over 8 to 9
    told = [event for event in t.events(chair) if event.data.get("finds")]
    assert [(event.rule, event.data["palace"], event.data["finds"]) for event in told] == [
        ("PAL-11", "K", [{"find": "statue", "step": 2, "count": 1, "points": -20}]),
        ("PAL-11", "K", [{"find": "fresco15", "step": 4, "count": 1, "points": 15}]),
        ("PAL-11", "K", [{"find": "statue", "step": 6, "count": 2, "points": -15}]),
        (
            "PAL-11",
            "K",
            [
                {"find": "rare", "step": 8, "count": 1, "points": 25},
                {"find": "statue", "step": 9, "count": 3, "points": 5},
            ],
        ),
    ]
    assert [str(event).split(" and ", 1)[1] for event in told] == [
        "digs up a statue (1 now counts −20).",
        "photographs a fresco worth 15.",
        "digs up a statue (2 now count −15).",
        "digs up the Minos ring (worth 25) and digs up a statue (3 now count 5).",
    ]


@rule("PAL-11")
def test_a_step_on_which_nothing_is_found_tells_of_no_find():
    t = walked(2, thrown=[2], K="F20 S S R F15")
    assert t.play("K3")[0].data["finds"] == []  # it lies there, photographed already


@rule("PAL-12")
@pytest.mark.parametrize(("step", "back"), [(1, 1), (2, 1), (3, 1), (4, 2), (5, 3), (6, 4)])
def test_the_minotaur_throws_an_archaeologist_two_steps_back(step, back):
    t = walked(step)
    assert "KX" in written(t)
    t.play("KX")
    assert pawn(t, 0, "K")["step"] == back


@rule("PAL-12")
def test_a_minotaur_strikes_only_on_its_own_path_and_only_the_other_player():
    t = table("K1:a", "K1:a", "K2", "KX", blue="K1 K2", red="K1 KX MX")
    assert (pawn(t, 0, "K")["step"], pawn(t, 1, "K")["step"]) == (1, 1)
    idle(t)
    assert refused(t, "MX") == "PAL-14"


@rule("PAL-12")
def test_a_minotaur_moves_no_pawn_of_its_own_player():
    t = table("-Z1", "K1:a", blue="Z1 KX", red="K1")
    assert refused(t, "KX:a") == "PAL-12"
    assert refused(t, "KX:t") == "PAL-12"


@rule("PAL-13")
def test_theseus_parries_and_the_card_is_spent():
    t = table("K1:t", "-Z1", "K2", "-Z1", "K3", blue="K1 K2 K3 KX", red="KX Z1 Z1", pile="M1 M2 M3 M4")
    events = t.play("KX")
    assert "parries" in str(events[0])
    assert pawn(t, 0, "K")["step"] == 3
    assert "KX" in t.view(0)["table"]["discards"]
    assert "KX" not in t.view(1)["table"]["hand"]


@rule("PAL-14")
def test_step_7_is_safe_and_step_6_is_not():
    assert "KX" in written(walked(6))
    t = walked(7)
    assert "KX" not in written(t)
    assert refused(t, "KX") == "PAL-14"
    assert "-KX" in written(t)


@rule("PAL-14")
def test_where_nobody_stands_there_is_nothing_to_attack():
    t = table("-Z1", blue="Z1", red="KX")
    assert refused(t, "KX") == "PAL-14"
    assert "-KX" in written(t)


@rule("PAL-15")
def test_a_pawn_thrown_back_keeps_its_number():
    t = walked(5, thrown=[5], pile="K4 M1 K10")
    assert pawn(t, 0, "K")["step"] == 3
    assert pawn(t, 0, "K")["last"] == 5
    assert refused(t, "K4") == "PAL-08"
    assert "K6" in written(t)


@rule("PAL-15")
def test_sites_passed_again_stay_open_and_give_nothing():
    t = walked(4, thrown=[4], K="S S R F15 F20")
    assert seat_of(t, 0)["statues"] == 2
    assert t.view(0)["table"]["paths"][0]["sites"][1]["find"] == "statue"
    t.play("K5")
    idle(t)
    t.play("K6")
    assert pawn(t, 0, "K")["step"] == 4
    assert seat_of(t, 0)["statues"] == 2


@rule("PAL-16")
def test_every_card_can_be_discarded():
    t = table(blue="K1 KA KX M10 P5 ZA ZX Z1")
    assert {f"-{card}" for card in ["K1", "KA", "KX", "M10", "P5", "ZA", "ZX", "Z1"]} <= set(written(t))
    t.play("-KA")
    assert t.view(1)["table"]["discards"] == ["KA"]


# The end


@rule("PAL-17")
def test_the_game_ends_when_the_last_card_is_drawn():
    t = clew.new("palaces", seed=3)
    for turn in range(84):
        assert t.outcome is None, turn
        t.play(next(move for move in t.legal_moves() if str(move).startswith("-")))
    assert t.outcome.ended == "pile"
    assert t.to_move == ()
    assert len(t.view(0)["table"]["hand"]) == 8


def four_at_the_palaces():
    """Both walk to step 7 at Knossos and Malia; the last step there is still to be made by Red, with MA."""
    numbers = range(1, 8)
    blue = " ".join(f"K{n}" for n in numbers) + " M1"
    red = " ".join(f"K{n}" for n in numbers) + " M1"
    # Each draws M2 ... M6, then the Ariadne card or the seven, while walking at Knossos.
    pile = " ".join(f"M{n} M{n}" for n in range(2, 8)) + " MA MA"
    moves = [move for n in numbers for move in 2 * [f"K{n}:a" if n == 1 else f"K{n}"]]
    moves += [move for n in range(1, 7) for move in 2 * [f"M{n}:t" if n == 1 else f"M{n}"]]
    return table(*moves, "M7", blue=blue, red=red, pile=pile)


@rule("PAL-17")
def test_four_pawns_on_step_7_end_the_game_at_once_and_nothing_is_drawn():
    t = four_at_the_palaces()
    assert t.outcome is None  # three pawns are there
    left = t.view(0)["table"]["pile"]
    t.play("MA")  # past step 7 to 8
    assert t.outcome.ended == "pawns"
    assert t.view(0)["table"]["pile"] == left
    assert len(t.view(1)["table"]["hand"]) == 7
    assert t.view(0)["table"]["seats"][1]["cards"] == 7
    assert clew.replay(t.record()).outcome == t.outcome


@rule("PAL-18")
def test_the_score_adds_finds_statues_and_steps_and_theseus_counts_twice():
    t = four_at_the_palaces()
    t.play("MA")
    # Knossos R S S F15 F20: Blue moves first and takes the ring and two statues at steps 2, 4, 6; the same at Malia.
    # Step 7: archaeologist 30, Theseus 60; Red's Theseus on 8: 70, with the fresco of 15 there.
    assert seat_of(t, 0)["points"] == {"steps": 90, "statues": 15, "treasures": 50, "frescoes": 0}
    assert seat_of(t, 1)["points"] == {"steps": 100, "statues": 0, "treasures": 0, "frescoes": 15}
    assert t.outcome.scores == (155, 115)
    assert t.outcome.places == (1, 2)


@rule("PAL-18")
def test_theseus_doubles_negative_points_too():
    t = table("K1:t", blue="K1")
    assert seat_of(t, 0)["score"] == -40


@rule("PAL-18")
def test_the_statue_table():
    draws = [f"M{n}" for n in range(1, 9)] + [f"P{n}" for n in range(1, 5)]
    t = table(
        blue="K1 K2 K3 K4 K5 K6 K7 K8",
        red="Z1 Z2 Z3 Z4 Z5 Z6 Z7 Z8",
        pile=" ".join(f"{card} Z{1 + i % 10}" for i, card in enumerate(draws) if i < 10) + " P3 Z9 P4 Z10",
        K="S S S S R", M="S S S S R", P="S S R F15 F20", Z="F15 F15 F20 F20 R",
    )  # fmt: skip
    points = {0: seat_of(t, 0)["points"]["statues"]}
    for move in walks("K", 8) + walks("M", 8) + walks("P", 4):
        t.play(move)
        points[seat_of(t, 0)["statues"]] = seat_of(t, 0)["points"]["statues"]
        idle(t)
    assert points == {0: 0, 1: -20, 2: -15, 3: 5, 4: 15, 5: 30, 6: 45, 7: 55, 8: 70, 9: 90, 10: 100}
    assert t.view(0)["table"]["statue_points"] == list(points.values())


def drained(t):
    """Play on by discarding until the pile is empty."""
    while t.to_move:
        t.play(next(move for move in t.legal_moves() if str(move).startswith("-")))
    return t


@rule("PAL-19")
def test_the_higher_score_wins():
    t = drained(table("K1:a", blue="K1"))
    assert t.outcome.scores == (-20, 0)
    assert t.outcome.places == (2, 1)


@rule("PAL-19")
def test_nothing_found_and_nothing_walked_is_a_draw():
    t = drained(table())
    assert t.outcome.scores == (0, 0)
    assert t.outcome.places == (1, 1)
    assert "a draw at 0" in str(t.events(None)[-1])


TIES = {
    # Blue: step 4, ring and fresco, 5 + 25 + 15. Red: step 4, two frescoes, 5 + 20 + 20.
    "treasures": ("R F15 S S S", "F20 F20 R S S", walks("K", 4), walks("M", 4), (1, 2)),
    # Blue: step 4, two frescoes, 5 + 15 + 15. Red: step 7, three statues, 30 + 5.
    "frescoes": ("F15 F15 R S S", "S S S R F20", walks("K", 4), walks("M", 7), (1, 2)),
    # Blue: nothing. Red: step 6 and step 1, three statues, 15 - 20 + 5.
    "statues": ("R S S F15 F15", "S S S R F20", [], walks("M", 6) + walks("Z", 1), (2, 1)),
}


@rule("PAL-19")
@pytest.mark.parametrize("more", TIES)
def test_a_tie_is_decided_by_treasures_then_frescoes_then_statues(more):
    K, M, blue, red, places = TIES[more]
    left = Counter({"S": 10, "F15": 3, "F20": 3})
    left.subtract(f for f in f"{K} {M}".split() if f != "R")
    rest = list(left.elements())
    t = table(
        blue=" ".join(move.split(":")[0] for move in blue),
        red=" ".join(move.split(":")[0] for move in red),
        K=K, M=M, P=" ".join(["R", *rest[:4]]), Z=" ".join(["R", *rest[4:]]),
    )  # fmt: skip
    plans = [list(blue), list(red)]
    while t.to_move:
        plan = plans[t.to_move[0]]
        if plan:
            t.play(plan.pop(0))
        else:
            idle(t)
    assert t.outcome.scores[0] == t.outcome.scores[1]
    assert t.outcome.places == places
    assert f"with more {more}" in str(t.events(None)[-1])


# Secrets


@rule("PAL-20")
@rule("COM-02")
def test_a_view_does_not_change_with_what_the_chair_cannot_see():
    blue = "K1 K2 K3 M1 M2 P1 P2 Z1"
    moves = ["K1:a", "-M5", "K2"]
    one = table(*moves, blue=blue, red="M5 Z9", pile="M9 K9 P9", K="S R S F15 F20")
    two = table(*moves, blue=blue, red="M5 PX ZX", pile="M9 MX P9", K="S F20 F15 R S")
    assert one.view(0) == two.view(0)
    assert one.legal_moves(0) == two.legal_moves(0)
    assert list(map(str, one.events(0))) == list(map(str, two.events(0)))
    assert one.view(None) == two.view(None)
    assert one.view(1) != two.view(1)


@rule("PAL-20")
def test_discards_and_finds_are_public():
    t = table("-K9", "K1:a", "-Z9", "K2", blue="K9 Z9", red="K1 K2", K="F20 R S S F15")
    for chair in (0, 1, None):
        seen = t.view(chair)["table"]
        assert seen["discards"] == ["K9", "Z9"]
        assert seen["paths"][0]["sites"][0]["find"] == "fresco20"
    assert t.view(None)["table"]["hand"] == []


@rule("PAL-20")
def test_the_draw_is_told_to_its_player_only():
    t = table("-K9", blue="K9", pile="MA")
    assert "Blue draws Ariadne of Malia." in map(str, t.events(0))
    assert "Blue draws a card." in map(str, t.events(1))
    assert not any("Ariadne" in str(event) or "MA" in str(event.data) for event in t.events(1) + t.events(None))
