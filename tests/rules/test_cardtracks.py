"""Cardtracks, rule by rule, on constructed deals."""

import base64
import io
import json
import random
from collections import Counter

import pytest
from rich.console import Console

import clew
from clew import BadRecord, CannotUndo, IllegalMove
from clew.core import suited
from clew.core.game import load
from clew.core.rng import stream
from clew.games.cardtracks.picture import picture

rule = pytest.mark.rule

RANKS = "A23456789TJQK"
DECK = [rank + suit for suit in "SHDC" for rank in RANKS]
SHORT = {"tracks": 2, "track_length": 2}  # two cards win a track


def deal(flips=(), last=(), centre=("", ""), spare=("", ""), tracks=3):
    """A full deal from the cards that matter: flips "KS 9H" that come first and last, cards that lie face down.

    Flips that tie lie between them, as many as there can be; cards without a match go face down first.
    """
    first, final = ([flip.split() for flip in some] for some in (flips, last))
    centre, spare = ([cards.split() for cards in some] for some in (centre, spare))
    left = []
    for seat in range(2):
        used = [flip[seat] for flip in first + final] + centre[seat] + spare[seat]
        assert len(set(used)) == len(used), f"seat {seat} has a card twice"
        left.append([card for card in DECK if card not in used])
    ties = []
    for blue in list(left[0]):
        red = next((card for card in left[1] if card[0] == blue[0]), None)
        if red:
            ties.append([blue, red])
            left[0].remove(blue)
            left[1].remove(red)
    while len(left[0]) < tracks + 1 - len(centre[0] + spare[0]):
        blue, red = ties.pop()
        left[0].append(blue)
        left[1].append(red)
    lines = {}
    for seat in range(2):
        centre[seat] += [left[seat].pop() for _ in range(tracks - len(centre[seat]))]
        spare[seat] += [left[seat].pop() for _ in range(1 - len(spare[seat]))]
    for seat in range(2):
        lines[f"centre {seat}"] = " ".join(centre[seat])
        lines[f"spare {seat}"] = spare[seat][0]
        lines[f"deck {seat}"] = " ".join(pair[seat] for pair in [*first, *ties, *zip(*left, strict=True), *final])
    return lines


def record(lines, moves=(), **options):
    """A record with these deal lines."""
    head = ["clew-record 1", "game: cardtracks", "rules: 1", "players: 2"]
    head.append("options: " + " ".join(f"{name}={value}" for name, value in options.items()))
    head += [f"deal {key}: {text}" for key, text in lines.items()]
    return "\n".join([*head, "moves:", *moves]) + "\n"


def table(*moves, track_length=5, tracks=3, lanes="own", **dealt):
    """A table from such a deal; moves are made by whoever is to move, or written "1 keep" where both are."""
    options = {"track_length": track_length, "tracks": tracks, "lanes": lanes}
    t = clew.replay(record(deal(tracks=tracks, **dealt), **options))
    for move in moves:
        if move[0].isdigit():
            t.play(move[2:], int(move[0]))
        else:
            t.play(move)
    return t


def both_won(*moves, centre=("QS 5S", "5H QH"), spare=("KC", "KC"), **dealt):
    """Two short tracks, the first won by Blue, the second by Red: both are to choose."""
    flips = ["7S 2H", "8S 3H", "2S 7H", "3S 8H"]
    return table(">1", ">1", ">2", ">2", *moves, **SHORT, flips=flips, centre=centre, spare=spare, **dealt)


def blue_won(*moves, **dealt):
    """Two short tracks, both won by Blue, who alone is to choose."""
    flips = ["7S 2H", "8S 3H", "7D 2D", "8D 3D"]
    return table(">1", ">1", ">2", ">2", *moves, **SHORT, flips=flips, **dealt)


def seen(t, chair=None):
    return t.view(chair)["table"]


def lane(t, seat, track=1):
    return seen(t)["tracks"][track - 1]["lanes"][seat]


def written(t, seat=None):
    return [str(move) for move in t.legal_moves(seat)]


def told(t, chair=None, since=0):
    return [(event.rule, event.text) for event in t.events(chair, since)]


def refused(t, move, seat=None):
    before = t.record(), [t.view(chair) for chair in (0, 1, None)]
    with pytest.raises(IllegalMove) as error:
        t.play(move, seat)
    assert (t.record(), [t.view(chair) for chair in (0, 1, None)]) == before
    return error.value.rule


def bad(lines, **options):
    with pytest.raises(BadRecord) as error:
        clew.replay(record(lines, **options))
    return str(error.value)


def random_game(seed, **options):
    """A finished random game."""
    t = clew.new("cardtracks", seed=seed, options=options)
    rng = random.Random(seed)
    while t.to_move:
        seat = rng.choice(t.to_move)
        t.play(rng.choice(t.legal_moves(seat)), seat)
    return t


# The deal


