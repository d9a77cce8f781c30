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


def test_no_test_proves_a_rule_that_does_not_exist():
    books = [load(name).rule_book() for name in clew.games()]
    known = set().union(*(ids(book) for book in books), ids((DOCS / "common-rules.md").read_text()))
    assert proven() <= known
