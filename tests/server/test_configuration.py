"""How a server is set up: by its command line, the environment and a file, with one sentence for what is wrong."""

import os
import re
import sqlite3
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from servers import free_port

from clew.server.client import Client, ServerError
from clew.server.configuration import BadSetting, read, unknown
from clew.server.settings import Settings, key

GUIDE = Path(__file__).parent.parent.parent / "docs" / "operations.md"


def written(path, text):
    path.write_text(text)
    return str(path)


def test_an_option_goes_before_a_variable_and_that_before_a_file(tmp_path):
    file = written(
        tmp_path / "clew.toml", 'port = 1\nhost = "a"\ntables = 7\norigin = ["http://a.example"]\nidle = 5\n'
    )
    assert (read({}, file, {}).port, read({}, file, {}).host) == (1, "a")
    environment = {"CLEW_PORT": "2", "CLEW_CONFIG": file}
    assert (read({}, None, environment).port, read({}, None, environment).host) == (2, "a")
    assert read({"port": 3, "host": None, "origins": []}, None, environment).port == 3
    made = read({}, file, {"CLEW_BEHIND_PROXY": "true", "CLEW_TRUSTED_PROXIES": "10.0.0.0/8, ::1"})
    assert (made.tables_of_one, made.idle_seconds, made.origins) == (7, 5.0, ("http://a.example",))
    assert (made.behind_proxy, made.trusted_proxies) == (True, ("10.0.0.0/8", "::1"))
    assert read({}, None, {"CLEW_DATA": str(tmp_path)}).data == tmp_path / "server"
    assert read({"data": "here"}, None, {"CLEW_DATA": str(tmp_path)}).data == Path("here")
    assert read({}, None, {"CLEW_PORT": ""}) == read({}, None, {})
    assert read({}, None, {}).port == Settings().port


@pytest.mark.parametrize(
    ("text", "environment", "sentence"),
    [
        ("prot = 1", {}, "there is no setting 'prot'; there are host, port,"),
        ("port = 70000", {}, "port: Expected `int` <= 65535."),
        ('port = "80"', {}, "port: Expected `int`, got `str`."),
        ('log_format = "xml"', {}, "log_format: Invalid enum value 'xml'."),
        ("port = ", {}, "is not TOML: Invalid value"),
        ("", {"CLEW_TABLES": "many"}, "CLEW_TABLES: Expected `int`, got `str`."),
        ("", {"CLEW_REQUEST_RATE": "-1"}, "CLEW_REQUEST_RATE: Expected `float` >= 0.0."),
        ("", {"CLEW_BEHIND_PROXY": "maybe"}, "CLEW_BEHIND_PROXY: Expected `bool`"),
        ("", {"CLEW_ORIGIN": "https://a.example/"}, "An origin is like https://games.example"),
        ("", {"CLEW_TRUSTED_PROXIES": "10.0.0.0/99"}, "A network of proxies is like 10.0.0.0/8"),
        ("", {"CLEW_ROOT_PATH": "clew/"}, "A root path is like /clew or /games/clew, not 'clew/'."),
        ("", {"CLEW_ROOT_PATH": "/api/clew"}, "The root path cannot begin with /api"),
        ("", {"CLEW_METRICS": "9090"}, "The address of the figures is HOST:PORT, not '9090'."),
        ("", {"CLEW_REDIS": "http://:hunter2@cache"}, "The address of Redis is redis://"),
        ("", {"CLEW_REDIS": "redis://:hunter2@cache:port"}, "The address of Redis is redis://"),
        ("redis = 7", {"CLEW_DB": "hunter2"}, "redis: Expected `str`, got `int`."),
    ],
)
def test_what_is_wrong_is_one_sentence(tmp_path, text, environment, sentence):
    with pytest.raises(BadSetting) as caught:
        read({}, written(tmp_path / "clew.toml", text), environment)
    assert sentence in str(caught.value)
    assert str(caught.value).endswith(".")
    assert "hunter2" not in str(caught.value)


def test_a_misspelt_variable_is_noticed():
    assert unknown({"CLEW_DB": "", "CLEW_CACHE": "", "CLEW_REDDIS": "", "PATH": ""}) == ["CLEW_REDDIS"]


