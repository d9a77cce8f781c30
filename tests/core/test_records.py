"""Records: what is written is read back, and whatever is wrong is said with its line."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clew
from clew import BadRecord

rule = pytest.mark.rule


def some_game(seed=11, moves=None):
    t = clew.new("palaces", seed=seed)
    while t.to_move and (moves is None or len(t.moves) < moves):
        legal = t.legal_moves()
        t.play(legal[(7 * len(t.moves)) % len(legal)])
    return t


FINISHED = some_game().record()
OPEN = some_game(moves=20).record()


def without(text, *starts):
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(starts))


def replaced(text, start, line):
    lines = [line if old.startswith(start) else old for old in text.splitlines()]
    return "\n".join(lines) + "\n"


def fault(text):
    with pytest.raises(BadRecord) as error:
        clew.replay(text)
    assert "\n" not in str(error.value)
    return error.value


@rule("COM-06")
@pytest.mark.parametrize("text", [FINISHED, OPEN], ids=["finished", "open"])
def test_a_record_replays_to_itself(text):
    assert clew.replay(text).record() == text


@rule("COM-01")
def test_the_deal_lines_alone_lead_to_the_same_game():
    t = clew.replay(without(FINISHED, "seed:"))
    assert t.outcome == clew.replay(FINISHED).outcome
    assert t.view(0) == clew.replay(FINISHED).view(0)
    assert t.record() == without(FINISHED, "seed:")


@rule("COM-01")
def test_the_seed_alone_leads_to_the_same_game():
    assert clew.replay(without(FINISHED, "deal")).record() == FINISHED


def test_the_format_is_as_documented():
    lines = FINISHED.splitlines()
    assert lines[:6] == [
        "clew-record 1",
        "game: palaces",
        "rules: 1",
        "options: edition=classic",
        "players: 2",
        "seed: 11",
    ]
    assert lines[6].startswith("deal first: ")
    assert lines[-1].startswith("result: places ")
    assert lines[lines.index("moves:") + 1][:2] in ("0 ", "1 ")
    assert "result" not in OPEN


def test_headers_come_in_any_order_with_comments_and_blank_lines():
    head, moves = OPEN.split("moves:\n")
    first, *rest = head.splitlines()
    text = "\n".join([first, "# by hand", "", *reversed(rest), "moves:", "# the opening", moves])
    assert clew.replay(text).record() == OPEN


def test_a_missing_option_has_its_default():
    assert clew.replay(without(OPEN, "options:")).record() == OPEN


@pytest.mark.parametrize(
    ("start", "line", "sentence"),
    [
        ("clew-record", "clew-record 2", "A record begins with the line 'clew-record 1'."),
        ("game:", "game: chess", "There is no game 'chess'"),
        ("game:", "game: ../palaces", "There is no game '../palaces'"),
        ("game:", "game palaces", "is written 'name: value'"),
        ("rules:", "rules: 99", "The record needs rules 99 of The Lost Palaces; here are rules 1."),
        ("rules:", "rules: one", "'rules:' wants a whole number, not 'one'."),
        ("options:", "options: edition=gold", "The option edition is classic, not 'gold'."),
        ("options:", "options: colour=red", "has no option 'colour'"),
        ("options:", "options: edition", "'options:' wants name=value, each once, not 'edition'."),
        ("players:", "players: 3", "The Lost Palaces is for 2 players, not 3."),
        ("players:", "players: many", "'players:' wants a whole number"),
        ("seed:", "seed: 12", "is not what the seed deals."),
        ("seed:", "seed: -1", "'seed:' wants a whole number, not '-1'."),
        ("seed:", "seed: 9" + "0" * 78, "A seed is a whole number"),
        ("seed:", "weather: fine", "A record has no line 'weather:'."),
        ("seed:", "players: 2", "'players:' is written twice."),
        ("deal pile:", "deal pile: K1 K2", "is not what the seed deals."),
        ("deal pile:", "deal cellar: K1 K2", "The deal has no line 'cellar'"),
        ("result:", "result: places 1 1; scores 0 0; ended pile", "The result is wrong: the moves lead to places"),
        ("result:", "result: Blue wins", "The result is wrong"),
    ],
)
def test_a_wrong_line_is_named(start, line, sentence):
    error = fault(replaced(FINISHED, start, line))
    assert sentence in error.reason
    if start != "seed:":
        assert replaced(FINISHED, start, line).splitlines()[error.line - 1] == line


@pytest.mark.parametrize(
    ("pile", "sentence"),
    [
        (lambda cards: [*cards[:-1], cards[0]], "is dealt once too often (the game has it"),
        (lambda cards: cards[:-1], "has 83 pieces instead of 84"),
        (lambda cards: [*cards[:-1], "Q1"], "The game has no piece 'Q1'."),
    ],
)
def test_a_deal_that_is_no_permutation_of_the_cards_is_refused(pile, sentence):
    text = without(OPEN, "seed:")
    cards = next(line for line in text.splitlines() if line.startswith("deal pile:")).split()[2:]
    error = fault(replaced(text, "deal pile:", f"deal pile: {' '.join(pile(cards))}"))
    assert sentence in error.reason
    assert error.line > 0


def test_a_double_card_is_named_with_the_one_that_is_missing():
    text = without(OPEN, "seed:")
    cards = next(line for line in text.splitlines() if line.startswith("deal pile:")).split()[2:]
    lost, double = cards[-1], cards[0]
    assert lost != double
    error = fault(replaced(text, "deal pile:", f"deal pile: {' '.join([*cards[:-1], double])}"))
    assert f"{double} is dealt once too often" in error.reason
    assert f"{lost} is missing" in error.reason


def test_a_record_without_seed_and_deal_cannot_be_dealt():
    assert "neither 'seed:' nor 'deal' lines" in fault(without(OPEN, "seed:", "deal")).reason
    assert "'deal pile:' is missing" in fault(without(OPEN, "seed:", "deal pile")).reason
    assert "'game:' is missing" in fault(without(OPEN, "game:")).reason
    assert "'rules:' is missing" in fault(without(OPEN, "rules:")).reason


@rule("COM-03")
def test_an_illegal_move_is_named_with_its_line_and_rule():
    text = OPEN.rstrip("\n") + "\n0 KX:a\n"
    error = fault(text)
    assert error.line == len(text.splitlines())
    assert "(" in error.reason


@rule("COM-08")
def test_moves_after_the_end_and_out_of_turn_are_refused():
    last = FINISHED.splitlines()[-2]
    more = replaced(FINISHED, "result:", last) + FINISHED.splitlines()[-1] + "\n"
    assert "COM-08" in fault(more).reason
    turn = clew.replay(OPEN).to_move[0]
    assert "COM-08" in fault(f"{OPEN}{1 - turn} -K1\n").reason
    assert "There is no seat 7" in fault(f"{OPEN}7 -K1\n").reason


def test_a_finished_game_must_carry_its_result_and_an_open_one_must_not():
    assert "its result is missing" in fault(without(FINISHED, "result:")).reason
    assert "the game is not over" in fault(OPEN + "result: places 1 2; scores 1 0; ended pile\n").reason
    assert "Nothing follows the result" in fault(FINISHED + "0 -K1\n").reason


@pytest.mark.parametrize(
    "text", ["", "\n", "hello", "clew-record 1", "clew-record 1\ngame: palaces\n", "\x00\x01", "{}"]
)
def test_what_is_no_record_is_refused(text):
    assert fault(text).line <= max(1, len(text.splitlines()))


def test_a_record_cut_anywhere_is_refused_or_is_an_earlier_moment_of_the_game():
    lines = FINISHED.splitlines(keepends=True)
    moves = lines.index("moves:\n")
    for end in range(0, len(FINISHED), 37):
        text = FINISHED[:end]
        whole = text.endswith("\n") and len(text.splitlines()) > moves
        if whole:
            assert FINISHED.startswith(clew.replay(text).record())
        else:
            fault(text)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(OPEN) - 1), st.text(max_size=3))
def test_no_garbage_in_a_record_is_a_crash(at, junk):
    text = OPEN[:at] + junk + OPEN[at + 1 :]
    with contextlib.suppress(BadRecord):
        clew.replay(text)
