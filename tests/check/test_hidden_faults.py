"""The kit catches faults of declared games: of what they declare, of what is derived, and of moves made in secret."""

import shutil
from pathlib import Path

import pytest

from clew.check import check_game, imagine_checks
from clew.check.kit import Kit
from clew.check.report import CheckFailed
from clew.check.worlds import Position
from clew.core import derive, table
from clew.core.errors import CannotUndo
from clew.core.events import Event
from clew.core.table import Table

pytestmark = pytest.mark.usefixtures("interpreted")
EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = 6
SHUFFLE = "shuffle(rng, unseen, count)"
COVER = """

@rule
def cover(s: State, seat: int) -> None:
    for i in range(DECK):
        s.pile[i] = int(s.pile[i] > 0)
    for player in range(SEATS):
        for i in range(HAND):
            if player != seat and s.hand[player, i] > 0:
                s.hand[player, i] = 1
"""


def copied(home, game, changes=None, more=""):
    """A copy of an example with other rules."""
    folder = home / game
    shutil.copytree(EXAMPLES / game, folder, ignore=shutil.ignore_patterns("__pycache__"))
    text = (folder / "rules.py").read_text()
    for old, new in (changes or {}).items():
        assert old in text
        text = text.replace(old, new, 1)
    (folder / "rules.py").write_text(text + more)
    return folder


def checked(home, game, check, changes=None, more=""):
    """The verdict of one check on such a copy."""
    (found,) = check_game(str(copied(home, game, changes, more)), GAMES, only=[check]).checks
    return found


@pytest.mark.parametrize(
    "check",
    [
        "views do not leak",
        "views are built by inclusion",
        "imagine is fair",
        "hidden moves stay hidden",
        "undo tells nothing",
        "events name their rules",
    ],
)
def test_a_game_with_hidden_moves_and_no_fault_keeps(check, tmp_path):
    found = checked(tmp_path, "masks", check)
    assert found.ok, found.detail


# A secret that is declared public


PUBLIC_PILE = {'pile = secret(CARD, DECK, packed="back")': "pile = public(CARD, DECK)"}


def test_a_secret_declared_public_is_found_by_a_cover_written_by_hand(tmp_path):
    found = checked(tmp_path, "dunes", "views are built by inclusion", PUBLIC_PILE, COVER)
    assert not found.ok
    assert "`view` reads what `cover` says is hidden" in found.detail


def test_that_cover_agrees_with_what_is_declared_rightly(tmp_path):
    found = checked(tmp_path, "dunes", "views are built by inclusion", more=COVER)
    assert found.ok, found.detail


def test_without_it_nothing_contradicts_the_declaration(tmp_path):
    """The rules are stated once: only the author, or a second statement, knows that the pile is no open display."""
    found = checked(tmp_path, "dunes", "views are built by inclusion", PUBLIC_PILE)
    assert found.ok


# An `imagine` that is derived wrongly


@pytest.mark.parametrize(
    ("instead", "says"),
    [
        ("pass", "always gives the same world"),
        ("unseen[0] = unseen[total - 1]; " + SHUFFLE, "otherwise than the deal does"),
        ("count = count if below(rng, 4) else 1; " + SHUFFLE + "; count = total", "otherwise than the deal does"),
    ],
    ids=["no shuffle", "a piece twice and another left out", "not shuffled every fourth time"],
)
@pytest.mark.parametrize("game", ["masks", "dunes"])
def test_a_derived_imagine_that_is_wrong_is_found(game, instead, says, tmp_path, monkeypatch):
    source = derive.source
    monkeypatch.setattr(derive, "source", lambda *given: source(*given).replace(SHUFFLE, instead))
    found = checked(tmp_path, game, "imagine is fair")
    assert not found.ok
    assert says in found.detail


# Hidden moves that leak


def test_a_view_that_shows_hidden_moves(tmp_path):
    show = {"return s.ended == 1 or s.unmasked[player, stage, place] == 1": "return s.mask[player, stage, place] > 0"}
    found = checked(tmp_path, "masks", "hidden moves stay hidden", show)
    assert not found.ok
    assert "Right after a hidden move of the form 'lay' mask of the view tells another chair '" in found.detail


HALF = {"s.unmasked[player, stage, place] == 1": "s.unmasked[player, stage, place] == 1 or place == 1"}
SHOWN = """

@rule
def shown_at_once(s: State, seat: int, move: int) -> bool:
    return s.laid[seat, stage_of(move)] == PLACES
"""


