"""What the kit finds in a game by what it declares: bounds of kinds, ids of rules, rules that cannot be compiled."""

import re
import shutil
from pathlib import Path

import pytest

import clew
from clew import BadRules
from clew.check import check_game
from clew.check.report import verdict

STARTER = Path(clew.__file__).parent / "starter"


@pytest.fixture
def changed(tmp_path):
    """The starter game with a change in its rules, by its path."""

    def changed(*changes):
        folder = tmp_path / "starter"
        shutil.copytree(STARTER, folder, ignore=shutil.ignore_patterns("__pycache__"))
        text = (folder / "rules.py").read_text()
        for old, new in changes:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        (folder / "rules.py").write_text(text)
        return str(folder)

    return changed


def test_a_number_beyond_its_kind_is_found(changed):
    (found,) = check_game(
        changed(("turns = public(count(DECK))", "turns = public(count(9))")), 5, only=["games end"]
    ).checks
    assert not found.ok
    assert found.detail.startswith("turns is 10, and its kind says 0 to 9 (seed ")


def test_a_reason_with_a_rule_that_the_book_does_not_have_is_found(changed, interpreted):
    path = changed(('Reason("STA-03"', 'Reason("STA-33"'))
    (found,) = check_game(path, 3, only=["events name their rules"]).checks
    assert not found.ok
    assert found.detail.endswith("names STA-33, which is not in rules.md.")


def test_rules_that_cannot_be_compiled_are_told_once_with_their_line(changed):
    path = changed(("    card = card_of(move)\n", '    card = card_of(move)\n    s.last = "high"\n'))
    text = (Path(path) / "rules.py").read_text()
    line = text[: text.index('"high"')].count("\n") + 1
    found = check_game(path, 3, only=["games end", "results are proper"]).checks
    assert [check.ok for check in found] == [False, False]
    assert found[0].detail.startswith(f"rules.py:{line}: the compiler says: ")
    assert "\n" not in found[0].detail
    assert found[1].detail == "Not tried: the rules cannot be compiled."


@pytest.mark.parametrize(
    ("kind", "given"),
    [("dictionary", "{1: 1, 2: 2}"), ("list", "[1, 2, 3]"), ("set", "{1, 2}")],
    ids=["dict", "list", "set"],
)
def test_what_no_compiled_rule_can_read_is_told_with_its_line(changed, kind, given):
    path = changed(
        ("LONGEST = DECK ", f"WORTH = {given}\nLONGEST = DECK "),
        ("@rule\ndef apply", "@rule\ndef worth(card):\n    return card + len(WORTH)\n\n\n@rule\ndef apply"),
        ("s.last = s.points[seat] + 1, card", "s.last = s.points[seat] + worth(card), card"),
    )
    text = (Path(path) / "rules.py").read_text()
    line = text[: text.index("return card + len(WORTH)")].count("\n") + 1
    (found,) = check_game(path, 3, only=["games end"]).checks
    assert found.detail == f"rules.py:{line}: a rule cannot read the {kind} WORTH: use a tuple or an array."


TWICE = ("        s.points[seat], s.last =", "        s.seen[s.turns] = card\n        s.points[seat], s.last =")
FIELD = ("    turns = public(count(DECK))\n", "    turns = public(count(DECK))\n    seen = public(CARD, DECK)\n")


def test_a_piece_that_stands_in_two_places_is_named_and_nothing_else_is_tried(changed, interpreted):
    path = changed(FIELD, TWICE)
    found = {check.name: check for check in check_game(path, 5).checks}
    failed = found.pop("pieces lie in one place")
    assert found.pop("games end").ok
    assert not failed.ok
    assert failed.detail.startswith("Starter, after '")
    assert " lies in seen[" in failed.detail
    assert ", and there are 3 of it. " in failed.detail
    assert "A piece stands in one place only: take it out of the others, or declare the field" in failed.detail
    assert failed.record.startswith("clew-record 1\n")  # the position before that move
    assert {check.detail for check in found.values()} == {"Not tried: pieces are counted wrongly."}
    assert not any(check.tried for check in found.values())


def test_a_piece_that_is_dealt_and_stays_in_the_pile_is_named(changed, interpreted):
    path = changed(("s.pile[i] = s.pile[i], 0", "s.pile[i] = s.pile[i], s.pile[i]"))
    (found,) = check_game(path, 3, only=["pieces lie in one place"]).checks
    assert not found.ok
    assert found.detail.startswith("Starter, after the deal: ")
    assert " lies in hand[" in found.detail
    assert ", and there are 3 of it. " in found.detail
    assert found.record == ""


def test_a_piece_that_vanishes_is_named_with_where_it_lay(changed, interpreted):
    path = changed(("    s.used[s.turns] = card\n", ""))
    text = (Path(path) / "rules.py").read_text()
    line = text[: text.index("@rule\ndef apply")].count("\n") + 1
    found = {check.name: check for check in check_game(path, 5).checks}
    failed = found["pieces lie in one place"]
    assert re.match(
        rf"rules\.py:{line} \(apply\): \d lay in hand\[[01], \d\] before the move `-?\d` and lies nowhere after it, .*"
        r"put it into a public field, .* or say by `gone` of the pieces .* \(seed \d+, ",
        failed.detail,
    )
    assert failed.record.startswith("clew-record 1\n")
    assert found["imagine is fair"].detail == "Not tried: a piece is lost."


