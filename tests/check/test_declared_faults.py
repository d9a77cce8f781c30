"""What the kit finds in a game by what it declares: bounds of kinds, ids of rules, rules that cannot be compiled."""

import shutil
from pathlib import Path

import pytest

import clew
from clew.check import check_game

STARTER = Path(clew.__file__).parent / "starter"


@pytest.fixture
def changed(tmp_path):
    """The starter game with a change in its rules, by its path."""

    def changed(old, new):
        folder = tmp_path / "starter"
        shutil.copytree(STARTER, folder, ignore=shutil.ignore_patterns("__pycache__"))
        text = (folder / "rules.py").read_text()
        assert text.count(old) == 1, old
        (folder / "rules.py").write_text(text.replace(old, new))
        return str(folder)

    return changed


def test_a_number_beyond_its_kind_is_found(changed):
    (found,) = check_game(
        changed("turns = public(count(DECK))", "turns = public(count(9))"), 5, only=["games end"]
    ).checks
    assert not found.ok
    assert found.detail.startswith("turns is 10, and its kind says 0 to 9 (seed ")


def test_a_reason_with_a_rule_that_the_book_does_not_have_is_found(changed):
    path = changed('Reason("STA-03"', 'Reason("STA-33"')
    (found,) = check_game(path, 3, only=["events name their rules"]).checks
    assert not found.ok
    assert found.detail.endswith("names STA-33, which is not in rules.md.")


def test_rules_that_cannot_be_compiled_are_told_once_with_their_line(changed):
    path = changed("    card = card_of(move)\n", '    card = card_of(move)\n    s.last = "high"\n')
    text = (Path(path) / "rules.py").read_text()
    line = text[: text.index('"high"')].count("\n") + 1
    found = check_game(path, 3, only=["games end", "results are proper"]).checks
    assert [check.ok for check in found] == [False, False]
    assert found[0].detail.startswith(f"rules.py:{line}: the compiler says: ")
    assert "\n" not in found[0].detail
    assert found[1].detail == "Not looked at: the rules cannot be compiled."
