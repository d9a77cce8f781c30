"""What is handed out: a source distribution and a wheel with the page in them, which work outside the repository."""

import contextlib
import json
import os
import re
import shutil
import site
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FILES = ("LICENSE", "MANIFEST.in", "README.md", "pyproject.toml", "setup.py")
PAGE = Path("src", "clew", "web")
UNBUILT = "the page is not built: run `make web`"
SCRIPT = re.compile(r'<script type="module"[^>]* src="(/assets/[^"]+\.js)"')
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("package")]  # one worker makes the wheel for all tests
# What is tried here is the package, not the compiler.
PLAIN = {"NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def checkout(folder, page):
    """A copy of the sources as a clean checkout has them, and the page if it is to be there."""
    folder.mkdir()
    for name in FILES:
        shutil.copy2(ROOT / name, folder)
    left_out = shutil.ignore_patterns("__pycache__", *(() if page else ("web",)))
    shutil.copytree(ROOT / "src" / "clew", folder / "src" / "clew", ignore=left_out)
    shutil.copytree(ROOT / "web", folder / "web", ignore=shutil.ignore_patterns("node_modules"))
    return folder


def run(*command, cwd, node=False, **environment):
    """Run a program elsewhere: without this repository on its path, and without Node.js unless it is wanted."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    if not node:
        kept["PATH"] = str(cwd)
    return subprocess.run(
        list(map(str, command)), cwd=cwd, env={**kept, **environment}, capture_output=True, text=True, timeout=300
    )


def build(kind, sources, target, node=False):
    """What pip does, without an environment of its own: a wheel, an editable one, or a source distribution."""
    code = f"import setuptools.build_meta as backend; print(backend.build_{kind}({str(target)!r}))"
    done = run(sys.executable, "-c", code, cwd=sources, node=node)
    return done, target / done.stdout.splitlines()[-1] if done.returncode == 0 else None


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """A wheel made from a source distribution, where there is no Node.js."""
    assert (ROOT / PAGE).is_dir(), UNBUILT
    home = tmp_path_factory.mktemp("dist")
    sources = checkout(home / "checkout", page=True)
    os.utime(sources / PAGE / "index.html")  # newer than what it is made from, as `make` has it
    done, packed = build("sdist", sources, home)
    assert packed, done.stdout + done.stderr
    shutil.unpack_archive(packed, home)
    unpacked = home / packed.name.removesuffix(".tar.gz")
    os.utime(unpacked / "web" / "src" / "App.svelte")  # whoever unpacks it may not keep the times
    done, made = build("wheel", unpacked, home)
    assert made, done.stdout + done.stderr
    return made


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The folder of the programs of an environment that has the wheel, and no other Clew.

    Everything else is what this environment has: a path in a .pth file is searched last, and the .pth files that lie
    there, one of which may lead to this repository, are not read.
    """
    home = tmp_path_factory.mktemp("installed")
    made = run(sys.executable, "-m", "venv", "--without-pip", home / "venv", cwd=home)
    assert made.returncode == 0, made.stderr
    python = home / "venv" / "bin" / "python"
    (there,) = (home / "venv").glob("lib/python*/site-packages")
    (there / "dependencies.pth").write_text("\n".join(site.getsitepackages()))
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index", wheel]
    done = run(*pip, cwd=home)
    assert done.returncode == 0, done.stderr
    return python.parent


def test_a_wheel_has_all_that_is_needed_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        page = archive.read("clew/web/index.html").decode()
    own = {
        str(path.relative_to(ROOT / "src"))
        for path in (ROOT / "src" / "clew").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    info = {name for name in names if ".dist-info/" in name}
    assert names - info == own
    assert {name.split("/", 1)[1] for name in info} == {
        *("METADATA", "RECORD", "WHEEL", "entry_points.txt", "top_level.txt", "licenses/LICENSE")
    }
    assert {"clew/py.typed", "clew/games/palaces/value_net.npy", "clew/games/palaces/rules.md"} <= names
    assert {f"clew/server/store/migrations/{name}" for name in ("env.py", "versions/0001_tables.py")} <= names
    assert "clew" + SCRIPT.search(page)[1].replace("/assets", "/web/assets") in names


def test_the_package_works_where_the_repository_is_not(installed, tmp_path):
    where = run(installed / "python", "-c", "import clew; print(clew.__file__)", cwd=tmp_path)
    assert where.stdout.startswith(str(installed.parent)), where.stderr
    listed = run(installed / "clew", "games", "--json", cwd=tmp_path, **PLAIN)
    assert len(json.loads(listed.stdout)) == 5, listed.stderr
    rules = run(installed / "clew", "rules", "palaces", cwd=tmp_path, **PLAIN)
    assert "PAL-10" in rules.stdout, rules.stderr
    code = "import clew; print(clew.new('palaces', seed=7).to_move)"
    assert run(installed / "python", "-c", code, cwd=tmp_path, **PLAIN).stdout == "(0,)\n"


def test_the_server_of_the_package_shows_the_page(installed, tmp_path):
    command = [installed / "clew", "serve", "--port", "0", "--data", tmp_path / "data"]
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path, env={**kept, **PLAIN})
    try:
        address = re.search(r"http://[^ ]+", server.stdout.readline())[0].rstrip("/")

        def get(path):
            with contextlib.closing(urllib.request.urlopen(address + path, timeout=30)) as answer:
                return answer.headers.get_content_type(), answer.read().decode()

        kind, page = get("/")
        assert kind == "text/html"
        assert get(SCRIPT.search(page)[1])[0] == "text/javascript"
        assert [game["name"] for game in json.loads(get("/api/games")[1])["games"]] == [
            *("aathenuo", "ariadne", "cardtracks", "labyrinth", "palaces")
        ]
    finally:
        server.terminate()
        server.wait(30)


def test_a_clean_checkout_builds_the_page_and_where_it_lies_does_not_matter(tmp_path):
    sources = checkout(tmp_path / "somewhere else", page=False)
    tools = shutil.copytree(ROOT / "web" / "node_modules", sources / "web" / "node_modules", symlinks=True)
    (tools / ".package-lock.json").touch()  # newer than the lock, so nothing is fetched
    packed = page_of(build("wheel", sources, tmp_path, node=True))
    page = ROOT / PAGE
    assert page.is_dir(), UNBUILT
    assert packed == {str(path.relative_to(page)): path.read_bytes() for path in page.rglob("*") if path.is_file()}


def test_without_a_page_and_without_node_one_sentence_says_what_to_do(tmp_path):
    sources = checkout(tmp_path / "checkout", page=False)
    for kind in ("sdist", "wheel"):
        done, _ = build(kind, sources, tmp_path)
        assert done.returncode != 0
        said = done.stderr.strip().splitlines()[-1]
        assert said.startswith("error: The page is not built, and npm, which builds it, is not here: install Node.js")
        assert "Traceback" not in done.stderr


def test_an_editable_install_needs_no_page_and_builds_none(tmp_path):
    sources = checkout(tmp_path / "checkout", page=False)
    done, made = build("editable", sources, tmp_path)
    assert made, done.stdout + done.stderr
    assert not (sources / PAGE).exists()


def test_a_page_that_is_older_than_its_sources_is_built_anew(tmp_path):
    sources = checkout(tmp_path / "checkout", page=False)
    page = sources / PAGE / "index.html"
    page.parent.mkdir()
    page.write_text("old")
    os.utime(page, (1, 1))
    left = sources / "build" / "lib" / "clew" / "web" / "of-an-earlier-build.js"
    left.parent.mkdir(parents=True)
    left.touch()
    assert page_of(build("wheel", sources, tmp_path)) == {"index.html": b"old"}, "where there is no Node.js"
    npm = sources / "npm"  # stands for the real one, which the test above runs
    npm.write_text(f'#!/bin/sh\necho "$@" >> said\nif [ "$1" = run ]; then echo new > {page}; fi\n')
    npm.chmod(0o755)
    for _ in range(2):  # the second time there is nothing to do
        assert page_of(build("wheel", sources, tmp_path)) == {"index.html": b"new\n"}
    assert (sources / "web" / "said").read_text() == "ci --silent\nrun --silent build -- --logLevel warn\n"


def page_of(built):
    """The files of the page in a wheel."""
    done, made = built
    assert made, done.stdout + done.stderr
    with zipfile.ZipFile(made) as archive:
        return {name[9:]: archive.read(name) for name in archive.namelist() if name.startswith("clew/web/")}