@rule("CAR-01")
@pytest.mark.parametrize("tracks", [2, 3, 5])
def test_each_player_has_a_full_deck_of_their_own(tracks):
    lines = clew.new("cardtracks", seed=3, options={"tracks": tracks}).deal_lines()
    decks = [" ".join(lines[f"{place} {seat}"] for place in ("centre", "spare", "deck")) for seat in range(2)]
    assert sorted(decks[0].split()) == sorted(decks[1].split()) == sorted(DECK)
    assert decks[0] != decks[1]


@rule("CAR-01")
def test_the_decks_are_shuffled_anew_for_each_seed():
    tops = Counter(clew.new("cardtracks", seed=seed).deal_lines()[f"spare {seed % 2}"] for seed in range(400))
    assert len(tops) > 48
    assert max(tops.values()) < 25


@rule("CAR-01")
def test_both_may_turn_over_the_same_card():
    t = table(flips=["KS KS", "QS JS"])
    assert seen(t)["flips"][0]["cards"] == ["KS", "KS"]
    assert t.to_move == (0,)


@rule("CAR-01")
def test_a_double_card_is_refused_with_the_one_that_is_missing():
    lines = deal(spare=("KS", ""), centre=("QS JS TS", ""))
    lines["spare 0"] = "QS"
    assert "QS is dealt once too often" in bad(lines)
    assert "KS is missing" in bad(lines)


@rule("CAR-01")
def test_a_card_of_the_other_deck_does_not_make_up_for_a_missing_one():
    lines = deal(spare=("KS", "QS"))
    lines["spare 0"], lines["spare 1"] = "QS", "KS"
    assert "KS is missing" in bad(lines)


@rule("CAR-02")
@pytest.mark.parametrize("line", ["centre 0", "centre 1", "spare 1", "deck 0"])
def test_a_deal_with_a_card_too_many_or_too_few_is_refused(line):
    lines = deal()
    count = len(lines[line].split())
    assert f"{count - 1} pieces instead of {count}" in bad(lines | {line: " ".join(lines[line].split()[1:])})
    assert f"{count + 1} pieces instead of {count}" in bad(lines | {line: lines[line] + " AS"})
    assert "is missing" in bad({key: text for key, text in lines.items() if key != line})


@rule("CAR-02")
@pytest.mark.parametrize("piece", ["10S", "1S", "as", "XX", "SA", "JOKER"])
def test_there_are_no_such_cards(piece):
    assert f"no piece {piece!r}" in bad(deal() | {"spare 0": piece})


@rule("CAR-02")
def test_a_deal_for_three_tracks_does_not_do_for_four():
    assert "3 pieces instead of 4" in bad(deal(), tracks=4)


@rule("CAR-02")
def test_centre_cards_and_spare_come_off_the_top_of_the_deck():
    orders = set()
    for tracks in (2, 3, 5):
        lines = clew.new("cardtracks", seed=11, options={"tracks": tracks}).deal_lines()
        assert len(lines["centre 1"].split()) == tracks
        assert len(lines["spare 1"].split()) == 1
        orders.add(f"{lines['centre 1']} {lines['spare 1']} {lines['deck 1']}")
    assert len(orders) == 1


@rule("CAR-02")
@pytest.mark.parametrize("chair", [0, 1, None])
def test_nobody_looks_at_the_centre_cards_or_the_spares(chair):
    now = seen(table(flips=["KS 9H"]), chair)
    assert [lane["centre"] for track in now["tracks"] for lane in track["lanes"]] == [None] * 6
    assert [about["spare"] for about in now["seats"]] == [None, None]


@rule("CAR-03")
@pytest.mark.parametrize(("tracks", "left"), [(2, 49), (3, 48), (5, 46)])
def test_the_rest_is_the_draw_deck(tracks, left):
    t = table(flips=["KS 9H"], tracks=tracks)
    assert len(t.deal_lines()["deck 0"].split()) == left
    assert seen(t)["deck"] == left - 1
    assert ("CAR-03", f"Each has {left} cards left to turn over.") in told(t)


# The flip


@rule("CAR-04")
@pytest.mark.parametrize(("flip", "winner"), [("KS 9H", 0), ("9H KS", 1)])
def test_the_owner_of_the_higher_card_plays_it_and_the_other_is_discarded_face_up(flip, winner):
    t = table(flips=[flip])
    assert t.to_move == (winner,)
    now = seen(t)
    assert (now["flip"]["seat"], now["flip"]["card"], now["flip"]["beaten"]) == (winner, "KS", "9H")
    assert now["seats"][1 - winner]["discards"] == ["9H"]
    assert now["seats"][winner]["discards"] == []
    assert written(t, 1 - winner) == []
    assert refused(t, ">1", 1 - winner) == "COM-08"
    t.play(">2")
    assert lane(t, winner, 2)["last"] == "KS"


@rule("CAR-04")
def test_the_next_cards_are_turned_over_when_the_card_is_placed():
    t = table(flips=["KS 9H", "4S 5H"])
    assert len(seen(t)["flips"]) == 1
    t.play(">1")
    assert seen(t)["flips"][1] == {"cards": ["4S", "5H"], "winner": 1, "track": None, "step": None}
    assert t.to_move == (1,)


