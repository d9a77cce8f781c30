"""The kernels that a game need not write: who moves, how the game ended, places, hands in order, worlds that fit."""

import shutil
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import clew
from clew.core import Pieces, Record, count, own, public, rule, seats, secret, seen
from clew.core.cast import Cast
from clew.core.declare import SEAT, seat_of
from clew.core.derive import derive, made_for
from clew.core.errors import BadDeal, UnknownGame
from clew.core.forms import Form, Moves
from clew.core.game import load
from clew.core.rng import stream
from clew.core.table import new
from clew.core.words import WORDS, complete, default_words

STARTER = Path(clew.__file__).parent / "starter"
IN_TURN = """@rule
def to_move(s: State) -> int:  # STA-02: in turn; bit 0 is seat 0, bit 1 is seat 1
    return 0 if ending(s) else 1 << (s.turns % 2)


"""
STANDING = "    return (int(s.points[seat]),)"


@pytest.fixture
def changed(tmp_path):
    """The starter game with changes."""

    def changed(*changes):
        folder = tmp_path / "game"
        shutil.copytree(STARTER, folder, ignore=shutil.ignore_patterns("__pycache__"))
        text = (folder / "rules.py").read_text()
        for old, instead in changes:
            assert text.count(old) == 1, old
            text = text.replace(old, instead)
        (folder / "rules.py").write_text(text)
        return load(folder)

    return changed


def over(game, seed):
    table = new(game, seed=seed)
    while table.to_move:
        table.make(table.legal_moves()[0])
    return table


