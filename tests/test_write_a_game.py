"""The page on writing a game is true: its commands are run and its changes are made, one after the other."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from test_readme import matches

PAGE = (Path(__file__).parent.parent / "docs" / "write-a-game.md").read_text()


def steps():
    """The blocks of the page in order: what kind they are, what they are about, what is in them."""
    return re.findall(r"^```(console|diff)(?: (\S+))?\n(.*?)^```", PAGE, re.S | re.M)


def change(file, text):
    """Put the lines with a plus in the place of those with a minus."""
    old = "".join(line[1:] + "\n" for line in text.splitlines() if line.startswith("-"))
    new = "".join(line[1:] + "\n" for line in text.splitlines() if line.startswith("+"))
    assert file.read_text().count(old) == 1, f"{file.name} has not once: {old}"
    file.write_text(file.read_text().replace(old, new))


def serve(words, env, folder):
    """Start the server as the page says, and see the game there."""
    command = [sys.executable, "-m", "clew", *words]
    child = subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        said = next(line for line in child.stdout if "Clew is at" in line)
        with urlopen(re.search(r"http://\S+", said).group() + "/api/games", timeout=60) as answer:
            assert "Rising" in [game["title"] for game in json.load(answer)["games"]]
    finally:
        os.killpg(child.pid, signal.SIGTERM)
        child.communicate(timeout=30)


def printed_as_shown(shown, printed):
    """As in the README, and three dots inside a line stand for anything there."""
    if not re.search(r"\S\.\.\.|\.\.\.\S", shown):
        return matches(shown, printed)
    *before, last = [line for line in shown.splitlines() if line.strip()]
    assert set(before) <= {"..."}
    return re.search(".*".join(map(re.escape, last.split("..."))), " ".join(printed.split())) is not None


@pytest.mark.slow
def test_following_the_page_leads_to_a_game_in_the_browser(tmp_path):
    env = {**os.environ, "COLUMNS": "200", "CLEW_DATA": str(tmp_path / "data"), "NO_COLOR": "1"}
    env["CLEW_COMPILE"] = "background"  # as a newcomer has it: whoever plays a few moves waits for no compiler
    commands = 0
    for kind, about, text in steps():
        if kind == "diff":
            change(tmp_path / about, text)
            continue
        for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
            command, _, shown = part.partition("\n")
            program, *words = shlex.split(command)
            assert program == "clew"
            commands += 1
            if words[0] == "serve":
                serve(words, env, tmp_path)
                continue
            done = subprocess.run(
                [sys.executable, "-m", "clew", *words],
                cwd=tmp_path, env=env, input="quit\n", capture_output=True, text=True, timeout=300,
            )  # fmt: skip
            assert done.returncode == (2 if "no field" in shown else 0), done.stderr
            assert printed_as_shown(shown, done.stdout or done.stderr), (command, done.stdout, done.stderr)
    assert commands >= 8