def test_every_second_hidden_card_that_lies_open(tmp_path):
    found = checked(tmp_path, "masks", "hidden moves stay hidden", HALF)
    assert not found.ok
    assert "mask of the view tells another chair" in found.detail
    assert "what shows is not `hidden`" in found.detail


def test_a_game_may_say_when_a_hidden_move_shows_at_once(tmp_path):
    found = checked(tmp_path, "masks", "hidden moves stay hidden", HALF, SHOWN)
    assert found.ok, found.detail


def test_not_all_of_them_may_show_at_once(tmp_path):
    always = SHOWN.replace("s.laid[seat, stage_of(move)] == PLACES", "True")
    found = checked(tmp_path, "masks", "hidden moves stay hidden", HALF, always)
    assert not found.ok
    assert found.detail.startswith("`shown_at_once` says that all ")


def test_a_public_number_that_tells_something_of_hidden_moves(tmp_path):
    """Who sees that the last mask is low can tell worlds apart that `imagine` takes for alike."""
    laid, low = "        s.laid[seat, stage] += 1\n", "        s.low = int(card_of(move) < 3)\n"
    changes = {"    turn = public(SEAT)\n": "    turn = public(SEAT)\n    low = public(FLAG)\n", laid: laid + low}
    kit = Kit(str(copied(tmp_path, "masks", changes)), GAMES)
    positions = [Position(kit.sampler, played, 1, 1) for played in kit.sample]
    with pytest.raises(CheckFailed, match="as no deal does"):
        _ = [imagine_checks._compare(kit, position, True) for position in positions]


@pytest.mark.parametrize(
    ("check", "says"),
    [("views do not leak", "its legal moves are others"), ("hidden moves stay hidden", "shows in the legal moves")],
)
def test_legal_moves_of_others_that_tell_of_a_hidden_move(check, says, tmp_path):
    full = {"FULL if s.laid[seat, stage] == PLACES": "FULL if s.laid[seat, stage] == PLACES or beaten(s, seat, stage)"}
    beaten = "\n\n@rule\ndef beaten(s: State, seat: int, stage: int) -> bool:\n"
    beaten += "    return stage == 0 and s.laid[seat, 1] == 0 and s.mask[1 - seat, 0, 0] > 6\n"
    found = checked(tmp_path, "masks", check, full, beaten)
    assert not found.ok
    assert says in found.detail


def test_events_that_tell_the_move(tmp_path, monkeypatch):
    events = Table.events

    def leaky(self, seat, since=0, until=None, **how):
        made = [Event("made", str(move), "MAS-02", mover) for mover, move in self._moves[-1:]]
        return events(self, seat, since, until, **how) + made

    monkeypatch.setattr(Table, "events", leaky)
    found = checked(tmp_path, "masks", "hidden moves stay hidden")
    assert not found.ok
    assert "A hidden move shows in the events" in found.detail


def test_a_record_of_the_moves_in_what_players_get(tmp_path, monkeypatch):
    view = Table.view
    monkeypatch.setattr(
        Table, "view", lambda self, *given: view(self, *given) | {"moves": [str(move) for _, move in self._moves]}
    )
    found = checked(tmp_path, "masks", "hidden moves stay hidden")
    assert not found.ok
    assert "A hidden move shows in the view" in found.detail


def test_an_answer_to_undo_that_names_the_move(tmp_path, monkeypatch):
    def leaky(self, seat=None):
        raise CannotUndo(f"{self._moves[-1][1]} stays.")

    monkeypatch.setattr(Table, "check_undo", leaky)
    found = checked(tmp_path, "masks", "hidden moves stay hidden")
    assert not found.ok
    assert "A hidden move shows in the answer to undo" in found.detail


@pytest.mark.parametrize(
    ("reveals", "says"),
    [(False, "showed something can be"), (True, "showed nobody anything cannot be")],
)
def test_an_undo_that_is_wrong_about_what_was_shown(reveals, says, tmp_path, monkeypatch):
    monkeypatch.setattr(table, "reveals", lambda *given: reveals)
    monkeypatch.setattr(table, "may_reveal", lambda *given: reveals)
    found = checked(tmp_path, "masks", "undo tells nothing")
    assert not found.ok
    assert says in found.detail