@rule("CAR-05")
@pytest.mark.parametrize(
    ("higher", "lower"),
    ["32", "43", "54", "65", "76", "87", "98", "T9", "JT", "QJ", "KQ", "K2", "A3", "A9", "AT", "AJ", "AQ", "AK", "2A"],
)
def test_the_order_of_the_ranks_in_the_flip(higher, lower):
    assert table(flips=[f"{higher}S {lower}S"]).to_move == (0,)
    assert table(flips=[f"{lower}C {higher}D"]).to_move == (1,)


@rule("CAR-05")
def test_a_two_beats_an_ace_in_the_flip_and_is_told_so():
    t = table(flips=["AS 2H"])
    assert told(t)[-1] == (
        "CAR-05",
        "Blue turns over the ace of spades, Red the two of hearts; a two beats an ace, so Red plays.",
    )
    assert seen(t)["seats"][0]["discards"] == ["AS"]


@rule("CAR-05")
@pytest.mark.parametrize("rank", RANKS)
def test_equal_ranks_are_both_discarded_and_both_flip_again(rank):
    other = "K" if rank == "Q" else "Q"
    t = table(flips=[f"{rank}S {rank}H", f"{rank}H {rank}D", f"{other}S TC"])
    assert t.to_move == (0,)
    now = seen(t)
    assert now["flip"]["card"] == f"{other}S"
    assert [about["discards"] for about in now["seats"]] == [[f"{rank}S", f"{rank}H"], [f"{rank}H", f"{rank}D", "TC"]]
    assert [ruled for ruled, _ in told(t)[-3:]] == ["CAR-05", "CAR-05", "CAR-04"]


# On the tracks


@rule("CAR-06")
def test_the_card_goes_on_any_open_track():
    t = table(flips=["KS 9H", "QS 9D"])
    assert written(t) == [">1", ">2", ">3"]
    t.play(">1")
    assert written(t) == [">1", ">2", ">3"]


@rule("CAR-06")
@pytest.mark.parametrize("card", ["2S", "KS", "AS"])
def test_the_first_card_on_a_track_goes_to_the_first_step(card):
    t = table(">3", flips=[f"{card} {'AH' if card == '2S' else '9H'}"])
    assert lane(t, 0, 3) == {"step": 1, "steps": [[card]], "last": card, "compared": card, "centre": None}
    assert lane(t, 1, 3)["step"] == lane(t, 0, 1)["step"] == 0


@rule("CAR-06")
@pytest.mark.parametrize(("tracks", "number"), [(2, 3), (3, 4), (5, 6), (5, 9)])
def test_there_is_no_such_track(tracks, number):
    t = table(flips=["KS 9H"], tracks=tracks)
    assert refused(t, f">{number}") == "CAR-06"
    assert written(t)[-1] == f">{tracks}"


@rule("COM-06")
@pytest.mark.parametrize(
    "text", ["", ">", ">0", ">01", "> 1", ">>1", ">1x", ">10", "1", "KS", "Keep", "spare", "spare1"]
)
def test_what_is_not_a_move(text):
    assert refused(table(flips=["KS 9H"]), text) == "COM-06"


@rule("CAR-07")
def test_a_higher_card_takes_a_step():
    t = table(">1", ">1", flips=["4S 2H", "5S 3H"])
    assert lane(t, 0)["steps"] == [["4S"], ["5S"]]
    assert ("CAR-07", "Blue puts the five of spades on track 1 after the four of spades and steps to 2.") in told(t)


@rule("CAR-07")
@pytest.mark.parametrize("card", ["6S", "9S"])
def test_a_lower_or_equal_card_covers_the_last_on_the_same_step(card):
    t = table(">1", ">1", flips=["9H 2H", f"{card} 3H"])
    assert lane(t, 0)["steps"] == [["9H", card]]
    assert ("CAR-07", f"Blue puts the {suited(card)} on track 1 and covers the nine of hearts on step 1.") in told(t)


@rule("CAR-07")
def test_a_card_that_covers_is_now_the_one_to_beat():
    t = table(">1", ">1", ">1", flips=["KS 2H", "6S 3H", "7S 4H"])
    assert lane(t, 0)["steps"] == [["KS", "6S"], ["7S"]]


@rule("CAR-07")
def test_each_track_has_a_last_card_of_its_own():
    t = table(">1", ">2", ">2", ">1", flips=["KS 2H", "6S 3H", "7S 4H", "QS 5H"])
    assert lane(t, 0, 1)["steps"] == [["KS", "QS"]]
    assert lane(t, 0, 2)["steps"] == [["6S"], ["7S"]]


@rule("CAR-07")
def test_in_own_lanes_the_other_players_cards_do_not_count():
    t = table(">1", ">1", ">1", ">1", flips=["6S 2H", "3S KH", "7S 4H", "2S 9H"])
    assert lane(t, 0)["steps"] == [["6S"], ["7S"]]
    assert lane(t, 1)["steps"] == [["KH", "9H"]]


