"""Dependencies point one way, and a game is a folder."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import clew

PACKAGE = Path(clew.__file__).parent
# What each part may import from Clew besides itself; `core` is the bottom. Of the server adapters take the client that
# anybody could write: an assistant is a guest at its tables like a person at a browser.
MAY_IMPORT = {
    "core": set(),
    "games": {"core"},
    "bots": {"core"},
    "check": {"core"},
    "bench.py": {"core"},
    "lab": {"bots", "core"},
    "server": {"bots", "core", "lab"},
    "adapters": {"bots", "core", "server.client"},
    "terminal": {"bots", "core"},
}


def imported(source):
    """The parts of Clew that a file imports, at its top or anywhere inside."""
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] == "clew":
                yield parts[1:]


def parts():
    return [part for part in sorted(MAY_IMPORT) if (PACKAGE / part).exists()]


@pytest.mark.parametrize("part", parts())
def test_a_part_imports_only_what_lies_below_it(part):
    home = PACKAGE / part
    for source in [home] if home.is_file() else home.rglob("*.py"):
        for target in imported(source):
            allowed = MAY_IMPORT[part] | {part.removesuffix(".py")}
            surface = not (PACKAGE / target[0]).exists() and not (PACKAGE / f"{target[0]}.py").exists()
            assert surface or {target[0], ".".join(target[:2])} & allowed, f"{source} imports clew.{'.'.join(target)}"


def test_a_game_imports_no_other_game():
    for name in clew.games():
        for source in (PACKAGE / "games" / name).glob("*.py"):
            for target in imported(source):
                assert target[0] == "core" or target[:2] == ["games", name], source


def test_nothing_below_the_surface_names_a_game():
    games = clew.games()
    for part in ("core", "check", "bots", "terminal", "server", "lab", "adapters"):
        for source in (PACKAGE / part).rglob("*.py"):
            tree = ast.parse(source.read_text())
            docs = {
                ast.get_docstring(node, clean=False)
                for node in ast.walk(tree)
                if hasattr(node, "body") and isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            }
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in docs:
                    assert not any(name in node.value.lower() for name in games), (source, node.value)


def test_compiled_code_depends_on_the_engine_its_own_folder_and_the_game():
    # That is what the stamp of the cache covers: see clew.core.kernels.stamp.
    for source in PACKAGE.rglob("*.py"):
        text = source.read_text()
        if "@rule" in text or "@template" in text:
            home = list(source.relative_to(PACKAGE).parts[:-1])
            for target in imported(source):
                assert target[0] == "core" or target[: len(home)] == home, source


def test_importing_clew_loads_no_compiler():
    code = "import sys, clew; sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_the_names_of_the_surface():
    import clew.games.palaces.rules

    assert clew.games() == tuple(sorted(clew.games()))
    assert {"palaces", "cardtracks"} <= set(clew.games())
    for name in clew.__all__:
        assert getattr(clew, name) is not None
    with pytest.raises(AttributeError):
        clew.nothing  # noqa: B018
