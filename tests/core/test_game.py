"""Finding games: by name, by path, by entry point; and what is no game."""

import importlib.metadata
from pathlib import Path

import pytest

import clew
from clew import UnknownGame
from clew.core import game as games
from clew.core.game import load

PEBBLES = Path(__file__).parent / "pebbles"


def test_a_game_is_loaded_from_a_folder():
    game = load(str(PEBBLES))
    assert (game.name, game.title) == ("pebbles", "Pebbles")
    assert clew.new(game, seed=3, options={"heap": 7}).view(0)["table"]["heap"] == 7


def test_a_record_of_such_a_game_replays_with_the_game_at_hand():
    game = load(str(PEBBLES))
    t = clew.new(game, seed=3)
    t.play("take 2")
    assert clew.replay(t.record(), game).record() == t.record()
    with pytest.raises(clew.BadRecord, match="There is no game 'pebbles'"):
        clew.replay(t.record())


def test_a_game_is_found_by_its_entry_point(monkeypatch, tmp_path):
    package = tmp_path / "pebbles_game"
    package.mkdir()
    (package / "__init__.py").touch()
    for part in ("rules.py", "table.py"):
        (package / part).write_text((PEBBLES / part).read_text())
    monkeypatch.syspath_prepend(tmp_path)
    point = importlib.metadata.EntryPoint("pebbles", "pebbles_game", "clew.games")
    monkeypatch.setattr(games, "entry_points", lambda group: [point] if group == "clew.games" else [])
    load.cache_clear()
    try:
        assert "pebbles" in clew.games()
        assert clew.new("pebbles", seed=1).to_move == (0,)
    finally:
        load.cache_clear()


def test_a_folder_without_rules_is_no_game(tmp_path):
    with pytest.raises(UnknownGame, match=r"is not a game: it has no rules\.py"):
        load(str(tmp_path))
    (tmp_path / "rules.py").write_text("TITLE = 'x'\n")
    (tmp_path / "table.py").write_text("")
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
    (tmp_path / "table.py").write_text((PEBBLES / "table.py").read_text())
    with pytest.raises(UnknownGame, match="must not begin with all fields of each other"):
        load(str(tmp_path))
