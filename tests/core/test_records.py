"""Records: what is written is read back, and whatever is wrong is said with its line."""

import contextlib
from pathlib import Path

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
        ("game:", f"game: {'a' * 300}", "There is no game 'aaaaaa"),
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
        ("players:", f"players: {'9' * 5000}", "'players:' wants a whole number"),
        ("options:", f"options: edition={'x' * 5000}", "The option edition is classic, not 'xxxx"),
        ("options:", f"options: {'x' * 9000}", "A line has at most 8100 characters, and this has 9009."),
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


@pytest.mark.parametrize(
    ("missing", "sentence"),
    [
        (("seed:", "deal"), "neither 'seed:' nor 'deal' lines"),
        (("seed:", "deal pile"), "'deal pile:' is missing"),
        (("game:",), "'game:' is missing"),
        (("rules:",), "'rules:' is missing"),
    ],
)
def test_what_is_missing_is_missing_before_the_moves(missing, sentence):
    text = without(OPEN, *missing)
    error = fault(text)
    assert sentence in error.reason
    assert text.splitlines()[error.line - 1] == "moves:"


def test_a_number_of_a_deal_is_not_read_before_its_length():
    text = replaced(without(OPEN, "seed:"), "deal first:", f"deal first: {'1' * 5000}")
    error = fault(text)
    assert "'deal first:' is a number from 0 to 1, not '1111" in error.reason
    assert text.splitlines()[error.line - 1].startswith("deal first:")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_they_do_anywhere(end):
    assert clew.replay(FINISHED.replace("\n", end)).record() == FINISHED
    assert fault(FINISHED.replace("\n", end).replace("game: palaces", "game: chess")).line == 2


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\x1e", "\x85"])
def test_no_other_sign_ends_a_line(sign):
    lines = OPEN.splitlines()
    assert clew.replay("\n".join([lines[0], f"# by hand{sign}game: chess", *lines[1:]]) + "\n").record() == OPEN
    error = fault(OPEN.replace("players: 2", f"players: 2{sign}seed: 3"))
    assert (error.line, "wants a whole number" in error.reason) == (5, True)


def test_a_mark_of_the_byte_order_is_no_part_of_a_record():
    assert clew.replay("\ufeff" + FINISHED).record() == FINISHED


def test_a_path_is_read_from_its_file(tmp_path):
    file = tmp_path / "game.clew"
    file.write_text("\ufeff" + FINISHED)
    assert clew.replay(file).record() == FINISHED
    (tmp_path / "bytes.clew").write_bytes(b"clew-record 1\n\xff")
    (tmp_path / "endless.clew").write_bytes(b"#" * 5_000_000)
    for path, sentence in [
        (tmp_path / "none.clew", "There is no file"),
        (tmp_path, "is a folder, not a record"),
        (tmp_path / "bytes.clew", "is not UTF-8 text"),
        (tmp_path / "endless.clew", "is too long for a record"),
        (tmp_path / ("a" * 300), "cannot be read: file name too long"),
        (Path("a\0b"), "cannot be read: embedded null byte"),
    ]:
        assert sentence in fault(path).reason


@pytest.mark.parametrize(
    "line",
    ["0 " + "K" * 7_000, "0 " + "K" * 9_000, "K" * 7_000, "0 K7\x1b[31m", "0 " + "\U000e0001" * 500],
)
def test_an_error_shows_a_line_of_a_move_and_no_more(line):
    error = fault(f"{OPEN}{line}\n")
    assert error.line == len(OPEN.splitlines()) + 1
    assert len(str(error)) < 400
    assert str(error).isprintable()


# A record is text from anybody: it must not choose code to run.

EVIL = """
from pathlib import Path
Path(__file__).with_name("ran").touch()
"""


@pytest.fixture
def evil(tmp_path, monkeypatch):
    """A folder in the place where somebody works that looks like a game, and runs code when it is taken for one."""
    folder = tmp_path / "evil"
    folder.mkdir()
    for part in ("rules.py", "words.py", "__init__.py"):
        (folder / part).write_text(EVIL)
    monkeypatch.chdir(tmp_path)
    return folder


def test_a_record_cannot_name_a_folder(evil):
    for name in ("evil", "./evil", "evil/", str(evil), "..", ".", "evil\x00", "~", "*"):
        error = fault(FINISHED.replace("game: palaces", f"game: {name}"))
        assert (error.line, error.reason.startswith("There is no game ")) == (2, True)
        assert name in ("evil", str(evil)) or str(evil.parent) not in error.reason
        assert not (evil / "ran").exists()


def test_a_plain_name_is_no_path(evil):
    with pytest.raises(clew.UnknownGame, match=r"a folder is written with a slash: \./evil"):
        clew.new("evil")
    with pytest.raises(clew.UnknownGame, match="There is no game 'evil'"):
        clew.bot("evil")
    assert not (evil / "ran").exists()
    with pytest.raises(clew.UnknownGame, match="it has no TITLE"):
        clew.new("./evil")  # who writes a path means it
    assert (evil / "ran").exists()


def test_a_record_is_of_the_game_that_is_given():
    assert clew.replay(OPEN, "palaces").record() == OPEN
    with pytest.raises(BadRecord, match="is of the game 'palaces', and the one given is 'cardtracks'"):
        clew.replay(OPEN, "cardtracks")


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
