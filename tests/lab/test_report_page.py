"""The lab's page is one file that asks for nothing, and shows whatever there is to show."""

import math
import re
from html.parser import HTMLParser

import pytest
from reports import changed, compared, item, items, mean, measure, report, run, seats
from typer.testing import CliRunner

from clew.cli import app
from clew.core.errors import ClewError
from clew.lab.report.page import FILE_BYTES, RECORDS, page
from clew.lab.report.plots import BARS, ROWS, histogram, intervals

HOSTILE = "\"><script>alert(1)</script><img src=x onerror='alert(2)'>{{ 7*7 }}"


class Tags(HTMLParser):
    """The tags of a page, and its text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.words, self.open = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)


def turns(*values, games=400):
    counts = tuple((value, games // len(values)) for value in values)
    return measure("turns", "length", "turns", mean("mean", sum(values) / len(values), 2.0, games), histogram=counts)


@pytest.fixture(scope="module")
def whole():
    shorter = changed("turns", "mean", "turns", -8.3, 0.4, 1e-9)
    cards = items(*(item(f"card {i}", 0.01 * (i - 30), 0.05, games=300) for i in range(60)))
    runs = [run(level, seats(0.52, 400, examples=(3, 14)), turns(20, 30, 45), cards) for level in ("random", "level:3")]
    return report(*runs, comparisons=(compared(shorter),))


def test_the_page_asks_for_nothing_and_runs_no_script(whole):
    found = Tags(page(whole))
    assert not {"script", "iframe", "object", "form", "base"} & {tag for tag, _ in found.tags}
    links = [value for _, attrs in found.tags for key, value in attrs.items() if key in ("href", "src", "action")]
    assert links
    assert all(link.startswith("#") or link == "data:," for link in links)
    assert not any(key.startswith("on") or key == "style" for _, attrs in found.tags for key in attrs)
    policy = next(a["content"] for _, a in found.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none';")
    assert "url(" not in page(whole)


def test_names_of_a_game_are_text_and_nothing_else(whole):
    bad = measure(HOSTILE, "own", "number", mean(HOSTILE, 1.0, 0.5, 400, note=HOSTILE), title=HOSTILE, note=HOSTILE)
    given = report(run("random", bad), title=HOSTILE, game=HOSTILE, options={HOSTILE: HOSTILE})
    found = Tags(page(given, HOSTILE, lambda run, number: HOSTILE))
    assert not {"script", "img"} & {tag for tag, _ in found.tags}
    assert HOSTILE in "".join(found.words)
    shown = compared(changed(HOSTILE, HOSTILE, "share", 0.1, 0.01, 1e-9), other=HOSTILE)
    assert not {"script", "img"} & {tag for tag, _ in Tags(page(report(run(HOSTILE), comparisons=(shown,)))).tags}


def test_a_game_behind_a_figure_is_shown_whole_with_its_command(whole):
    found = page(whole, "./my game", lambda run, number: f"record of {run.name} {number}\n")
    assert 'popovertarget="game-1-14"' in found
    assert "record of level:3 14" in found
    assert "clew lab &#39;./my game&#39; --players 2 --seed 1 --bots level:3 --record 14" in found
    ids = re.findall(r'id="([^"]+)"', found)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'popovertarget="([^"]+)"', found)) <= set(ids)


def test_each_plot_has_its_figures_as_a_table(whole):
    found = page(whole)
    drawn, tables = found.count('<div class="plot">'), found.count("<table>")
    assert drawn == 4  # seats, turns, cards, the variant
    assert tables == 5  # and the histogram
    assert all(f'<th scope="row">card {i}</th>' in found for i in range(60))


def test_the_page_stays_small_whatever_the_game(whole):
    many = items(*(item(f"card with a rather long name {i}", 0.0, 0.1, games=300) for i in range(3000)))
    examples = [seats(0.5, 400, examples=tuple(range(i, i + 5))) for i in range(0, 60, 5)]
    asked = []

    def recorder(run, number):
        asked.append(number)
        return "x" * 50_000

    found = page(report(run("random", many, *examples), run("level:3", many)), recorder=recorder)
    assert len(found.encode()) <= FILE_BYTES
    assert len(asked) <= RECORDS


def test_a_few_games_make_a_card_neither_dead_nor_dominant_on_the_page():
    sure = item("gem", 0.9, 0.05, games=13, n=13)
    judged = items(type(sure)(**{**vars(sure), "note": "dominant"}), games=13)
    assert "<td>dominant</td>" not in page(report(run("random", judged, games=13)))


def test_a_report_of_nothing_is_still_a_page():
    assert "nothing to say yet" in page(report(run("random", games=0, finished=False)))


def test_one_game_is_a_page_too():
    alone = measure("turns", "length", "turns", mean("mean", 40.0, math.inf, 1), games=1)
    found = page(report(run("random", alone, games=1)))
    assert "inf" not in re.sub(r"<[^>]*>|[a-z]+:", "", found.split("<main>")[1]).replace("information", "")
    assert 'x1="-' not in found


def test_a_plot_keeps_the_first_and_the_last_of_many(whole):
    cards = whole.runs[1].measures[2]
    drawn = intervals([(1, "level:3", cards)])
    assert len(drawn.rows) == ROWS
    assert drawn.left_out == 60 - ROWS
    assert (drawn.rows[0].label, drawn.rows[-1].label) == ("card 59", "card 0")
    marks = [mark for row in drawn.rows for mark in row.marks]
    assert all(0 <= mark.low <= mark.at <= mark.high <= 100 for mark in marks)


def test_a_histogram_counts_every_game():
    drawn = histogram([(0, "random", turns(*range(10, 210), games=2000))])
    ((_, _, bars),) = drawn.series
    assert len(bars) <= BARS
    assert sum(bar.games for bar in bars) == 2000
    assert bars[0].low == 10
    assert bars[-1].high >= 209
    assert histogram([(0, "random", turns(84))]) is None


def test_a_page_that_cannot_be_written_is_refused_before_the_first_game(tmp_path, monkeypatch):
    monkeypatch.setattr("clew.lab.command.lab", lambda *given, **named: pytest.fail("A game was played."))
    for out, reason in ((tmp_path / "no" / "lab.html", "No such file"), (tmp_path, "is a folder")):
        found = CliRunner().invoke(app, ["lab", "cardtracks", "--out", str(out)])
        assert isinstance(found.exception, ClewError)
        assert reason in str(found.exception)
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_the_page_and_says_the_words(tmp_path):
    out = tmp_path / "lab.html"
    asked = ["lab", "cardtracks", "--games", "40", "--seed", "1", "--bots", "random", "-m", "length", "--out", str(out)]
    found = CliRunner().invoke(app, asked, catch_exceptions=False)
    assert f"games: {out}" in found.stdout.replace("\n", " ")
    assert "A game at random takes " in found.stdout
    assert "<title>Cardtracks in the lab</title>" in out.read_text()
    assert "clew-record 1" in out.read_text()
    assert list(tmp_path.iterdir()) == [out]
