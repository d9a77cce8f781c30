"""Observations: what a view says in numbers, turned to the seat, part by part, and nothing else."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from clew.core import kernels
from clew.core.declare import Kind, Pieces, seat_of
from clew.core.game import HOME, load
from clew.core.knowledge import dream, look
from clew.core.observe import layout_of
from clew.core.rng import below, stream
from clew.core.table import set_up

EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = [*sorted(path.parent.name for path in HOME.glob("*/rules.py")), "dunes", "courtiers", "masks"]


def game_of(name):
    return load(EXAMPLES / name if (EXAMPLES / name).is_dir() else name)


def positions(game, players, count, seed=1):
    """States of random games, each with who is to move."""
    rng, out, found = stream(seed, "positions"), game.moves(game.rules.MOVES), 0
    while found < count:
        states = set_up(game, players, None)[1].copy()
        game.kernels.deal(states[0], rng)
        game.kernels.start(states[0])
        while (seat := int(game.kernels.mover(states[0]))) >= 0 and found < count:
            if below(rng, 3) == 0:
                yield states, seat
                found += 1
            game.kernels.apply(states[0], seat, out[below(rng, game.kernels.quick(states[0], seat, out))])


def sparse(layout, v, observe=None):
    """The features that were written, as pairs."""
    ids, values = np.full(layout.most, -1), np.zeros(layout.most, np.float32)
    count = (observe or layout.observe)(v, ids, values)
    return ids[:count], values[:count]


def dense(layout, v):
    """All features, those that come several times added up."""
    full = np.zeros(layout.size)
    np.add.at(full, *sparse(layout, v))
    return full


@pytest.mark.parametrize("name", GAMES)
def test_features_stay_within_the_layout_and_come_out_the_same_un_compiled(name):
    game = game_of(name)
    layout = layout_of(game)
    plain = kernels.interpreted(layout.observe)
    for players in sorted({game.players[0], game.players[1]}):
        for k, (states, seat) in enumerate(positions(game, players, 24)):
            v = look(game, states, seat)[0]
            ids, values = sparse(layout, v)
            assert len(ids) <= layout.most - 4
            assert ids.min() >= 0
            assert ids.max() < layout.size
            assert np.isfinite(values).all()
            assert layout.name(int(ids[k % len(ids)]))
            if k < 4:
                again = sparse(layout, v, plain)
                assert np.array_equal(ids, again[0])
                assert np.array_equal(values, again[1])


@pytest.mark.parametrize("name", GAMES)
def test_worlds_that_a_seat_cannot_tell_apart_give_it_the_same_features(name):
    game, rng = game_of(name), stream(5, "worlds")
    layout = layout_of(game)
    for states, seat in positions(game, game.players[1], 12, seed=2):
        known = look(game, states, seat)
        other = look(game, dream(game, known, rng), seat)
        for a, b in zip(sparse(layout, known[0]), sparse(layout, other[0])):
            assert np.array_equal(a, b)


def test_each_seat_sees_its_own_part_first():
    game = game_of("dunes")
    layout = layout_of(game)
    states = set_up(game, 2, None)[1].copy()
    game.kernels.deal(states[0], stream(3))
    s = states[0]
    s.caravan[0, 0, 0], s.sent[0, 0] = 1, 1  # the amber 2
    s.caravan[1, 2, 0], s.sent[1, 2] = 20, 1  # the coral 5
    turned = states.copy()
    t = turned[0]
    for name in ("caravan", "sent", "hand"):
        getattr(t, name)[:] = getattr(s, name)[::-1]
    seats = [layout.blocks[0].first, layout.blocks[0].first + 1]  # which seat it is in truth is told, too
    mine, theirs = dense(layout, look(game, states, 0)[0]), dense(layout, look(game, turned, 1)[0])
    assert layout.blocks[0].name == "seat"
    assert np.array_equal(np.delete(mine, seats), np.delete(theirs, seats))


def test_parts_that_are_renamed_change_places_and_nothing_else():
    game = game_of("dunes")
    layout = layout_of(game)
    states = set_up(game, 2, None)[1].copy()
    game.kernels.deal(states[0], stream(3))
    s = states[0]
    s.caravan[0, 0, 0], s.sent[0, 0] = 1, 1
    s.sold[4] = 10
    renamed = states.copy()
    r = renamed[0]

    def swapped(card):  # amber and blue
        return card + 8 if 1 <= card <= 8 else card - 8 if 9 <= card <= 16 else card

    for field in ("hand", "pile", "sold"):
        row = getattr(r, field)
        row[:] = np.vectorize(swapped)(getattr(s, field))
    r.hand.sort(axis=1)
    for seat in range(2):
        for field in ("caravan", "sent"):
            getattr(r, field)[seat, [0, 1]] = getattr(s, field)[seat, [1, 0]]
    r.caravan[0, 1, 0] = swapped(int(s.caravan[0, 0, 0]))
    before, after = dense(layout, look(game, states, 0)[0]), dense(layout, look(game, renamed, 0)[0])
    whole, group = layout.groups
    assert group.labels == ("amber", "blue", "coral", "dusk")
    assert np.array_equal(before[: whole.size], after[: whole.size])
    parts = before[group.first :].reshape(4, -1), after[group.first :].reshape(4, -1)
    last = [b.first + i for b in layout.blocks if b.name == "hand last" for i in range(b.size)]
    assert np.array_equal(np.delete(parts[0][[1, 0, 2, 3]], last, 1), np.delete(parts[1], last, 1))


def test_what_was_not_seen_is_counted():
    game = game_of("courtiers")
    layout = layout_of(game)
    states = set_up(game, 2, None)[1].copy()
    game.kernels.deal(states[0], stream(3))
    game.kernels.start(states[0])
    v = look(game, states, 0)[0]
    block = next(b for b in layout.blocks if b.name.endswith("unseen"))
    held = [int(card) for card in v.hand[0] if card]
    copies = np.array(game.rules.COPIES)
    left = copies - np.bincount(held, minlength=6)[1:]
    told = dense(layout, v)[block.first : block.first + block.size]
    assert np.allclose(told * copies.max(), left)


def test_a_seat_is_told_by_its_distance():
    assert isinstance(seat_of(3), Kind)
    assert not isinstance(seat_of(3), Pieces)
    game = game_of("courtiers")
    layout = layout_of(game)
    block = next(b for b in layout.blocks if b.name == "turn")
    states = set_up(game, 4, None)[1].copy()
    game.kernels.deal(states[0], stream(3))
    game.kernels.start(states[0])
    states[0].turn = 2
    for seat in range(4):
        told = dense(layout, look(game, states, seat)[0])[block.first : block.first + block.size]
        assert told.tolist() == [float(r == (2 - seat) % 4) for r in range(block.size)]


def test_what_only_repeats_other_fields_is_left_out():
    layout = layout_of(game_of("palaces"))
    assert not any(block.name == "log" for block in layout.blocks)


@pytest.fixture
def altered(tmp_path):
    """An example with one more field."""

    def altered(name, field):
        folder = tmp_path / name
        shutil.copytree(EXAMPLES / name, folder, ignore=shutil.ignore_patterns("__pycache__", "*.npz"))
        text = (folder / "rules.py").read_text()
        head = '    """DUN-05' if name == "dunes" else "    turn = public(SEAT)"
        at = text.index("\n", text.index(head)) + 1
        (folder / "rules.py").write_text(f"{text[:at]}    {field}\n{text[at:]}")
        return load(folder)

    return altered


def test_the_cells_of_a_square_are_told_as_those_of_any_other_grid(altered):
    game = altered("dunes", "square = public(CARD, 5, 5)")
    layout = layout_of(game)
    states = set_up(game, 2, None)[1].copy()
    bare = dense(layout, look(game, states, 0)[0])
    states[0].square[3, 1] = 9  # the blue 2
    told = dense(layout, look(game, states, 0)[0]) - bare
    names = {layout.name(int(i)) for i in np.flatnonzero(told)}
    assert {name for name in names if "square" in name} == {n for n in names if "[3]" in n or "unseen" in n} != set()


def test_a_seat_that_can_be_one_of_a_few_is_told_by_its_distance_too(altered):
    game = altered("courtiers", "ally = public(seat_of(2))")
    layout = layout_of(game)
    block = next(b for b in layout.blocks if b.name == "ally")
    states = set_up(game, 4, None)[1].copy()
    for seat in range(4):
        told = dense(layout, look(game, states, seat)[0])[block.first : block.first + block.size]
        assert told.tolist() == [float(r == (0 - seat) % 4) for r in range(4)]
