"""What the kit finds in a game by what it declares: bounds of kinds, ids of rules, rules that cannot be compiled."""

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
    path = changed(("    s.used[s.turns] = card\n", "    s.used[s.turns] = int(card) // int(s.points[0])\n"))
    found = check_game(path, 3, only=["games end", "results are proper", "undo tells nothing", "recall"])
    assert found.checks[0].detail.startswith("ZeroDivisionError in a game")
    assert [check.detail for check in found.checks[1:]] == ["The same as in “games end”."] * 3
    assert verdict(found) == "starter fails 4 of 4 checks. Read “games end” first: 3 more fail by the same."