def test_pieces_that_vanish_are_not_missed_where_the_game_says_what_is_gone(changed, interpreted):
    thrown = "@rule\ndef thrown(v, left):\n    for i in range(VALUES):\n        left[i] -= v.played[i]\n\n\n"
    path = changed(
        ("    used = public(CARD, DECK)", "    played = public(count(3), VALUES)"),
        ("    s.used[s.turns] = card\n", "    s.played[card - 1] += 1\n"),
        (", 3, spoken", ', 3, gone="thrown", spoken'),
        ("@rule\ndef deal(", f"{thrown}@rule\ndef deal("),
    )
    assert check_game(path, 5, only=["games end", "pieces lie in one place", "imagine is fair"]).ok


def test_a_fits_that_the_table_itself_does_not_keep_is_named(changed, interpreted):
    rule = "@rule\ndef low(s: State) -> bool:\n    return s.turns < 3\n\n\n@rule\ndef deal("
    path = changed(('packed="back")', 'packed="back", fits="low")'), ("@rule\ndef deal(", rule))
    (found,) = check_game(path, 3, only=["pieces lie in one place"]).checks
    assert not found.ok
    assert "low says no to the table itself: what `fits` of pile names must hold at every moment." in found.detail


def play_on(table):
    while table.to_move:
        table.play(table.legal_moves()[0])


def test_a_table_of_a_game_in_a_folder_names_the_fields_but_no_hidden_piece(changed, interpreted):
    table = clew.new(changed(FIELD, TWICE), seed=1)
    told = r"Starter counts its pieces wrongly: A piece lies in seen\[.* and there are 3 of it"
    with pytest.raises(BadRules, match=told):
        play_on(table)


def test_what_to_read_first_is_said_and_one_fault_is_told_once(changed, interpreted):
    path = changed(("    turns = public", "    turns  = public"))
    (Path(path) / "words.py").write_text("def describe(v):\n    return {'ratio': 1 // int(v.last)}\n")
    found = check_game(path, 3, only=["games end", "round trips", "undo tells nothing", "same record, same states"])
    assert [check.ok for check in found.checks] == [True, False, False, False]
    assert "ZeroDivisionError" in found.checks[1].detail
    first = found.checks[1].name
    assert [check.detail for check in found.checks[2:]] == [f"The same as in “{first}”."] * 2
    assert verdict(found) == f"starter fails 3 of 4 checks. Read “{first}” first: 2 more fail by the same."


ASKED = ["games end", "results are proper", "undo tells nothing", "recall"]


def test_an_error_of_a_rule_is_told_once_with_its_line_and_nothing_else_is_tried(changed, interpreted):
    path = changed(("    s.used[s.turns] = card\n", "    s.used[s.turns] = int(card) // int(s.points[0])\n"))
    found = check_game(path, 3, only=ASKED)
    assert re.match(r"rules\.py:\d+: ZeroDivisionError: .* \(seed 0, ", found.checks[0].detail)
    assert [check.detail for check in found.checks[1:]] == ["Not tried: a game cannot be played."] * 3
    assert verdict(found) == "starter fails 1 of 4 checks. Read “games end” first."


@pytest.mark.parametrize(
    "change",
    [
        ("        s.points[seat], s.last = s.points[seat] + 1, card", "        s.points[seat + card] = 1"),
        ("        s.pile[i] = 1 + i % VALUES", "        s.pile[i + 1] = 1 + i % VALUES"),
    ],
    ids=["apply", "deal"],
)
def test_an_index_error_of_compiled_rules_is_told_once_with_its_line(changed, change):
    path = changed(change)
    text = (Path(path) / "rules.py").read_text()
    line = text[: text.index(change[1])].count("\n") + 1
    found = check_game(path, 3, only=ASKED)
    assert re.match(
        rf"rules\.py:{line}: .* out of (bounds|range).* in `{re.escape(change[1].strip())}`: ", found.checks[0].detail
    )
    assert [check.tried for check in found.checks] == [True, False, False, False]


PEEKS = (
    "    return LEGAL\n",
    "    if s.hand[1 - seat, 0] == card_of(move):\n        return TOO_LOW\n    return LEGAL\n",
)
LISTENS = ("int(s.turns == DECK - 2 * HAND)", "int(s.turns == DECK - 2 * HAND or s.pile[23] == s.turns)")


@pytest.mark.parametrize(
    ("change", "reads"),
    [(PEEKS, "; refusal reads of `hand` what seat"), (LISTENS, "; ending reads of `pile` what ")],
    ids=["moves", "end"],
)
def test_a_leak_is_told_with_the_rule_and_the_field_that_it_reads(changed, interpreted, change, reads):
    (found,) = check_game(changed(change), 12, only=["views do not leak"]).checks
    assert found.detail.startswith("The views leak: ")
    assert reads in found.detail
    assert " does not see (seed " in found.detail


@pytest.mark.slow
def test_a_leak_is_no_index_out_of_bounds(changed):
    (found,) = check_game(changed(PEEKS), 12, only=["no index out of bounds"], patience=2).checks
    assert found.ok, found.detail