def test_a_password_is_not_shown():
    made = read({}, None, {"CLEW_DB": "postgresql://clew:hunter2@db/clew", "CLEW_REDIS": "redis://:hunter2@cache"})
    assert made.address == "postgresql://clew:hunter2@db/clew"
    assert "hunter2" not in repr(made)


def clew(tmp_path, *arguments, **environment):
    """Run a command that ends by itself."""
    known = {**os.environ, "CLEW_DATA": str(tmp_path), "COLUMNS": "200", **environment}
    command = [sys.executable, "-m", "clew", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=known)


def test_every_setting_is_an_option_and_in_the_guide(tmp_path):
    shown, guide = clew(tmp_path, "serve", "--help").stdout, GUIDE.read_text()
    for one in fields(Settings):
        option = f"--{key(one).replace('_', '-')}"
        assert re.search(rf"^  {option} ", shown, re.M), option
        assert f"`{option}`" in guide or f"`{option} " in guide, option


def test_a_server_that_cannot_start_says_why_and_shows_no_password(tmp_path):
    port = free_port()
    wrong = {
        "The database cannot be reached": {"CLEW_DB": f"postgresql://clew:hunter2@127.0.0.1:{port}/clew"},
        "postgresql://USER:PASSWORD@HOST/NAME": {"CLEW_DB": "postgresql://clew:hunter2/@db:x/clew"},
        "not 'mysql'": {"CLEW_DB": "mysql://clew:hunter2@db"},
        "CLEW_PORT: Expected `int`": {"CLEW_PORT": "hunter"},
        "cannot be read: no such file or directory": {"CLEW_CONFIG": str(tmp_path / "none.toml")},
        "The figures cannot be shown at 192.0.2.1:9": {"CLEW_METRICS": "192.0.2.1:9"},
    }
    for sentence, environment in wrong.items():
        done = clew(tmp_path, "serve", "--port", "0", **environment)
        assert done.returncode == 2, done.stderr
        last = done.stderr.splitlines()[-1]
        assert sentence in last
        assert last.endswith(".")
        assert "hunter2" not in done.stderr + done.stdout
        assert "Traceback" not in done.stderr


def test_a_damaged_database_says_what_it_is_and_what_to_do(tmp_path):
    file = tmp_path / "server" / "clew.db"
    file.parent.mkdir()
    file.write_text("Dear diary, " * 1000)
    done = clew(tmp_path, "serve", "--port", "0")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        f"{file} is not a database of Clew, or damaged (file is not a database): name another, or put a backup there."
    )
    file.unlink()
    from clew.server.store.sqlite import prepare

    prepare(str(file))
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        root = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'tables'").fetchone()[0]
        size = database.execute("PRAGMA page_size").fetchone()[0]
    whole = bytearray(file.read_bytes())
    whole[(root - 1) * size : root * size] = b"\x99" * size
    file.write_bytes(whole)
    done = clew(tmp_path, "serve", "--port", "0")
    assert done.returncode == 2
    assert re.search(r"The database .*clew.db is damaged \(.*malformed\): put the latest backup", done.stderr)
    assert "Traceback" not in done.stderr


async def test_settings_of_a_file_hold_for_the_server_and_its_backup(process, tmp_path):
    file = written(tmp_path / "clew.toml", f'db = "sqlite:///{tmp_path}/games.db"\nlog_format = "json"\n')
    server = process("--config", file)
    async with Client(server.url, name="Ann") as ann:
        assert (await ann.get("/api/me"))["name"] == "Ann"
    assert (tmp_path / "games.db").is_file()
    done = clew(tmp_path, "backup", str(tmp_path / "copy.db"), "--config", file)
    assert done.returncode == 0, done.stderr
    with sqlite3.connect(tmp_path / "copy.db") as database:
        assert database.execute("SELECT name FROM people").fetchall() == [("Ann",)]


async def test_the_figures_have_an_address_of_their_own(process):
    server = process()  # with --metrics
    async with Client(server.url):  # it answers, so it has begun
        assert "clew_rooms" in await server.figures()
        for address in (server.url, f"http://{server.metrics}/nothing"):
            with pytest.raises(ServerError, match="404"):
                await Client(address).get("/metrics")
