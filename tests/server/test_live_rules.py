"""A game in the making at a server: its files are changed while it is played."""

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from servers import open_server

import clew
from clew.bots import learnt as files
from clew.bots.heuristics import heuristics_for
from clew.core import compiling, kernels
from clew.core import game as games
from clew.core.errors import IllegalMove
from clew.new_game import write
from clew.server.room import Room
from clew.server.store import StoreError

COURTIERS = Path(__file__).resolve().parents[2] / "examples" / "courtiers"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(games, "_added", {})
    monkeypatch.setattr(games, "_in_folders", {})
    monkeypatch.setattr(kernels, "_ahead", False)  # as a server has it: rules that were just changed run as they are
    monkeypatch.setattr(compiling, "_jobs", {})
    monkeypatch.setattr(compiling, "_waiting", [])
    stopped = threading.Event()
    stopped.set()
    monkeypatch.setattr(compiling, "_stopped", stopped)  # and are not compiled beside the tests that follow
    return write("rising", tmp_path)


def change(folder, old, new):
    text = (folder / "rules.py").read_text()
    assert old in text
    (folder / "rules.py").write_text(text.replace(old, new))


async def entry(chair, kind, count=1):
    """The last of so many entries of a kind in the log of a chair."""
    async with asyncio.timeout(60):
        while len(found := [one for one in chair.log if one["kind"] == kind]) < count:
            await chair.until(lambda number=chair.number: chair.number > number)
    return found[-1]


async def discard(chair, count):
    for _ in range(count):
        await chair.turn()
        await chair.move(next(move for move in chair.moves if move.startswith("-")))


async def test_a_game_in_a_folder_is_listed_and_played(folder, tmp_path):
    async with open_server(tmp_path / "data", games=(str(folder),)) as server:
        listed = {game["name"] for game in (await (await server.person()).get("/api/games"))["games"]}
        assert "rising" in listed
        _table, ann, _bob = await server.two("rising")
        await ann.turn()
        words = ann.now["words"]
        assert [set(one["pieces"]) <= {*"12345678"} for one in words] == [True] * len(ann.moves)
        assert any(one["text"].startswith("discard a ") for one in words)


async def test_a_page_without_a_board_is_told_which_fields_are_seats(folder, tmp_path):
    async with open_server(tmp_path / "data", games=(str(COURTIERS),)) as server:
        _table, ann, _bob = await server.two("courtiers")
        assert ann.now["seat_fields"] == {"turn": 0}
        watcher = await (await server.person()).post("/api/replay", {"record": clew.new(COURTIERS, seed=1).record()})
        assert watcher["seat_fields"] == {"turn": 0}
        _table, cy, _dan = await server.two("palaces")
        assert "seat_fields" not in cy.now, "it has a board"


async def test_a_table_is_laid_anew_with_its_deal_and_moves(folder, tmp_path):
    async with open_server(tmp_path / "data", games=(str(folder),)) as server:
        _table, ann, bob = await server.two("rising")
        await discard(ann, 1)
        await discard(bob, 1)
        await ann.turn()
        hand = ann.now["view"]["table"]["hand"]
        change(folder, "s.points[seat] + 1", "s.points[seat] + 2")
        told = await entry(ann, "rules_changed")
        assert told["text"] == "The rules were changed, and the table is laid anew with the same deal and moves."
        assert ann.now["view"]["table"]["hand"] == hand
        await ann.turn()
        await ann.move(next(move for move in ann.moves if not move.startswith("-")))
        assert [seat["points"] for seat in ann.now["view"]["table"]["seats"]] == [2, 0]


