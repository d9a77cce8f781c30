"""Finding games: by name, by path, by entry point; and what is no game."""

import importlib.metadata
import shutil
from pathlib import Path

import pytest

import clew
from clew import UnknownGame
from clew.core import game as games
from clew.core.declare import fields
from clew.core.game import load, named

PEBBLES = Path(__file__).parent / "pebbles"


def test_a_game_is_loaded_from_a_folder():
    game = load(str(PEBBLES))
    assert load(PEBBLES) is load(PEBBLES / ".." / "pebbles") is game
    assert (game.name, game.title) == ("pebbles", "Pebbles")
    assert clew.new(game, seed=3, options={"heap": 7}).view(0)["table"]["heap"] == 7


def test_a_record_of_such_a_game_replays_with_the_game_at_hand():
    game = load(str(PEBBLES))
    t = clew.new(game, seed=3)
    t.play("take 2")
    for given in (game, PEBBLES, str(PEBBLES)):
        assert clew.replay(t.record(), given).record() == t.record()
    with pytest.raises(clew.BadRecord, match="There is no game 'pebbles'"):
        clew.replay(t.record())


def test_a_folder_may_have_any_name(tmp_path):
    folder = tmp_path / "my.game 2"
    shutil.copytree(PEBBLES, folder)
    assert clew.new(folder, seed=3).game.name == "my.game 2"


def test_a_game_is_found_by_its_entry_point(monkeypatch, tmp_path):
    package = tmp_path / "pebbles_game"
    package.mkdir()
    (package / "__init__.py").touch()
    for part in ("rules.py", "words.py"):
        (package / part).write_text((PEBBLES / part).read_text())
    monkeypatch.syspath_prepend(tmp_path)
    point = importlib.metadata.EntryPoint("pebbles", "pebbles_game", "clew.games")
    monkeypatch.setattr(games, "entry_points", lambda group: [point] if group == "clew.games" else [])
    games._plugged.cache_clear()
    named.cache_clear()
    try:
        assert "pebbles" in clew.games()
        assert clew.new("pebbles", seed=1).to_move == (0,)
    finally:
        games._plugged.cache_clear()
        named.cache_clear()


def keep(folder, version, holds):
    """A copy of Pebbles with older rules in its folder, which allow to take up to two."""
    older = folder / "pebbles" / f"rules_{version}"
    shutil.copytree(PEBBLES, folder / "pebbles", ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    older.mkdir()
    text = (PEBBLES / "rules.py").read_text().replace("RULES = 1\n", f"RULES = {holds}\n").replace("min(3, ", "min(2, ")
    (older / "rules.py").write_text(text)
    shutil.copy(PEBBLES / "words.py", older)
    return load(str(folder / "pebbles"))


def test_a_game_can_keep_older_rules_beside_the_present_ones(tmp_path):
    game = keep(tmp_path, 0, holds=0)
    older = game.in_version(0)
    assert game.in_version(1) is game
    assert game.in_version(0) is older, "it is made once"
    assert game.in_version(2) is None
    assert (older.name, older.version) == ("pebbles", 0)
    assert [len(clew.new(one, seed=1).legal_moves(0)) for one in (game, older)] == [4, 3]
    played = clew.new(older, seed=1)
    played.play("take 2")
    assert clew.replay(played.record(), game).game is older


def test_kept_rules_are_of_the_version_that_their_folder_says(tmp_path):
    with pytest.raises(UnknownGame, match=r"rules_0 holds rules 7, not 0\."):
        keep(tmp_path, 0, holds=7).in_version(0)


def test_a_folder_without_rules_is_no_game(tmp_path):
    with pytest.raises(UnknownGame, match=r"is not a game: it has no rules\.py"):
        load(str(tmp_path))
    (tmp_path / "rules.py").write_text("TITLE = 'x'\n")
    (tmp_path / "words.py").write_text("")
    with pytest.raises(UnknownGame, match="is not part of a game: it has no BLURB"):
        load(str(tmp_path))


def test_the_rule_book_gives_single_rules():
    game = load("palaces")
    assert game.rule_text("PAL-10").startswith("- **PAL-10** A pawn on step 9")
    assert "PAL-11" not in game.rule_text("PAL-10")
    assert "100 |" in game.rule_text("PAL-18")
    assert game.rule_text("PAL-99") == ""


def test_a_view_that_begins_as_the_state_is_refused(tmp_path):
    text = (PEBBLES / "rules.py").read_text()
    assert text.count('[*PUBLIC, ("seat", np.int16), ("coin", np.int16, (2,))]') == 1
    text = text.replace(
        '("seat", np.int16), ("coin", np.int16, (2,))]', '("coin", np.int16, (2,)), ("seat", np.int16)]'
    )
    (tmp_path / "rules.py").write_text(text)
    (tmp_path / "words.py").write_text((PEBBLES / "words.py").read_text())
    with pytest.raises(UnknownGame, match="must not begin with all fields of each other"):
        load(str(tmp_path))


def test_a_field_that_numpy_would_hide_is_refused():
    with pytest.raises(UnknownGame, match="cannot be called 'round'"):
        fields([("round", "int16")], ())