@rule("CAR-07")
def test_the_view_says_where_the_card_would_lie():
    t = table(">1", ">2", flips=["6S 2H", "TS 3H", "8S 4H"])
    assert seen(t)["flip"]["landing"] == [2, 1, 1]
    for track, step in ((1, 2), (2, 1), (3, 1)):
        then = t.copy()
        then.play(f">{track}")
        assert lane(then, 0, track)["step"] == step


@rule("CAR-08")
@pytest.mark.parametrize("last", ["2S", "9S", "KS", "AS"])
def test_an_ace_steps_forward_from_anything(last):
    t = table(">1", ">1", flips=[f"{last} {'AH' if last == '2S' else 'TH' if last == 'KS' else '8H'}", "AD 5H"])
    assert lane(t, 0)["steps"] == [[last], ["AD"]]
    assert ("CAR-08", f"Blue puts the ace of diamonds on track 1 after the {suited(last)} and steps to 2.") in told(t)


@rule("CAR-08")
@pytest.mark.parametrize("card", ["2S", "9S", "KS"])
def test_anything_steps_forward_from_an_ace(card):
    t = table(">1", ">1", flips=["AD 5H", f"{card} {'AH' if card == '2S' else '3H'}"])
    assert lane(t, 0)["steps"] == [["AD"], [card]]
    assert told(t, since=2)[0][0] == "CAR-08"


@rule("CAR-08")
def test_an_ace_takes_a_king_to_a_two():
    t = table(">1", ">1", ">1", ">1", flips=["KS 9H", "AS 9D", "2S AH", "3S 2H"])
    assert lane(t, 0)["steps"] == [["KS"], ["AS"], ["2S"], ["3S"]]


@rule("CAR-09")
@pytest.mark.parametrize("length", [2, 5, 8])
def test_the_first_card_on_the_last_step_wins_the_track_and_turns_over_the_own_centre_card(length):
    flips = ["2S AH", "3S 2H", "4S 2D", "5S 2C", "6S 3H", "7S 3D", "8S 3C", "9S 4H"][:length]
    t = table(*[">2"] * (length - 1), track_length=length, flips=[*flips, "TS 4D"], centre=("9C QD 8C", "KC KD KH"))
    assert seen(t)["tracks"][1]["winner"] is None
    assert lane(t, 0, 2)["centre"] is None
    t.play(">2")
    assert (seen(t)["tracks"][1]["winner"], seen(t)["tracks"][1]["card"]) == (0, "QD")
    for chair in (0, 1, None):
        lanes = seen(t, chair)["tracks"][1]["lanes"]
        assert [one["centre"] for one in lanes] == ["QD", None]
    assert ("CAR-09", "Blue wins track 2 and turns over the queen of diamonds: 2 points.") in told(t)


@rule("CAR-09")
def test_a_won_track_is_closed_to_both():
    flips = ["7S 2H", "8S 3H", "9S 4H", "2S 9H"]
    t = table(">1", ">1", tracks=3, track_length=2, flips=flips)
    assert written(t) == [">2", ">3"]
    assert refused(t, ">1") == "CAR-09"
    t.play(">2")
    assert t.to_move == (1,)
    assert written(t) == [">2", ">3"]
    assert refused(t, ">1") == "CAR-09"


@rule("CAR-09")
def test_the_first_to_reach_the_centre_wins_however_far_the_other_is():
    t = table(">1", ">1", ">1", ">1", ">1", track_length=3, flips=["7S 2H", "8S 3H", "2S 7H", "3S 8H", "4S 9H"])
    assert seen(t)["tracks"][0]["winner"] == 1
    assert lane(t, 0)["step"] == 2


@rule("CAR-09")
def test_the_other_centre_card_stays_face_down_after_the_end_too():
    t = both_won("0 spare 1", "1 spare 2", centre=("QS 5S", "5H QH"))
    assert t.outcome
    for chair in (0, 1, None):
        now = seen(t, chair)
        assert [[one["centre"] for one in track["lanes"]] for track in now["tracks"]] == [["QS", None], [None, "QH"]]
        assert "5S" in now["seats"][0]["unseen"]
        assert "5H" in now["seats"][1]["unseen"]
    assert "deal centre 0: QS 5S" in t.record()


# The spare


@rule("CAR-10")
def test_when_all_tracks_are_won_both_choose_at_once():
    t = both_won()
    assert t.to_move == (0, 1)
    assert seen(t)["phase"] == "choose"
    assert written(t, 0) == ["keep", "spare 1"]
    assert written(t, 1) == ["keep", "spare 2"]
    assert told(t)[-1] == ("CAR-10", "Blue and Red choose whether the spare replaces a winning card.")


@rule("CAR-10")
def test_nothing_is_turned_over_after_the_last_track_is_won():
    t = both_won()
    assert len(seen(t)["flips"]) == 4
    t.play("keep", 0)
    t.play("keep", 1)
    assert len(seen(t)["flips"]) == 4