def test_a_field_turn_says_who_moves(changed):
    game = changed(
        (IN_TURN, ""),
        ("    turns = public(count(DECK))", "    turns = public(count(DECK))\n    turn = public(count(1))"),
        ("    s.turns += 1", "    s.turns += 1\n    s.turn = seat if s.turns % 3 else 1 - seat"),
    )
    table = new(game, seed=1)
    seats = []
    while table.to_move:
        seats += table.to_move
        table.make(table.legal_moves()[0])
    assert seats == [i // 3 % 2 for i in range(16)]
    assert table.outcome.ended == "pile"


def test_a_field_ended_says_how_the_game_ended(changed):
    game = changed(
        ("    return int(s.turns == DECK - 2 * HAND)", ""),
        ("@rule\ndef ending(s: State) -> int:  # STA-05: 0, or 1 + the index in ENDINGS\n", ""),
        ("0 if ending(s) else", "0 if s.ended else"),
        ("    turns = public(count(DECK))", "    turns = public(count(DECK))\n    ended = public(count(1))"),
        ("    s.turns += 1", "    s.turns += 1\n    s.ended = s.turns == 5"),
    )
    table = over(game, 1)
    assert (table.length, table.outcome.ended) == (5, "pile")


def test_standings_give_the_places_and_their_second_number_breaks_ties(changed):
    table = over(changed((STANDING, "    return (0, seat)")), 1)
    assert (list(table.outcome.scores), list(table.outcome.places)) == ([0, 0], [2, 1])


def test_equal_standings_share_a_place(changed):
    assert list(over(changed((STANDING, "    return (7, 1)")), 1).outcome.places) == [1, 1]


def test_where_a_low_score_wins_so_it_does(changed):
    low = ("TITLE =", "LOW_SCORE_WINS = True\nTITLE =")
    assert list(over(changed((STANDING, "    return (seat,)"), low), 1).outcome.places) == [1, 2]


def test_hands_that_lie_in_order_do_so_from_the_deal_on():
    game = load(STARTER)
    for seed in range(5):
        for hand in new(game, seed=seed)._states[0][0].hand.tolist():
            assert hand == sorted(hand)


def test_what_was_made_is_told_and_what_was_written_is_not():
    made = made_for(load(STARTER).rules)
    assert "def result(s, scores, places):" in made
    assert "def start(s):" in made
    assert "def ending" not in made
    assert "def to_move" not in made


# Small states, as declared


CARD = Pieces("abcdef", 2)


def rules_of(state, **names):
    """A module with such a state, and what follows from it."""
    module = ModuleType("small")
    vars(module).update(__file__=__file__, State=state, MOVE=np.int64, OPTIONS=(), **names)
    derive(module, state)
    return module


def a_state(module, **values):
    states = np.zeros(1, module.STATE).view(np.recarray)
    for name, value in values.items():
        states[name][0] = value
    return states[0]


def test_a_hand_at_the_front_stays_there_when_it_is_put_in_order():
    class State(Record):
        hand = own(CARD, 2, 4, sorted=True)
        back = own(CARD, 2, 4, packed="back", sorted=True)

    module = rules_of(State)
    s = a_state(module, players=2, hand=[[5, 2, 0, 0], [3, 1, 4, 0]], back=[[0, 0, 6, 5], [0, 0, 0, 0]])
    module.start(s)
    assert s.hand.tolist() == [[2, 5, 0, 0], [1, 3, 4, 0]]
    assert s.back.tolist() == [[0, 0, 5, 6], [0, 0, 0, 0]]
    v = np.zeros(1, module.VIEW).view(np.recarray)[0]
    module.view(s, 0, v)
    world = a_state(module)
    module.imagine(v, stream(1, "worlds"), world)
    assert world.hand[1, 3] == 0 < world.hand[1, 0] <= world.hand[1, 1] <= world.hand[1, 2]


def test_one_card_of_each_seat_is_not_exchanged_with_anothers():
    class State(Record):
        card = own(CARD, 2, sorted=True)

    module = rules_of(State)
    s = a_state(module, players=2, card=[5, 2])
    module.start(s)
    assert s.card.tolist() == [5, 2]


@rule
def low_first(s):
    """A rule of how cards lie."""
    return s.row[0] < s.row[1]


@rule
def high_last(s):
    """Another."""
    return s.row[2] > 3


@rule
def never(s):
    """What no world keeps."""
    return False


def test_worlds_keep_all_that_fields_must_fit():
    class State(Record):
        row = secret(CARD, 3, fits="low_first")
        rest = secret(CARD, 3, fits="high_last")

    module = rules_of(State, low_first=low_first, high_last=high_last)
    v = np.zeros(1, module.VIEW).view(np.recarray)[0]
    v.row_count = v.rest_count = 3
    rng, world = stream(1, "worlds"), a_state(module)
    for _ in range(40):
        module.imagine(v, rng, world)
        assert world.row[0] < world.row[1]
        assert world.row[2] > 3


@rule
def above_the_token(s):
    """A rule of how cards lie, by a piece of another kind."""
    return s.row[0] > s.token


def test_what_pieces_must_fit_is_asked_when_all_kinds_are_laid():
    class State(Record):
        row = secret(CARD, 2, fits="above_the_token")
        token = secret(Pieces("xyz"))

    module = rules_of(State, above_the_token=above_the_token)
    v = np.zeros(1, module.VIEW).view(np.recarray)[0]
    v.row_count, v.token_count = 2, 1
    rng, world = stream(1, "worlds"), a_state(module)
    for _ in range(40):
        module.imagine(v, rng, world)
        assert world.row[0] > world.token > 0


def test_who_is_not_at_the_table_has_no_number():
    class State(Record):
        bid = own(count(9, 1), seats(4), dealt=True)

    module = rules_of(State)
    v = np.zeros(1, module.VIEW).view(np.recarray)[0]
    v.seat, v.players, v.bid = 0, 2, 9
    rng, drawn = stream(1, "worlds"), set()
    for _ in range(40):
        world = a_state(module)
        module.imagine(v, rng, world)
        assert world.bid.tolist() == [9, world.bid[1], 0, 0]
        drawn.add(int(world.bid[1]))
    assert len(drawn) > 5


def test_a_view_that_no_world_fits_is_an_error():
    class State(Record):
        row = secret(CARD, 3, fits="never")

    module = rules_of(State, never=never)
    v = np.zeros(1, module.VIEW).view(np.recarray)[0]
    v.row_count = 3
    with pytest.raises(ValueError, match="no world fits"):
        module.imagine(v, stream(1, "worlds"), a_state(module))


def test_the_fields_that_name_seats_are_told_as_far_as_a_chair_sees_them():
    class State(Record):
        turn = public(SEAT)
        won_by = public(seat_of(3, nobody=True), 4)
        prey = own(seat_of(3), 3)
        thief = secret(SEAT)
        left = public(count(9))

    module = rules_of(State)
    seat_fields = default_words(module, None)["seat_fields"]
    assert seat_fields(2) == {"turn": 0, "won_by": 1, "prey": 0}
    assert seat_fields(None) == {"turn": 0, "won_by": 1}, "what is each seat's own is no seat to who watches"
    written = ModuleType("words")
    vars(written).update(dict.fromkeys(WORDS, lambda *given: None))
    assert not hasattr(complete(module, written), "seat_fields"), "its own words may mean another thing by a name"
    del written.describe
    assert hasattr(complete(module, written), "seat_fields")


def test_what_a_view_hides_of_a_number_is_within_its_bounds():
    class State(Record):
        die = seen(count(6, 1), 2, mine=True)
        open = public(count(6, 1))

    assert State.bounds()["die"] == (0, 6)
    assert State.bounds()["open"] == (1, 6)


def test_the_first_axis_of_what_is_each_seats_own_are_the_seats():
    class State(Record):
        hand = own(CARD, 2, 3)

    assert State.declared["hand"].axes[0].role == "seats"
    with pytest.raises(UnknownGame, match="its first axis must be the seats"):

        class Other(Record):
            hand = own(CARD)


@pytest.mark.parametrize(
    ("field", "told"),
    [
        (lambda: secret(count(6), fits="never"), "has `fits`, which is for pieces; numbers have `guess`"),
        (lambda: public(dealt=True), "is dealt, so it needs a kind"),
    ],
)
def test_what_cannot_be_is_refused_when_it_is_declared(field, told):
    with pytest.raises(UnknownGame, match=told):
        type("State", (Record,), {"x": field()})


def test_a_number_below_zero_that_was_dealt_is_read_again():
    class State(Record):
        wind = public(count(3, -3), dealt=True)

    @rule
    def deal(s, rng):
        s.wind = -2

    words = default_words(rules_of(State, deal=deal), None)
    s = a_state(rules_of(State, deal=deal), players=2, wind=-2)
    lines = words["write_deal"](s)
    assert lines == {"wind": "-2"}
    s.wind = 0
    words["read_deal"](lines, s)
    assert s.wind == -2
    for wrong in ("-4", "--2", "-", "2-"):
        with pytest.raises(BadDeal, match="a number from -3 to 3"):
            words["read_deal"]({"wind": wrong}, s)


@pytest.mark.parametrize(
    ("written", "said", "told"),
    [
        ("{crad}", "", "has no part 'crad'; its parts are card"),
        ("{card}", "play {kard}", "has no part 'kard'"),
        ("play", "", "leaves out its part 'card'"),
    ],
)
def test_a_form_has_the_parts_that_it_names_and_no_others(written, said, told):
    with pytest.raises(UnknownGame, match=told):
        Form(written, said, card=CARD)


def test_a_form_that_is_not_said_is_told_all_the_same():
    class State(Record):
        hand = own(CARD, 2, 2)

    module = rules_of(State)
    module.MOVE = Moves(lay=Form("{card}", card=CARD), example="a")
    told = default_words(module, None)["tell"](a_state(module), 0, module.MOVE.parse("b"), None, Cast(("Ann", "Cat")))
    assert str(told[0]) == "Ann plays b."
