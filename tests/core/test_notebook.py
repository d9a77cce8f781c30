"""Tables in notebooks: pictures that show what a chair sees, need nothing from anywhere, and can always be read."""

import copy
import pickle
import random
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from two_worlds import CHAIR, two_worlds

import clew
from clew.bots.arena import Arena
from clew.core import notebook
from clew.core.errors import BadOption, BadRules, BadView, IllegalMove, UnknownGame
from clew.core.game import load
from clew.core.table import new_from_deal

PEBBLES = Path(__file__).parent / "pebbles"
SVG = "{http://www.w3.org/2000/svg}"


def played(game, moves=30, seed=3, **more):
    table, luck = clew.new(game, seed=seed, **more), random.Random(1)
    while table.to_move and table.length < moves:
        seat = table.to_move[0]
        table.make(luck.choice(table.legal_moves(seat)), seat)
    return table


def pictures_of(table):
    views = [clew.picture(table.view(chair), game=table.game) for chair in (None, 0)]
    return [table.picture(None), table.picture(0), *views]


def test_a_game_without_a_picture_of_its_own_has_one(interpreted):
    table = played(PEBBLES, moves=2)
    assert [str(picture) for picture in pictures_of(table)[:2]] != ["", ""]
    assert str(clew.picture(table.record(), game=PEBBLES)) == str(clew.picture(table.record(), game=table.game))
    with pytest.raises(UnknownGame):
        clew.picture(table.view(0))
    with pytest.raises(BadView, match="is of the game 'pebbles', and the one given is 'palaces'"):
        clew.picture(table.view(0), game="palaces")


@pytest.mark.parametrize("game", clew.games())
def test_pictures_need_nothing_from_anywhere_and_are_well_formed(game):
    for picture in pictures_of(played(game, names=["<b>Ann & Co</b>", "Cat"])):
        svg, html = picture.svg(), picture.html()
        for text in (svg.replace(SVG[1:-1], ""), html):
            assert not re.search(r"https?:|//|@import|url\(|<script|href", text)
            assert "<b>" not in text
        root = ElementTree.fromstring(svg)
        assert root.get("role") == "img"
        assert [one.text for one in root.iter(f"{SVG}title")] == [picture.title]
        ElementTree.fromstring(html)
        said = "".join(ElementTree.fromstring(html).find("pre").itertext())
        assert [line.rstrip() for line in said.splitlines()] == str(picture).splitlines()


@pytest.mark.parametrize("game", clew.games())
def test_every_colour_can_be_read_by_day_and_by_night(game):
    for text in [picture.html() for picture in pictures_of(played(game))]:
        style = re.search(r"<style>(.*)</style>", text)[1]
        day, night = style.split("@media (prefers-color-scheme: dark)")
        for rules in (day, night):
            card = re.search(r"background:(#\w{6});color:(#\w{6})", rules).groups()
            pairs = [card]
            for found in re.finditer(r" \.w\d+\{color:(#\w{6})(?:;background:(#\w{6}))?", rules):
                pairs.append((found[1], found[2] or card[0]))
            assert len(pairs) > 2
            for one, other in pairs:
                assert notebook._contrast(notebook._rgb(one), notebook._rgb(other)) >= 4.5


def test_a_table_shows_what_somebody_sees_who_only_watches():
    table = played("palaces", names=["Ann", "Cat"])
    assert table._repr_html_() == table.picture(None).html()
    assert "your hand" not in str(table.picture())
    assert "The Lost Palaces, as Ann sees it" in str(table.picture(0))
    assert "your hand" in str(table.picture(0))
    assert str(clew.picture(table.view(1), names=table.names)) == str(table.picture(1))
    with pytest.raises(BadOption, match="There is no seat 2"):
        table.picture(2)


@pytest.mark.parametrize("game", clew.games())
def test_two_worlds_that_look_alike_have_the_same_pictures(game):
    deals, moves = two_worlds(game)
    tables = [new_from_deal(load(game), 2, None, deal) for deal in deals]
    for at, (seat, move) in enumerate(moves):
        if at % 10 == 0:
            for chair in (CHAIR, None):
                one, other = (table.picture(chair) for table in tables)
                assert one.svg() == other.svg()
                assert one.html() == other.html()
        for table in tables:
            table.make(move, seat)
    one, other = (table._repr_html_() for table in tables)
    assert one == other