@rule("CAR-10")
def test_a_spare_counts_instead_of_the_card_it_replaces():
    t = both_won("1 keep", "0 spare 1", centre=("5S 5D", "5H QH"), spare=("KC", "AC"))
    assert t.outcome.scores == (2, 2)
    track = seen(t)["tracks"][0]
    assert (track["card"], track["points"], track["lanes"][0]["centre"]) == ("KC", 2, "5S")
    said = "Blue turns over the spare, the king of clubs, in place of the five of spades on track 1: 2 points."
    assert ("CAR-10", said) in told(t)
    assert ("CAR-10", "Red leaves the spare face down.") in told(t)


@rule("CAR-10")
def test_a_spare_may_be_worse_than_what_it_replaces():
    t = both_won("1 keep", "0 spare 1", centre=("QS 5S", "5H QH"), spare=("AC", "AC"))
    assert t.outcome.scores == (-1, 2)


@rule("CAR-10")
def test_a_spare_that_was_not_chosen_stays_face_down():
    t = both_won("0 keep", "1 spare 2")
    for chair in (0, 1, None):
        assert [about["spare"] for about in seen(t, chair)["seats"]] == [None, "KC"]
        assert "KC" in seen(t, chair)["seats"][0]["unseen"]


@rule("CAR-10")
def test_the_spare_replaces_only_a_card_of_an_own_track():
    t = both_won()
    assert refused(t, "spare 2", 0) == "CAR-10"
    assert refused(t, "spare 1", 1) == "CAR-10"
    assert refused(t, "spare 3", 0) == "CAR-10"


@rule("CAR-10")
def test_a_track_that_nobody_won_has_no_card_to_replace():
    t = table(">2", ">2", **SHORT, flips=["QS 2H", "KS 3H"])
    assert t.to_move == (0,)
    assert written(t) == ["keep", "spare 2"]
    assert refused(t, "spare 1") == "CAR-10"


@rule("CAR-10")
def test_choosing_and_placing_have_their_own_time():
    t = table(flips=["KS 9H"])
    assert refused(t, "keep") == "CAR-10"
    assert refused(t, "spare 1") == "CAR-10"
    t = both_won()
    assert refused(t, ">1", 0) == "CAR-10"
    assert refused(t, ">3", 1) == "CAR-10"


@rule("CAR-10")
def test_a_player_without_a_track_does_not_choose():
    t = blue_won(centre=("5S 6S", ""))
    assert t.to_move == (0,)
    assert refused(t, "keep", 1) == "COM-08"
    t.play("keep")
    assert t.to_move == ()
    assert t.outcome == clew.Outcome((1, 2), (2, 0), "tracks")
    assert seen(t)["seats"][1]["choice"] is None


@rule("CAR-10")
def test_one_spare_replaces_one_card():
    t = blue_won("spare 2", centre=("5S AS", ""), spare=("KS", ""))
    assert [track["card"] for track in seen(t)["tracks"]] == ["5S", "KS"]
    assert t.outcome.scores == (3, 0)


# The choice is secret and final


@rule("COM-08")
@pytest.mark.parametrize("first", [0, 1])
def test_a_choice_is_unknown_to_everyone_else_until_both_are_in(first):
    worlds = []
    for choice in ("keep", f"spare {first + 1}"):
        t = both_won()
        own = t.play(choice, first)
        assert [event.data.get("choice") for event in own] == [choice]
        assert seen(t, first)["seats"][first]["choice"] == choice
        assert t.to_move == (1 - first,)
        assert seen(t, None)["seats"][first]["chosen"]
        assert told(t)[-1] == ("CAR-10", f"{['Blue', 'Red'][first]} has chosen.")
        watched = [(t.view(chair), [event.json() for event in t.events(chair)]) for chair in (1 - first, None)]
        worlds.append(json.dumps([watched, written(t, 1 - first), t.record(), [str(move) for move in t.moves]]))
    assert worlds[0] == worlds[1]


@rule("COM-08")
@pytest.mark.parametrize("first", [0, 1])
def test_a_choice_is_final(first):
    t = both_won()
    t.play("keep", first)
    assert refused(t, f"spare {first + 1}", first) == "COM-08"
    for seat in (None, first):
        with pytest.raises(CannotUndo):
            t.undo(seat)
    t.play("keep", 1 - first)
    with pytest.raises(CannotUndo):
        t.undo()


@rule("COM-08")
def test_the_order_of_choosing_changes_nothing():
    tables = [both_won("0 spare 1", "1 keep"), both_won("1 keep", "0 spare 1")]
    assert tables[0].record() == tables[1].record()
    assert tables[0].record().split("\n")[-4:-2] == ["0 spare 1", "1 keep"]
    for chair in (0, 1, None):
        views = [json.dumps(t.view(chair)) for t in tables]
        assert views[0] == views[1]
    assert clew.replay(tables[1].record()).record() == tables[1].record()


@rule("COM-08")
def test_both_choices_are_told_when_both_are_in():
    for chair in (0, 1, None):
        t = both_won("1 spare 2", "0 keep")
        assert [text for _, text in told(t, chair, since=6)] == [
            "Blue leaves the spare face down.",
            "Red turns over the spare, the king of clubs, in place of the queen of hearts on track 2: 2 points.",
            "All tracks are won: a draw at 2, with 1 track each.",
        ]


