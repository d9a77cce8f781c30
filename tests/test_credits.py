"""Whose games these are and for whom: declared once in a game's rules, told wherever a game is introduced."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import clew
from clew.core.game import load

ROOT = Path(__file__).parent.parent
PEBBLES = ROOT / "tests" / "core" / "pebbles"

# What the sources say, stated here a second time: author, age, minutes and the number of players they recommend.
SOURCES = {
    "aathenuo": ("", None, None, 4),
    "ariadne": ("Rey Alicea", 8, 25, None),
    "cardtracks": ("Aiken Ord", None, None, None),
    "labyrinth": ("Max J. Kobbert", 7, None, None),
    "palaces": ("", None, None, None),
}


def told(facts):
    return tuple(facts[key] for key in ("author", "age", "minutes", "recommended"))


@pytest.mark.parametrize("name", clew.games())
def test_a_game_declares_what_its_source_says_and_nothing_else(name):
    assert told(vars(load(name))) == SOURCES[name]


def test_the_command_line_tells_it():
    done = subprocess.run([sys.executable, "-m", "clew", "games", "--json"], capture_output=True, text=True, check=True)
    assert {game["name"]: told(game) for game in json.loads(done.stdout)} == SOURCES
    done = subprocess.run([sys.executable, "-m", "clew", "games"], capture_output=True, text=True, check=True)
    for said in ("by Rey Alicea", "by Aiken Ord", "by Max J. Kobbert", "4 recommended"):
        assert said in done.stdout


def test_rule_books_say_it_below_their_titles():
    about = "*2 players · 25 minutes · from age 8 · by Rey Alicea*"
    assert load("ariadne").rule_book().startswith(f"# Ariadne's Thread\n\n{about}\n\nTwo players")
    assert load("aathenuo").rule_book().splitlines()[2] == "*2 to 4 players · 4 recommended*"
    assert load("labyrinth").rule_book().splitlines()[2] == "*2 to 6 players · from age 7 · by Max J. Kobbert*"
    assert load("palaces").rule_book().splitlines()[2] == "*2 players*"


def test_the_readme_names_the_authors():
    text = (ROOT / "README.md").read_text()
    for name, (author, *_) in SOURCES.items():
        if author:
            assert re.search(rf"\*{load(name).title}\*[^*]* by {author}", text), author


def a_game(folder, more, book="# Pebbles\n\nTake the last one.\n"):
    for part in ("rules.py", "words.py"):
        (folder / part).write_text((PEBBLES / part).read_text())
    with (folder / "rules.py").open("a") as rules:
        rules.write(more)
    (folder / "rules.md").write_text(book)
    return str(folder)


def test_a_game_that_declares_nothing_has_nothing_to_tell(tmp_path):
    game = load(a_game(tmp_path, ""))
    assert told(vars(game)) == ("", None, None, None)
    assert game.about == "2 players"


def test_a_rule_book_without_a_title_is_not_torn_apart(tmp_path):
    game = load(a_game(tmp_path, "\nAUTHOR = 'Nobody'\n", book="Take the\nlast one.\n"))
    assert game.rule_book() == "\n*2 players · by Nobody*\nTake the\nlast one.\n"


def test_a_number_of_players_that_cannot_play_is_not_recommended(tmp_path):
    with pytest.raises(clew.UnknownGame, match="RECOMMENDED is not a number of players that PLAYERS allows"):
        load(a_game(tmp_path, "\nRECOMMENDED = 3\n"))