async def test_moves_are_kept_as_far_as_they_are_legal_also_after_a_restart(folder, tmp_path):
    async with open_server(tmp_path / "data", games=(str(folder),)) as server:
        table, ann, bob = await server.two("rising")
        await discard(ann, 1)
        await discard(bob, 1)
        await ann.turn()
        await ann.move(next(move for move in ann.moves if not move.startswith("-")))
        change(folder, "if form_of(move) == 0 and", "if form_of(move) == 0 or s.turns == 1 and")
        told = await entry(bob, "rules_changed")
        assert told["text"].endswith(
            "laid anew: the same deal and 2 of 3 moves, as the next one is not legal any more."
        )
        await ann.turn()
        assert ann.now["view"]["table"]["turns"] == 2
        await discard(ann, 1)
        token = ann.now["view"]
        table_id, state = table["id"], server.registry.rooms[table["id"]].state
        kept = [state.log.entries[number - 1].move for number in state.kept_moves]
    games._in_folders.clear()
    games._added.clear()
    async with open_server(tmp_path / "data", games=(str(folder),)) as server:
        again = (await server.registry.room(table_id)).state
        assert [again.log.entries[number - 1].move for number in again.kept_moves] == kept
        assert again.game.view(0)["table"] == token["table"]


def untrained(game):
    """What is learnt of a game before the first step."""
    shape = files.shape_of(game)
    about = files.About(game.name, game.version, shape.layout.fingerprint, shape.hidden, shape.second, [2, 2], {}, 1)
    return files.Learnt(about, np.full(shape.size, 0.01, np.float32))


@pytest.mark.parametrize("beside", [True, False], ids=["beside the rules", "in the user's data"])
async def test_what_is_learnt_while_the_server_runs_is_played_by(folder, tmp_path, monkeypatch, caplog, beside):
    monkeypatch.setenv("CLEW_DATA", str(tmp_path / "own"))
    async with open_server(tmp_path / "data", games=(str(folder),)) as server:
        person, game = await server.person(), games.load("rising")
        file = folder / "learnt.npz" if beside else files.own_file(game)

        async def listed():
            return next(one for one in (await person.get("/api/games"))["games"] if one["name"] == "rising")

        async def becomes(learnt):
            async with asyncio.timeout(30):
                while (await listed())["learnt"] != learnt:
                    await asyncio.sleep(0.05)

        _table, ann, _bob = await server.two("rising")
        await becomes(False)
        assert heuristics_for(game).learnt is None
        untrained(game).save(file)
        await becomes(True)
        assert heuristics_for(game).learnt.about.games == 0
        other = untrained(game)
        other.about.games = 7
        other.save(file)
        async with asyncio.timeout(30):
            while heuristics_for(game).learnt.about.games != 7:
                await asyncio.sleep(0.05)
        file.write_bytes(b"damaged")
        async with asyncio.timeout(30):
            while "its bots play as before" not in caplog.text:
                await asyncio.sleep(0.05)
        await becomes(True)
        assert heuristics_for(game).learnt.about.games == 7
        file.unlink()
        await becomes(False)
        assert heuristics_for(game).learnt is None
        assert not [one for one in ann.log if one["kind"] == "rules_changed"], "the rules are the same"
        await discard(ann, 1)


async def test_a_mistake_leaves_the_old_rules_and_is_told(folder, tmp_path, caplog):
    async with open_server(tmp_path / "data", games=(str(folder),)) as server:
        _table, ann, _bob = await server.two("rising")
        change(folder, "s.points[seat], s.last = ", "s.points[seat], s.lats = ")
        told = await entry(ann, "rules_changed")
        assert "a state has no field 'lats'; did you mean 'last'?" in told["text"]
        assert "did you mean 'last'?" in caplog.text
        await discard(ann, 1)
        change(folder, "s.lats = ", "s.last = ")
        told = await entry(ann, "rules_changed", 2)
        assert "laid anew" in told["text"]


async def test_a_constant_of_another_type_is_a_mistake_with_the_old_rules_left(folder, tmp_path):
    async with open_server(tmp_path / "data", games=(str(folder),)) as server:
        _table, ann, _bob = await server.two("rising")
        change(folder, "PLAYERS, ENDINGS, RULES = (2, 2),", "PLAYERS, ENDINGS, RULES = 2,")
        assert "PLAYERS is the fewest and the most" in (await entry(ann, "rules_changed"))["text"]
        await discard(ann, 1)