@rule("COM-08")
def test_after_the_end_nobody_moves():
    t = both_won("0 keep", "1 keep")
    assert t.to_move == ()
    for seat in (0, 1):
        assert written(t, seat) == []
        for move in (">1", "keep", "spare 1"):
            assert refused(t, move, seat) == "COM-08"


# The end


@rule("CAR-11")
@pytest.mark.parametrize("rank", RANKS)
def test_what_a_winning_card_counts(rank):
    worth = {"A": -1, "J": 2, "Q": 2, "K": 2}.get(rank, 1)
    t = both_won("0 keep", "1 keep", centre=(f"{rank}D", "4H 6H"))
    assert t.outcome.scores == (worth, 1)
    t = both_won("0 spare 1", "1 keep", centre=("6S", "4H 6H"), spare=(f"{rank}C", "KC"))
    assert t.outcome.scores == (worth, 1)


@rule("CAR-11")
def test_the_higher_sum_wins():
    t = both_won("0 keep", "1 keep", centre=("QS 5S", "5H 6H"))
    assert t.outcome == clew.Outcome((1, 2), (2, 1), "tracks")
    assert told(t)[-1] == ("CAR-11", "All tracks are won: Blue wins by 2 to 1.")
    t = both_won("0 keep", "1 keep", centre=("5S QS", "5H JH"))
    assert t.outcome == clew.Outcome((2, 1), (1, 2), "tracks")


@rule("CAR-11")
def test_no_track_is_better_than_aces():
    t = blue_won("keep", centre=("AS AH", ""))
    assert t.outcome == clew.Outcome((2, 1), (-2, 0), "tracks")


@rule("CAR-12")
def test_on_equal_scores_fewer_tracks_win():
    flips = ["7S 2H", "8S 3H", "7D 2D", "8D 3D", "2S 7H", "3S 8H"]
    moves = [">1", ">1", ">2", ">2", ">3", ">3", "0 keep", "1 keep"]
    t = table(*moves, tracks=3, track_length=2, flips=flips, centre=("5S 6S", "5H 6H JH"))
    assert t.outcome == clew.Outcome((2, 1), (2, 2), "tracks")
    assert told(t)[-1] == ("CAR-12", "All tracks are won: both have 2, and Red wins with fewer tracks.")


@rule("CAR-12")
def test_on_equal_scores_no_track_at_all_is_fewest():
    t = blue_won("keep", centre=("AS 5H", ""))
    assert t.outcome == clew.Outcome((2, 1), (0, 0), "tracks")


@rule("CAR-12")
def test_a_higher_score_wins_with_more_tracks_too():
    t = blue_won("keep", centre=("5S 6S", ""))
    assert t.outcome.places == (1, 2)


@rule("CAR-13")
def test_decks_that_only_tie_end_the_game_before_anybody_moves():
    t = clew.replay(record(deal()) + "result: places 1 1; scores 0 0; ended decks\n")
    assert t.to_move == ()
    assert t.outcome == clew.Outcome((1, 1), (0, 0), "decks")
    assert seen(t)["deck"] == 0
    assert len(seen(t)["flips"]) == 48
    assert told(t)[-2:] == [
        ("CAR-13", "The decks have run out: tracks 1, 2 and 3 count for nobody."),
        ("CAR-13", "The decks are empty: a draw at 0, with 0 tracks each."),
    ]
    assert clew.replay(t.record()).record() == t.record()


@rule("CAR-13")
def test_when_no_track_was_won_nobody_chooses():
    t = table(flips=["KS QH", "QS KH"])
    t.play(">1")
    t.play(">1")
    assert t.to_move == ()
    assert t.outcome == clew.Outcome((1, 1), (0, 0), "decks")


@rule("CAR-13")
def test_when_the_decks_run_out_open_tracks_count_for_nobody_and_the_winner_of_one_chooses():
    t = table(">2", ">2", **SHORT, flips=["QS 2H", "KS 3H"], centre=("2S 3D", "KD QC"))
    assert (t.to_move, seen(t)["phase"], seen(t)["deck"]) == ((0,), "choose", 0)
    assert told(t)[-2:] == [
        ("CAR-13", "The decks have run out: track 1 counts for nobody."),
        ("CAR-10", "Blue chooses whether the spare replaces a winning card."),
    ]
    t.play("keep")
    assert t.outcome == clew.Outcome((1, 2), (1, 0), "decks")


@rule("CAR-13")
@pytest.mark.parametrize(("centre", "outcome"), [("5H", ((1, 1), (1, 1))), ("JH", ((2, 1), (1, 2)))])
def test_decks_run_out_with_a_track_each(centre, outcome):
    flips = ["7S 2H", "8S 3H", "2S 7H", "3S 8H"]
    moves = [">1", ">1", ">2", ">2"]
    t = table(*moves, tracks=3, track_length=2, flips=flips, centre=("5S", f"6H {centre}"))
    assert t.to_move == (0, 1)
    t.play("keep", 1)
    t.play("keep", 0)
    assert t.outcome == clew.Outcome(*outcome, "decks")