def test_a_view_is_not_changed_by_its_picture():
    view = played("cardtracks", names=["Ann", "Cat"]).view(0)
    before = copy.deepcopy(view)
    clew.picture(view, names=["Ann", "Cat"])
    assert view == before


def test_a_record_is_told_and_its_end_is_shown():
    table = played("cardtracks", moves=1000)
    picture = clew.picture(table.record())
    assert "Checked: places" in str(picture)
    assert str(picture).count("\n") > table.length
    assert "<svg" in picture._repr_svg_()


def test_an_arenas_result_is_a_picture():
    arena = Arena("cardtracks", ["random", "greedy"], 8, seed=1)
    arena.run()
    assert arena.finished
    assert "greedy" in arena._repr_html_()
    assert str(clew.picture(arena)) == str(arena.picture())


def test_what_is_no_picture_is_refused():
    for thing, error in ((7, BadOption), ({"game": "palaces"}, BadView), ("nonsense", ValueError)):
        with pytest.raises(error):
            clew.picture(thing)
    with pytest.raises(BadOption, match="20 to 1000 characters wide"):
        played("palaces").picture(0, width=3)


# Copies


def same(one, other):
    """Whether two tables are the same to everybody."""
    chairs = [None, *range(one.players)]
    return (one.record(), one.names, one.to_move) == (other.record(), other.names, other.to_move) and all(
        one.view(chair) == other.view(chair) and one.events(chair) == other.events(chair) for chair in chairs
    )


WAYS = [copy.copy, copy.deepcopy, lambda table: pickle.loads(pickle.dumps(table))]


@pytest.mark.parametrize("game", clew.games())
@pytest.mark.parametrize("way", WAYS, ids=["copy", "deepcopy", "pickle"])
def test_a_copy_is_the_same_table_and_goes_its_own_way(game, way):
    table = played(game, moves=12, names=["Ann", "Cat"])
    twin = way(table)
    assert same(table, twin)
    before = table.record()
    move = twin.legal_moves(twin.to_move[0])[0]
    twin.play(move, twin.to_move[0])
    assert table.record() == before
    table.play(pickle.loads(pickle.dumps(move)), table.to_move[0])
    assert same(table, twin)


def test_a_choice_under_way_stays_secret_in_a_pickle():
    for seed in range(40):
        table, luck = clew.new("cardtracks", seed=seed), random.Random(seed)
        while table.to_move and len(table.to_move) < 2:
            table.make(luck.choice(table.legal_moves(table.to_move[0])), table.to_move[0])
        if table.to_move:
            break
    table.make(table.legal_moves(0)[1], 0)
    twin = pickle.loads(pickle.dumps(table))
    assert twin.to_move == (1,)
    assert same(table, twin)
    for one in (table, twin):
        one.make(one.legal_moves(1)[0], 1)
    assert same(table, twin)


def test_a_table_that_was_dealt_by_hand_or_with_a_salt_is_pickled_too():
    salted = clew.new("palaces", seed=5, salt="ab12")
    assert same(salted, pickle.loads(pickle.dumps(salted)))
    by_hand = new_from_deal(load("palaces"), 2, None, salted.deal_lines(), ["Ann", "Cat"])
    assert by_hand.seed is None
    assert same(by_hand, pickle.loads(pickle.dumps(by_hand)))


def test_a_deep_copy_has_its_own_options():
    table = clew.new("cardtracks", seed=1)
    copy.deepcopy(table).options["tracks"] = 5
    assert table.options["tracks"] == 3


def test_the_table_of_a_game_in_a_folder_names_the_folder(tmp_path, interpreted):
    folder = tmp_path / "pebbles"
    shutil.copytree(PEBBLES, folder)
    table = played(folder, moves=2)
    pickled = pickle.dumps(table)
    assert str(folder).encode() in pickled
    assert same(table, pickle.loads(pickled))
    shutil.rmtree(folder)
    with pytest.raises(UnknownGame, match="There is no game at"):
        pickle.loads(pickled)


def test_a_pickle_that_was_changed_is_played_by_the_rules(monkeypatch):
    table = played("palaces", moves=4)
    with pytest.raises(IllegalMove):
        pickle.loads(pickle.dumps(table).replace(str(table.moves[3][1]).encode(), b"Z" * len(str(table.moves[3][1]))))
    pickled = pickle.dumps(table)
    monkeypatch.setattr(table.game, "version", 9)
    with pytest.raises(BadRules, match="pickled with rules 1 of The Lost Palaces; here are rules 9"):
        pickle.loads(pickled)
