"""The other pages: replay, lessons, what is not there; and what holds for all of them."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import PAGE, PHONE, ROOT
from players import ANT, COLOURS, GAMES, OVER, begin, faults, listen, midgame, open_all, open_record

import clew
from clew.server.settings import Settings


def a_record(game: str) -> str:
    """A short game that was played to its end."""
    table = clew.new(game, seed=4, options={"rounds": 1} if game == "ariadne" else None)
    while table.to_move:
        seat = table.to_move[0]
        table.play(table.legal_moves(seat)[0], seat)
    return table.record()


@pytest.mark.parametrize("game", GAMES)
def test_a_record_can_be_opened_and_walked_through(web: Any, tmp_path: Path, game: str) -> None:
    page = web()
    open_record(page, tmp_path, a_record(game))
    page.locator("[data-board]").wait_for()
    page.get_by_role("button", name="To the end").click()
    said = page.locator(".said").inner_text()
    assert "wins" in said or "draw" in said or "share" in said or "over" in said
    page.get_by_label("Seen by").select_option("1")
    page.get_by_role("button", name="One move back").click()
    page.get_by_label("Seen by").select_option("all")
    page.get_by_role("button", name="One move back").click()
    assert not page.locator(".trouble").count()
    assert faults(page) == []


def french(card: str) -> str:
    """A card in the words of the page."""
    numbers = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    ranks = dict(zip("A23456789TJQK", ["ace", *numbers, "jack", "queen", "king"]))
    suits = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
    return f"{ranks[card[0]]} of {suits[card[1]]}"


def told_of(game: str, view: dict[str, Any]) -> list[str]:
    """A hand in the words of the page."""
    table = view["table"]
    if game == "palaces":
        palaces = {"K": "Knossos", "M": "Malia", "P": "Phaistos", "Z": "Zakros"}
        forms = {"A": "Ariadne of {}", "X": "Minotaur of {}"}
        return [forms.get(card[1:], "{} " + card[1:]).format(palaces[card[0]]) for card in table["hand"]]
    if game == "ariadne":
        return [french(card) for card in table["hand"]]
    if game == "labyrinth":
        kinds = {"T": "T-card", "straight": "straight card", "bend": "bend card"}
        return [f"{kinds[face['shape']]} with {' and '.join(face['treasures'])}" for face in table["hand"]]
    return [f"{COLOURS[tile[0]]} {tile[1].replace('*', 'star')}" for tile in table["rack"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", GAMES)
def test_with_everything_open_nothing_is_hidden(web: Any, tmp_path: Path, game: str, scheme: str) -> None:
    page = web(PHONE if scheme == "dark" else {"width": 1280, "height": 800}, color_scheme=scheme)
    hidden, table = open_all(page, tmp_path, a_record(game), 7)
    deal = table.deal_lines()
    piles = {
        pile.locator("h2").inner_text(): [one.strip() for one in pile.locator("li .unseen").all_inner_texts()]
        for pile in hidden.locator(".pile").all()
    }
    if game == "cardtracks":
        shown = table.view(0)["table"]
        for seat, name in enumerate(("Blue", "Red")):
            centres = enumerate(deal[f"centre {seat}"].split())
            down = [i for i, track in enumerate(shown["tracks"]) if track["lanes"][seat]["centre"] is None]
            lies = [f"{french(card)}, Track {i + 1}" for i, card in centres if i in down]
            assert piles[f"{name}, face down"] == [*lies, f"{french(deal[f'spare {seat}'])}, Spare"]
            deck = deal[f"deck {seat}"].split()[-shown["deck"] :]
            assert piles[f"{name}’s deck, next first"] == [french(card) for card in deck]
    else:
        other = next(seat for seat in range(2) if seat not in table.to_move)
        hand = piles[f"{('Blue', 'Red')[other]}’s {'rack' if game == 'aathenuo' else 'hand'}"]
        assert hand == told_of(game, table.view(other))
    if game == "palaces":
        closed = [site for path in table.view(0)["table"]["paths"] for site in path["sites"] if site["find"] is None]
        assert len(piles["Still buried"]) == len(closed)
        assert sum("a statue" in find for find in piles["Still buried"]) <= 10
        assert piles["The pile, next first"] == told_of(
            game, {"table": {"hand": deal["pile"].split()[-len(piles["The pile, next first"]) :]}}
        )
    assert faults(page) == []
    page.get_by_label("Seen by").select_option("1")
    hidden.wait_for(state="detached")


@pytest.mark.parametrize(
    "text", ["", "\x00\x01garbage", "clew-record 1\ngame: palaces\nmoves:\n0 nonsense\n", "x" * 2_000_000]
)
def test_a_garbage_record_gets_a_sentence(web: Any, tmp_path: Path, text: str) -> None:
    file = tmp_path / "bad.clew"
    file.write_text(text, encoding="utf-8")
    page = web()
    page.goto("/replay")
    page.locator("input[type=file]").set_input_files(file)
    page.locator(".trouble").wait_for()
    assert page.locator(".trouble").inner_text().endswith(".")
    assert not page.locator("[data-board]").count()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", GAMES)
def test_axe_finds_nothing_at_the_table(web: Any, game: str, scheme: str) -> None:
    page = web(PHONE if scheme == "dark" else {"width": 1280, "height": 800}, color_scheme=scheme)
    heard = listen(page)
    midgame(page, game, heard, seed=7, moves=3)
    if page.locator(".held").count():
        page.locator(".held").first.click(position={"x": 10, "y": 24})  # cards may lie in a fan
    assert faults(page) == []
    for name in ("Rules", "Log", "Chat", "Table") if game == "palaces" else ("Rules",):
        page.locator("nav").get_by_role("button", name=name, exact=True).click()
        page.wait_for_timeout(250)
        if name == "Rules":
            pictures = page.locator("aside figure")
            pictures.first.wait_for()
            assert pictures.count() >= 2
            assert all(text.strip() for text in pictures.locator("figcaption").all_inner_texts())
        assert faults(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_first_page(web: Any, scheme: str) -> None:
    page = web(color_scheme=scheme)
    page.goto("/")
    page.locator(".game").first.wait_for()
    assert faults(page) == []
    page.locator(".game button").first.click()
    page.get_by_text("Options").click()
    page.wait_for_timeout(200)
    assert faults(page) == []
    page.goto("/nothing/here")
    page.get_by_text("There is nothing at this address.").wait_for()
    assert faults(page) == []


def test_a_table_that_does_not_exist_says_so(web: Any) -> None:
    page = web()
    page.goto("/t/AAAAAAAAAAAAAAAAAAAAAA")
    page.get_by_role("alert").wait_for()
    page.get_by_role("link", name="Back to the games").last.click()
    page.locator(".game").first.wait_for()


def test_the_result_of_a_game_given_up(web: Any) -> None:
    page = web()
    begin(page, "labyrinth", options=ANT)
    page.locator("[data-board]").wait_for()
    page.locator("nav").get_by_role("button", name="Table", exact=True).click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign").click()
    page.locator(OVER).wait_for()
    said = page.locator(OVER).inner_text()
    assert "You gave up." in said
    assert "Thank you for the game." in said


def weight(names: list[str]) -> int:
    """The size of files of the bundle as they travel."""
    return sum(len(gzip.compress((PAGE.parent / name).read_bytes())) for name in names)


def test_the_bundle_is_light() -> None:
    first = re.findall(r'(?:src|href)="/(assets/[^"]+\.(?:js|css))"', PAGE.read_text(encoding="utf-8"))
    assert first
    assert weight(first) <= 60_000
    for file in PAGE.parent.glob("assets/*.js"):
        assert weight([f"assets/{file.name}"]) <= 60_000, file.name


def test_the_page_in_the_making_asks_the_port_at_which_the_server_is() -> None:
    config = (ROOT / "web" / "vite.config.ts").read_text(encoding="utf-8")
    assert re.findall(r"target: 'http://127\.0\.0\.1:(\d+)'", config) == [str(Settings().port)]


def test_the_manifest_names_icons_that_are_there() -> None:
    manifest = json.loads((PAGE.parent / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert all((PAGE.parent / icon["src"].lstrip("/")).is_file() for icon in manifest["icons"])


LESSONS = sorted((ROOT / "web" / "src" / "learn").glob("*.json"))


def test_every_game_has_a_lesson() -> None:
    assert {file.stem for file in LESSONS} == {*clew.games()}


@pytest.mark.parametrize("file", LESSONS, ids=lambda file: file.stem)
def test_a_lesson_is_a_real_game_of_five_to_eight_steps(file: Path) -> None:
    lesson = json.loads(file.read_text(encoding="utf-8"))
    assert 5 <= len(lesson["steps"]) <= 8
    made: list[str] = []
    for step in lesson["steps"]:
        assert step["say"].endswith((".", "?"))
        assert bool(step["moves"]) == step["play"]
        if step["play"]:
            seat, move = step["moves"][0].split(" ", 1)
            assert int(seat) == lesson["seat"]
            table = clew.replay("\n".join([*lesson["record"], "moves:", *made, ""]))
            assert table.to_move == (lesson["seat"],)
            assert move in map(str, table.legal_moves(lesson["seat"])) or not table.game.listed_in_full
        made += step["moves"]
    clew.replay("\n".join([*lesson["record"], "moves:", *made, ""]))


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_can_be_followed_to_its_end(web: Any, game: str) -> None:
    page = web(PHONE)
    page.goto(f"/learn/{game}")
    for _ in range(9):
        page.locator(".teacher .button").first.wait_for()
        said = page.locator(".teacher p").first.inner_text()
        if page.get_by_role("button", name="From the start").count():
            break
        if page.get_by_role("button", name="Go on").count():
            page.get_by_role("button", name="Go on").click()
        else:
            page.get_by_role("button", name="Show me").click()
            follow(page, game)
        page.wait_for_function("said => document.querySelector('.teacher p').innerText !== said", arg=said)
    assert faults(page) == []
    page.get_by_role("button", name="Play a real game").click()
    page.wait_for_url("**/t/*")
    page.locator("[data-board]").wait_for()
    assert page.locator("h1").inner_text() == GAMES[game]


def follow(page: Any, game: str) -> None:
    """Do what the lesson shows."""
    if game == "palaces":
        page.locator(".hinted").click()
    elif game == "ariadne":
        page.locator(".free.hinted").click()
    elif game == "cardtracks":
        page.locator(".aim.hinted").click()
    elif game == "labyrinth":
        page.locator(".does .first").click()
    else:
        page.get_by_role("button", name="Lay it so").click()
        page.get_by_role("button", name="End turn").click()
