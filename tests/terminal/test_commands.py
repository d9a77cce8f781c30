"""What each command prints, and the one sentence for everything that can be wrong."""

import json
import os

import pytest

import clew


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a whole record and with ways to spoil it."""
    folder = tmp_path_factory.mktemp("records")
    table = clew.new("palaces", seed=7)
    while table.to_move:
        table.play(table.legal_moves()[0])
    whole = table.record()
    lines = whole.splitlines()
    spoiled = {
        "whole": whole,
        "cut-line": whole[: whole.index("moves:") + 40].rstrip("\n"),
        "cut-head": whole[: whole.index("moves:") - 200],
        "no-result": "\n".join(lines[:-1]) + "\n",
        "wrong-result": whole.replace("result: places", "result: places 9"),
        "wrong-move": whole.replace("moves:\n", "moves:\n0 K7\n1 K7\n"),
        "wrong-option": whole.replace("edition=classic", "edition=lost"),
        "wrong-players": whole.replace("players: 2", "players: 7"),
        "other-game": whole.replace("game: palaces", "game: chess"),
        "folder-game": whole.replace("game: palaces", "game: evil"),
        "other-rules": whole.replace("rules: ", "rules: 9"),
        "garbage": "\x1b]0;gone\x07 this is no record",
        "empty": "",
    }
    for name, text in spoiled.items():
        (folder / f"{name}.clew").write_text(text)
    (folder / "bytes.clew").write_bytes(b"clew-record 1\n\xff\xfe")
    (folder / "folder.clew").mkdir()
    (folder / "evil").mkdir()
    for part in ("rules.py", "words.py"):
        (folder / "evil" / part).touch()
    (folder / "secret.clew").write_text(whole)
    (folder / "secret.clew").chmod(0)
    return folder


@pytest.fixture
def records(folder, monkeypatch):
    monkeypatch.chdir(folder)
    return folder


WRONG = {
    ("play", "chess"): "There is no game 'chess'; there are ",
    ("play", "folder.clew"): "There is no game 'folder.clew'; a folder is written with a slash: ./folder.clew.",
    ("play", "./folder.clew"): "is not a game: it has no rules.py.",
    ("play", "p" * 5_000): "There is no game 'pppp",
    ("play", "palaces", "-o", "e" * 5_000): "clew play: Invalid value for --option: 'eeee",
    ("play", "palaces", "--against", f"level:{'9' * 5_000}"): "There is no bot 'level:9999",
    ("play", "palaces", "--option", "colour=red"): "The Lost Palaces has no option 'colour'; it has edition.",
    ("play", "palaces", "-o", "edition=lost"): "The option edition is classic, not 'lost'.",
    ("play", "palaces", "-o", "edition"): "clew play: Invalid value for --option: 'edition' is not NAME=VALUE",
    ("play", "cardtracks", "-o", "track_length=99"): "The option track_length is a whole number from 2 to 8, not '99'.",
    ("play", "palaces", "--players", "3"): "The Lost Palaces is for 2 players, not 3.",
    ("play", "palaces", "--seed", "-1"): "A seed is a whole number from 0",
    ("play", "palaces", "--seed", "seven"): "clew play: Invalid value for '--seed'",
    ("play", "palaces", "--seat", "2"): "There is no seat 2 at this table; seats are 0 to 1.",
    ("play", "palaces", "whole.clew"): "a saved game needs --resume",
    ("play", "--resume"): "No game waits in ",
    ("play", "--resume", "whole.clew", "--seed", "3"): "A saved game has its options",
    ("play", "--resume", "whole.clew"): "The game in whole.clew is over",
    ("play", "--resume", "cut-line.clew"): "cut-line.clew: line ",
    ("play", "--resume", "missing.clew"): "There is no file missing.clew.",
    ("rules", "palaces", "PAL-99"): "The Lost Palaces has no rule 'PAL-99'; it has PAL-01 to PAL-20.",
    ("replay",): "clew replay: Missing argument",
    ("replay", "missing.clew"): "There is no file missing.clew.",
    ("replay", "folder.clew"): "folder.clew is a folder, not a record.",
    ("replay", "bytes.clew"): "bytes.clew is not a record: it is not UTF-8 text.",
    ("replay", "cut-line.clew"): "cut-line.clew: line ",
    ("replay", "cut-head.clew"): "cut-head.clew: line ",
    ("replay", "no-result.clew"): "The game is over, but its result is missing",
    ("replay", "wrong-result.clew"): "The result is wrong",
    ("replay", "wrong-move.clew"): "wrong-move.clew: line ",
    ("replay", "wrong-option.clew"): "The option edition is classic, not 'lost'.",
    ("replay", "wrong-players.clew"): "The Lost Palaces is for 2 players, not 7.",
    ("replay", "other-game.clew"): "other-game.clew: line 2: There is no game 'chess'",
    ("replay", "folder-game.clew"): "folder-game.clew: line 2: There is no game 'evil'; there are ",
    (
        "replay",
        "folder-game.clew",
        "--game",
        "evil",
    ): "There is no game 'evil'; a folder is written with a slash: ./evil.",
    ("replay", "folder-game.clew", "--game", "./evil"): "is not part of a game: it has no TITLE.",
    ("replay", "other-rules.clew"): "other-rules.clew: line 3: The record needs rules 9",
    ("replay", "garbage.clew"): "garbage.clew: line 1: A record begins with the line 'clew-record 1'.",
    ("replay", "empty.clew"): "empty.clew: line 1: ",
    ("replay", "-"): "standard input: line 1: ",
    ("replay", "whole.clew", "--upto", "-1"): "clew replay: Invalid value for '--upto'",
    ("warm", "chess"): "There is no game 'chess'",
    ("bench", "chess"): "There is no game 'chess'",
    ("check", "chess"): "There is no game 'chess'",
    ("dance",): "clew: No such command 'dance'",
    ("play", "--dance"): "clew play: No such option: --dance",
}


@pytest.mark.parametrize("arguments", WRONG, ids=lambda words: " ".join(words)[:70])
def test_an_error_is_one_sentence_and_exit_2(run, records, arguments):
    done = run(*arguments)
    assert done.code == 2, done
    assert WRONG[arguments] in done.err
    assert done.err.count("\n") == 1
    assert done.err.endswith((".\n", ")\n"))
    assert len(done.err) < 600
    assert "Traceback" not in done.out + done.err
    assert "\x1b" not in done.err


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_file_that_may_not_be_read(run, records):
    done = run("replay", "secret.clew")
    assert (done.code, done.err) == (2, "secret.clew cannot be read: permission denied.\n")


def test_what_nobody_foresaw_is_one_sentence_too(run, tmp_path):
    (tmp_path / "rules.py").write_text("TITLE = 1 / 0\n")
    (tmp_path / "words.py").touch()
    done = run("rules", tmp_path)
    assert (done.code, done.err) == (2, "rules.py:1: ZeroDivisionError: division by zero.\n")


def test_version_and_no_command(run):
    assert run("--version").out == f"clew {clew.__version__}\n"
    alone = run()
    assert (alone.code, alone.err) == (0, "")
    assert "Commands:" in alone.out


def test_every_command_has_an_example(run):
    for command in ("games", "rules", "play", "replay", "check", "bench", "warm"):
        assert "Example" in run(command, "--help").out


def test_games(run):
    listed = json.loads(run("games", "--json").out)
    assert [game["name"] for game in listed] == list(clew.games())
    palaces = next(game for game in listed if game["name"] == "palaces")
    assert (palaces["players"], palaces["options"][0]["default"]) == ([2, 2], "classic")
    table = run("games").out
    assert all(game["title"] in table for game in listed)


def test_rules(run):
    assert "Two expeditions race" in run("rules", "palaces").out
    one = run("rules", "palaces", "pal-08").out
    assert "PAL-08" in one
    assert "PAL-09" not in one


def test_replay_tells_a_record_and_vouches_for_it(run, records):
    table = clew.replay((records / "whole.clew").read_text())
    told = json.loads(run("replay", "whole.clew", "--json").out)
    assert told["verified"] is True
    assert [(move["seat"], move["move"]) for move in told["moves"]] == [(s, str(move)) for s, move in table.moves]
    assert told["events"] == [event.json() for event in table.events(None)]
    assert told["outcome"]["scores"] == list(table.outcome.scores)
    assert told["options"] == {"edition": "classic"}

    words = run("replay", "-", lines=table.record().splitlines()).out
    assert f"Checked: {table.outcome}." in words
    assert "your hand" not in words
    early = json.loads(run("replay", "whole.clew", "--upto", "3", "--json").out)
    assert (len(early["moves"]), early["outcome"]) == (3, None)
    assert f"{len(table.moves) - 3} more moves follow" in run("replay", "whole.clew", "--upto", "3").out


def test_warm_says_what_was_there(run):
    assert run("warm", "palaces").out in ("The Lost Palaces: compiled.\n", "The Lost Palaces: already compiled.\n")
    assert run("warm", "palaces").out == "The Lost Palaces: already compiled.\n"