@rule("CAR-13")
def test_equal_scores_and_tracks_are_a_draw_with_all_tracks_won_too():
    t = both_won("0 keep", "1 keep", centre=("5S", "5C 5H"))
    assert t.outcome == clew.Outcome((1, 1), (1, 1), "tracks")


@rule("CAR-13")
def test_the_last_card_of_the_deck_can_win_the_last_track():
    flips, last = ["7S 2H", "8S 3H", "2S 7H"], ["3S 8H"]
    t = table(">1", ">1", ">2", **SHORT, flips=flips, last=last)
    assert seen(t)["deck"] == 0
    t.play(">2")
    assert t.to_move == (0, 1)
    t.play("keep", 0)
    t.play("keep", 1)
    assert t.outcome.ended == "tracks"


@rule("CAR-13")
def test_a_card_can_still_be_placed_when_the_decks_are_empty():
    t = table(">1", **SHORT, flips=["7S 2H"], last=["2S 7H"])
    assert (seen(t)["deck"], t.to_move) == (0, (1,))
    t.play(">1")
    assert lane(t, 1)["step"] == 1
    assert t.outcome.ended == "decks"


# What is secret


@rule("CAR-14")
@pytest.mark.parametrize("seed", range(6))
def test_cards_that_nobody_ever_sees_make_no_difference(seed):
    options = {"tracks": 2 + seed % 4, "track_length": 2 + seed % 4, "lanes": ("own", "shared")[seed % 2]}
    played = random_game(seed, **options)
    dealt = played.deal_lines()
    otherwise = {}
    for seat in range(2):
        unseen = seen(played)["seats"][seat]["unseen"]
        swapped = dict(zip(unseen, unseen[1:] + unseen[:1], strict=True))
        for place in ("centre", "spare", "deck"):
            cards = dealt[f"{place} {seat}"].split()
            otherwise[f"{place} {seat}"] = " ".join(swapped.get(card, card) for card in cards)
    assert otherwise != dealt
    worlds = [clew.replay(record(lines, **options)) for lines in (dealt, otherwise)]
    for at, (seat, move) in enumerate([*played.moves, (0, None)]):
        for chair in (0, 1, None):
            looks = [json.dumps([t.view(chair), [event.json() for event in t.events(chair, at)]]) for t in worlds]
            assert looks[0] == looks[1]
        for chair in (0, 1):
            assert written(worlds[0], chair) == written(worlds[1], chair)
        for t in worlds:
            if move:
                t.play(move, seat)
    assert worlds[0].outcome == worlds[1].outcome == played.outcome


@rule("CAR-14")
def test_both_know_what_can_still_be_in_each_deck():
    t = table(">1", flips=["KS KH", "9S 8H", "2S 3H"])
    for chair in (0, 1, None):
        blue, red = (about["unseen"] for about in seen(t, chair)["seats"])
        assert set(DECK) - set(blue) == {"KS", "9S", "2S"}
        assert set(DECK) - set(red) == {"KH", "8H", "3H"}


def worlds_of(t, chair, count):
    """Worlds that a chair holds for possible, from nothing but what its view carries."""
    game = load("cardtracks")
    views = game.views(1)
    views.view("u1")[:] = bytearray(base64.b64decode(t.view(chair)["known"]))
    rng = stream(1, "test")
    for _ in range(count):
        states, again = game.states(1), game.views(1)
        game.kernels.imagine(views[0], rng, states[0])
        game.kernels.view(states[0], -1 if chair is None else chair, again[0])
        assert again.tobytes() == views.tobytes()
        yield states[0]


@rule("CAR-14")
@pytest.mark.parametrize("seed", range(4))
def test_imagined_worlds_are_full_decks_that_look_the_same(seed):
    t = clew.new("cardtracks", seed=seed, options={"tracks": 2 + seed, "track_length": 3})
    rng = random.Random(seed)
    while True:
        for chair in (0, 1, None):
            for s in worlds_of(t, chair, 3):
                for seat in range(2):
                    cards = [*s.centre[seat].tolist(), int(s.spare[seat]), *s.deck[seat].tolist()]
                    assert sorted(card for card in cards if card) == list(range(1, 53))
        if not t.to_move:
            return
        seat = rng.choice(t.to_move)
        t.play(rng.choice(t.legal_moves(seat)), seat)


@rule("CAR-14")
def test_in_imagined_worlds_every_unseen_card_is_as_likely_at_the_centre():
    t = table(flips=["KS 9H"])
    counts = Counter(int(s.centre[0, 1]) for s in worlds_of(t, 1, 2550))
    assert len(counts) == 51  # about 50 times each
    assert min(counts.values()) > 22
    assert max(counts.values()) < 85


