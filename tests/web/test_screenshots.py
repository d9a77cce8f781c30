"""Pictures for the documentation: the same page gives the same pictures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import CHROMIUM, ROOT


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_pictures_that_are_taken_again_are_the_same(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "web" / "scripts" / "screenshots.py"), "cardtracks", "--to", str(tmp_path)]
    first = subprocess.run(command, capture_output=True, text=True, check=True)
    pictures = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert len(pictures) == 6
    assert sorted(first.stdout.split()) == sorted(pictures)
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert again.stdout == ""
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == pictures
