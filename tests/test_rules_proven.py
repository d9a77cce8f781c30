"""Every rule in a rule book is proven by a test that carries its id."""

import re
from pathlib import Path

import pytest

import clew
from clew.core.game import load

TESTS = Path(__file__).parent
DOCS = TESTS.parent / "docs"


def ids(text):
    return set(re.findall(r"^- \*\*([A-Z]{3}-\d\d)\*\*", text, re.M))


def proven():
    marks = [re.findall(r"rule\(\"([A-Z]{3}-\d\d)\"\)", path.read_text()) for path in TESTS.rglob("test_*.py")]
    return {mark for found in marks for mark in found}


@pytest.mark.parametrize("name", clew.games())
def test_every_rule_of_a_game_is_proven(name):
    book = ids(load(name).rule_book())
    assert len(book) > 5
    assert sorted(book - proven()) == []


def test_every_common_rule_is_proven():
    assert sorted(ids((DOCS / "common-rules.md").read_text()) - proven()) == []


@pytest.mark.parametrize("name", clew.games())
def test_rule_books_number_their_rules_without_a_gap(name):
    book = sorted(ids(load(name).rule_book()))
    assert [rule[4:] for rule in book] == [f"{n:02}" for n in range(1, len(book) + 1)]


# Where the source is silent or can be read in two ways.
DECISIONS = {
    "aathenuo": ("AAT-01", "AAT-06", "AAT-13"),
    "ariadne": ("ARI-09", "ARI-14", "ARI-16", "ARI-17", "ARI-18"),
    "cardtracks": ("CAR-02", "CAR-04", "CAR-05", "CAR-07", "CAR-09", "CAR-13"),
    "labyrinth": ("LAB-01", "LAB-02", "LAB-11"),
    "palaces": ("PAL-01", "PAL-10", "PAL-14"),
}


@pytest.mark.parametrize("name", clew.games())
def test_rule_books_say_which_rules_are_decisions(name):
    game = load(name)
    decided = {rule for rule in ids(game.rule_book()) if "*Decision:* " in game.rule_text(rule)}
    assert sorted(decided) == list(DECISIONS[name])


def test_that_a_higher_card_always_steps_is_marked_as_a_decision():
    assert "*Decision:* a higher card always steps." in load("cardtracks").rule_text("CAR-07")


def test_no_test_proves_a_rule_that_does_not_exist():
    books = [load(name).rule_book() for name in clew.games()]
    known = set().union(*(ids(book) for book in books), ids((DOCS / "common-rules.md").read_text()))
    assert proven() <= known
