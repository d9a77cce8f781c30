"""Whole games through the public surface: nobody is ever shown a written move or the code of a card."""

import random
import re

import pytest
from codes import codes, names_of

import clew
from clew import CannotUndo, IllegalMove

TABLES = {
    "palaces": [{}],
    "cardtracks": [{}, {"tracks": 5, "track_length": 3, "lanes": "shared"}],
    "labyrinth": [{}, {"labyrinth": "one_piece", "hand": 3}],
    "ariadne": [{"rounds": 1, "max_rounds": 2}],
    "aathenuo": [{"colours": 3, "copies": 1, "hand": 5, "must_play": "free"}],
}
YOU = re.compile(r"\b[Yy]our?s?\b")
NAMES = ["Ann", "Zeus", "Io"]


def games():
    return [
        pytest.param(game, options, id=f"{game}-{i}") for game, all in TABLES.items() for i, options in enumerate(all)
    ]


def table(game, options, seed):
    low, high = {"labyrinth": (2, 3), "aathenuo": (2, 3)}.get(game, (2, 2))
    players = high if seed % 2 else low
    return clew.new(game, players=players, seed=seed, options=options, names=NAMES[:players])


def whole(game, options, seed):
    """A game played to its end at random: the table before each move with the move, then the last table."""
    t, chance = table(game, options, seed), random.Random(seed)
    while t.to_move:
        seat = t.to_move[0]
        moves = t.legal_moves(seat)
        move = chance.choice(moves[:-1] or moves)  # of a few, not the one that gives up: to draw or to pass
        yield t, seat, move
        t = t.copy()
        t.make(move, seat)
    yield t, None, None


@pytest.mark.parametrize(("game", "options"), games())
def test_no_code_is_told_said_or_refused(game, options):
    code, chance, forms, heard = codes(game), random.Random(1), set(), set()
    for seed in (1, 2):
        for t, seat, move in whole(game, options, seed):
            texts = []
            for chair in (None, *range(t.players)):
                plain = [str(event) for event in t.events(chair, t.length)]
                spoken = [str(event) for event in t.events(chair, t.length, you=True)]
                assert not any(map(YOU.search, plain))  # nobody is spoken to unasked
                assert chair is not None or spoken == plain
                if chair is not None:
                    assert not any(re.search(rf"\b{NAMES[chair]}\b", text) for text in spoken)
                texts += plain + spoken
            if seat is not None:
                legal = t.legal_moves(seat)
                forms |= {(str(one), seat) for one in legal[:40]}
                for one in [move, *chance.sample(legal, min(6, len(legal)))]:
                    texts += t.say(one, seat)
                    assert t.say(str(one), seat) == t.say(one, seat)
                tried = [one for one in sorted(forms) if one[1] < t.players]
                for form, whose in chance.sample(tried, min(12, len(tried))):
                    try:
                        t.judge(form, whose)
                    except IllegalMove as error:
                        heard.add(error.rule)
                        texts += [error.reason, *(fault["text"] for fault in error.faults)]
            with pytest.raises((CannotUndo, IllegalMove)) if t.length else pytest.raises(CannotUndo) as refused:
                t.check_undo((t.moves[-1][0] + 1) % t.players if t.moves else None)
            texts.append(str(refused.value))
            for text in texts:
                assert not code.search(text), text
    assert heard - {"COM-08"}
    assert "COM-06" not in heard  # how to write a move is told to those who write


@pytest.mark.parametrize("game", TABLES)
def test_the_codes_are_found_where_they_are(game):
    t = table(game, TABLES[game][0], 1)
    for seat in t.to_move:
        for move in t.legal_moves(seat):
            if str(move) not in ("keep", "draw", "pass"):
                assert codes(game).search(f"The Owl would play {move}.")
    for name in names_of(game):
        assert codes(game).search(f"You draw {name}.")
    assert not codes(game).search("You draw 3 cards: Cat 12, you 7, and −10 points (55 %).")


@pytest.mark.parametrize(("game", "options"), games())
def test_different_moves_are_said_differently_unless_they_come_to_the_same(game, options):
    """Who asks for a hint can tell the moves apart, by the short form too."""
    for t, seat, _ in whole(game, options, 3):
        if seat is None or game == "aathenuo":  # where the cells are many, and all places alike
            continue
        said = {}
        for one in t.legal_moves(seat):
            for form in {*t.say(one, seat)}:
                said.setdefault(form, set()).add(str(one))
        same = [forms for forms in said.values() if len(forms) > 1]
        assert not same, same


@pytest.mark.parametrize("game", ["palaces", "cardtracks"])
def test_reviews_speak_in_words(game):
    from clew.bots.review import Review

    last = None
    for t, seat, _ in whole(game, TABLES[game][0], 1):
        last = t
        if seat is None or t.length == 8:
            break
    review = Review(last, last.moves, level=1)
    assert review.moves
    for reviewed in review.moves:
        for text in (reviewed.said, reviewed.best_said):
            assert text
            assert not codes(game).search(text)
    assert {"said", "best_said"} <= review.json()["moves"][0].keys()