async def test_what_rules_say_when_they_fail_is_told_to_nobody_as_it_may_be_hidden(folder, tmp_path, caplog):
    async with open_server(tmp_path / "data", games=(str(folder),)) as server:
        _table, ann, _bob = await server.two("rising")
        await discard(ann, 1)
        text = (folder / "rules.py").read_text()
        told = (
            "    if s.turns == 0:\n        raise ValueError(int(s.hand[1, 0]) * 1000)\n    card = card_of(move)\n    at"
        )
        assert "    card = card_of(move)\n    at" in text
        (folder / "rules.py").write_text(text.replace("    card = card_of(move)\n    at", told))
        found = (await entry(ann, "rules_changed"))["text"]
        assert "rules.py:" in found
        assert "000" not in found
        assert "000" not in caplog.text.partition("cannot be laid anew")[2].splitlines()[0]


async def test_a_move_at_which_the_rules_fail_is_refused_with_the_line_and_the_table_goes_on(folder, tmp_path):
    async with open_server(tmp_path / "data", games=(str(folder),)) as server:
        _table, ann, _bob = await server.two("rising")
        change(folder, "    s.used[s.turns] = card", "    s.used[s.turns + 100 * form_of(move)] = card")
        await entry(ann, "rules_changed")
        await ann.turn()
        wrong = next(move for move in ann.moves if move.startswith("-"))
        with pytest.raises(IllegalMove, match=r"The rules of this game fail at this move\. .*IndexError"):
            await ann.move(wrong)
        await ann.move(next(move for move in ann.moves if not move.startswith("-")))


async def test_a_table_that_could_not_be_written_is_laid_anew_later_and_others_are_at_once(folder, tmp_path):
    async with open_server(tmp_path / "data", games=(str(folder),)) as server:
        _table, ann, _bob = await server.two("rising")
        other, cy, _dan = await server.two("rising")
        rooms = server.registry.rooms
        first = next(room for room in rooms.values() if room.state.row.id != other["id"])
        lay_anew, failed = first.lay_anew, []

        async def once(error=""):
            if not failed:
                failed.append(error)
                raise StoreError("The database is away.")
            await lay_anew(error)

        first.lay_anew = once
        change(folder, "s.points[seat] + 1", "s.points[seat] + 2")
        assert "laid anew" in (await entry(cy, "rules_changed"))["text"]
        assert "laid anew" in (await entry(ann, "rules_changed"))["text"]
        assert failed == [""]


async def test_no_move_is_taken_unseen_at_a_table_that_could_not_be_laid_anew(folder, tmp_path, monkeypatch):
    async with open_server(tmp_path / "data", games=(str(folder),)) as server:
        table, ann, bob = await server.two("rising")
        await discard(ann, 1)
        await discard(bob, 1)
    change(folder, "if form_of(move) == 0 and", "if s.turns == 1 or form_of(move) == 0 and")
    games.reload(games.load("rising"))  # as another process would read it

    async def fail(room, error=""):
        raise StoreError("The database is away.")

    lay_anew = Room.lay_anew
    monkeypatch.setattr(Room, "lay_anew", fail)
    async with open_server(tmp_path / "data", games=(str(folder),)) as server:
        with pytest.raises(StoreError):
            await server.registry.room(table["id"])
        assert table["id"] not in server.registry.rooms
        monkeypatch.setattr(Room, "lay_anew", lay_anew)
        room = await server.registry.room(table["id"])
        assert len(room.state.kept_moves) == 1


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_folder_without_a_game_stops_the_server_with_one_sentence(tmp_path, workers):
    command = [sys.executable, "-m", "clew", "serve", "--port", "0", "--workers", workers]
    command += ["--data", str(tmp_path), "--game", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith("is not a game: it has no rules.py.")
    assert "Traceback" not in done.stderr


def test_two_games_of_one_name_are_refused(folder, tmp_path):
    games.add(folder)
    assert games.add(folder) is games.known("rising")
    (tmp_path / "other").mkdir()
    other = write("rising2", tmp_path / "other").rename(tmp_path / "other" / "rising")
    with pytest.raises(games.UnknownGame, match="There is a game 'rising' already"):
        games.add(other)