@rule("COM-08")
@pytest.mark.parametrize("chair", [1, None])
def test_a_choice_that_is_not_shown_yet_is_imagined_in_every_way(chair):
    t = table(
        *[">1", ">1", ">2", ">2", ">3", ">3", "0 spare 2"],
        tracks=3,
        track_length=2,
        flips=["7S 2H", "8S 3H", "7D 2D", "8D 3D", "2S 7H", "3S 8H"],
    )
    choices = Counter(int(s.choice[0]) for s in worlds_of(t, chair, 900))
    assert len(choices) == 3
    assert min(choices.values()) > 240
    assert len({int(s.choice[0]) for s in worlds_of(t, 0, 50)}) == 1
    assert {int(s.choice[1]) for s in worlds_of(t, chair, 50)} == {0}


# Options


def test_the_defaults_are_three_tracks_of_five_steps_with_own_lanes():
    t = clew.new("cardtracks", seed=1)
    assert t.options == {"track_length": 5, "tracks": 3, "lanes": "own"}


@pytest.mark.parametrize("option", [{"tracks": 1}, {"tracks": 6}, {"track_length": 1}, {"track_length": 9}])
def test_options_have_their_ends(option):
    with pytest.raises(clew.BadOption):
        clew.new("cardtracks", seed=1, options=option)


@rule("CAR-07")
def test_in_shared_lanes_a_card_is_compared_with_the_last_of_either_player():
    flips = ["6S 2H", "3S KH", "7S 4H", "2S 9H"]
    t = table(">1", ">1", ">1", ">1", lanes="shared", flips=flips)
    assert lane(t, 0)["steps"] == [["6S", "7S"]]  # not above KH
    assert lane(t, 1)["steps"] == [["KH"], ["9H"]]  # above 7S
    seven = "Blue puts the seven of spades on track 1, not above the king of hearts,"
    assert ("CAR-07", f"{seven} and covers the six of spades on step 1.") in told(t)
    assert lane(t, 0)["compared"] == "9H"


@rule("CAR-06")
def test_in_shared_lanes_the_first_card_goes_to_the_own_first_step_whatever_lies_there():
    t = table(">1", ">1", ">1", lanes="shared", flips=["KS 2H", "AS 3H", "2S 9H"])
    assert lane(t, 0)["step"] == 2
    assert lane(t, 1)["steps"] == [["9H"]]
    t = table(">1", ">1", lanes="shared", flips=["KS 2H", "2S 9H"])
    assert lane(t, 1)["steps"] == [["9H"]]


@rule("CAR-08")
def test_in_shared_lanes_anything_steps_forward_from_the_others_ace():
    t = table(">1", ">1", ">1", lanes="shared", flips=["KS 2H", "3S AH", "5S 4H"])
    assert lane(t, 0)["steps"] == [["KS"], ["5S"]]


@rule("COM-05")
@pytest.mark.parametrize("options", [{"tracks": 2, "track_length": 2}, {"tracks": 5, "track_length": 8}, {}])
@pytest.mark.parametrize("lanes", ["own", "shared"])
def test_every_game_ends_and_its_record_replays(options, lanes):
    endings = set()
    for seed in range(12):
        t = random_game(seed, lanes=lanes, **options)
        assert len(t.moves) <= load("cardtracks").rules.LONGEST
        assert clew.replay(t.record()).record() == t.record()
        endings.add(t.outcome.ended)
    assert endings == {"decks"} if options.get("tracks") == 5 else "tracks" in endings


# The picture


@pytest.mark.parametrize("options", [{"tracks": 2, "track_length": 2}, {"tracks": 5, "track_length": 8}, {}])
def test_the_picture_fits_in_eighty_columns_and_shows_signs_for_suits(options):
    played = random_game(5, **options)
    t = clew.new("cardtracks", seed=5, options=options)
    for at, (seat, move) in enumerate([*played.moves, (0, None)]):
        view = t.view((0, 1, None)[at % 3])
        console = Console(width=100, color_system=None, record=True, file=io.StringIO())
        console.print(picture(view))
        drawn = console.export_text()
        assert max(len(line) for line in drawn.splitlines()) == 80
        flip = view["table"]["flip"]
        if flip:
            rank, suit = flip["card"]
            assert f"▸{rank}{'♠♥♦♣'['SHDC'.index(suit)]}" in drawn
        if move:
            t.play(move, seat)
    assert drawn.count("★") == sum(track["winner"] is not None for track in view["table"]["tracks"])


@rule("CAR-02")
def test_every_track_has_a_colour_that_is_no_players():
    t = clew.new("cardtracks", seed=1, options={"tracks": 5})
    colours = [track["colour"] for track in t.view(None)["table"]["tracks"]]
    assert colours == ["gold", "green", "wine", "grey", "teal"]
    assert not {"blue", "red"} & set(colours)
    book = load("cardtracks").rule_text("CAR-02")
    assert all(colour in book for colour in colours)
    console = Console(width=80)
    with console.capture() as captured:
        console.print(picture(t.view(0)))
    assert all(f"track {n} {colour}" in captured.get() for n, colour in enumerate(colours, start=1))
