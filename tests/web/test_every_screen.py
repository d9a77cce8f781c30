"""Every page and board state, at the sizes that people have, by day and by night: `screens.py` says what a fault is."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import ROOT, Server
from players import GAMES
from screens import EACH_KIND, ONCE_AT, SIZES, deal_tables, look, resize, screens_of, sit_down, sizes_for, walk


@pytest.mark.parametrize("game", GAMES)
def test_no_screen_has_a_fault(web: Any, server: Server, game: str) -> None:
    played = deal_tables(server, game)
    page = sit_down(web, server, played)
    found: dict[str, list[str]] = {}
    for screen in screens_of(game):
        resize(page, "1280x800")
        screen.show(page, played)
        for size, faults in walk(page, sizes_for(game, screen.state)).items():
            for fault in faults:
                found.setdefault(f"{game}/{screen.state}: {fault}", []).append(size)
    assert not found, "\n".join(f"{fault} | {', '.join(sizes)}" for fault, sizes in found.items())


def test_styles_ask_for_the_scheme_in_colours_only() -> None:
    """Then what lies where is the same by night, and is looked at by day alone."""
    for file in (ROOT / "web" / "src").rglob("*"):
        if file.suffix in (".css", ".svelte", ".ts"):
            assert "prefers-color-scheme" not in file.read_text(encoding="utf-8"), file.name


TABLE = """<!doctype html><style>
  * {{ box-sizing: border-box; margin: 0 }}
  body {{ font: 16px sans-serif }}
  button {{ min-width: 48px; min-height: 48px }}
  main {{ height: 100vh; display: grid; grid-template: 1fr 90px / minmax(0, 1fr); overflow: hidden }}
  .hand {{ display: flex }}
  .short {{ width: 60px; overflow: hidden; white-space: nowrap }}
  .dots {{ text-overflow: ellipsis }}
  {style}
</style>
<main data-board>
  <div class="area">{more}</div>
  <div class="hand"><button>one</button><button>two</button></div>
</main>"""

PLANTED = {  # what is planted: style, more of the page, and the kind of fault
    "nothing": ("", "", None),
    "a clipped hand": (".hand button { margin-top: 70px }", "", "outside"),
    "a hand below the window": ("main { height: 120vh } body { height: 100vh; overflow: hidden }", "", "outside"),
    "a button on another": ("", '<button>below</button><button style="margin-left: -30px">above</button>', "overlap"),
    "a panel on a button": (
        ".area p { position: absolute; inset: 0 }",
        "<button>below</button><p>panel</p>",
        "overlap",
    ),
    "cards that hide each other": (".hand button { width: 60px; margin-right: -50px }", "", "overlap"),
    "cards in a fan": (".hand button { width: 60px; margin-right: -30px }", "", None),
    "small text": ("", '<p style="font-size: 11px">small</p>', "small"),
    "text that a transform makes small": ("", '<p style="scale: 0.5">small</p>', "small"),
    "small text in a picture": (
        "",
        '<svg width="50" viewBox="0 0 9 9"><text y="5" font-size="2">2</text></svg>',
        "small",
    ),
    "cut text": ("", '<p class="short">a long sentence</p>', "cut"),
    "an ellipsis without the whole": ("", '<p class="short dots">a long sentence</p>', "cut"),
    "an ellipsis with the whole": ("", '<p class="short dots" title="a long sentence">a long sentence</p>', None),
    "a small target": ("", '<button style="min-height: 30px; height: 30px">low</button>', "target"),
    "a link in a sentence": ("", '<p>Read <a href="/">this</a> first.</p>', None),
    "a page that scrolls sideways": ("main { width: 120vw } ", "", "scroll"),
    "a box that scrolls sideways": (".area { overflow: auto }", '<p style="width: 500vw">wide</p>', "scroll"),
    "text wider than its button": (
        "",
        '<button style="width: 48px; white-space: nowrap"><span>Undo it all</span></button>',
        "cut",
    ),
    "text on text": ("", '<p>one line of words</p><p style="margin-top: -14px">another line</p>', "overlap"),
    "a box that hides that it scrolls": (
        ".area { overflow: auto; height: 300px }",
        '<p style="height: 500px">high</p>',
        "edge",
    ),
    "a box with a soft edge": (
        ".area { overflow: auto; height: 300px; mask: linear-gradient(#000 90%, transparent) }",
        '<p style="height: 500px">high</p>',
        None,
    ),
    "advice out of view": (
        ".area { overflow: auto; height: 300px; mask: linear-gradient(#000 90%, transparent) }",
        '<p style="height: 500px">high</p><button data-advised>here</button>',
        "outside",
    ),
    "a hand that scrolls out of view": (
        "main { overflow: auto; grid-template-rows: 1000px 90px; mask: linear-gradient(#000 90%, transparent) }",
        "",
        "outside",
    ),
    "a cloth that is a strip": (
        ".cloth { height: 60px; overflow: hidden }",
        '<div class="cloth"><button>tile</button></div>',
        "outside",
    ),
}


@pytest.mark.parametrize("plant", PLANTED)
def test_a_planted_fault_is_caught(web: Any, plant: str) -> None:
    style, more, kind = PLANTED[plant]
    page = web()
    resize(page, "390x844")
    page.set_content(TABLE.format(style=style, more=more))
    found = look(page)
    assert (kind is None) == (not found), found
    assert kind is None or kind in {fault.split(":")[0] for fault in found}, found


def test_a_board_that_drowns_is_caught(web: Any) -> None:
    page = web()
    for share, drowns in ((0.4, True), (0.8, False)):
        resize(page, "1920x1080")
        piece = f'<svg style="width: {share * 100}%; height: {share * 100}%"><rect width="9" height="9"/></svg>'
        page.set_content(TABLE.format(style=".area { min-height: 0 } svg { display: block }", more=piece))
        assert any(fault.startswith("unused") for fault in look(page)) == drowns


def test_a_fault_planted_in_a_real_table_is_caught(web: Any, server: Server) -> None:
    played = deal_tables(server, "cardtracks")
    page = sit_down(web, server, played)
    resize(page, "390x844")
    screens_of("cardtracks")[2].show(page, played)
    before = set(look(page))
    page.locator("[data-board]").evaluate("board => (board.style.translate = '0 300px')")
    page.locator("nav button").nth(1).evaluate("button => (button.style.marginLeft = '-70px')")
    kinds = {fault.split(":")[0] for fault in set(look(page)) - before}
    assert {"outside", "overlap"} <= kinds


def test_the_sizes_are_those_that_people_have() -> None:
    assert {(320, 568), (844, 390), (640, 400), (768, 1024), (2560, 1440)} <= {*SIZES.values()}
    assert {*EACH_KIND} < {*SIZES}
    assert {sizes_for(game, "middle") for game in GAMES} == {sizes_for(ONCE_AT, "rules")} == {tuple(SIZES)}
