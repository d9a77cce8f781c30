"""A move can be a record: Pebbles written so that a whole turn, several handfuls at once, is one move."""

from pathlib import Path

import pytest

import clew
from clew import CannotUndo, IllegalMove
from clew.core.game import load

pytestmark = pytest.mark.xdist_group("record moves")  # one worker compiles their game for all tests
PEBBLES = Path(__file__).parent / "pebbles"
CHANGES = {
    "rules.py": [
        ("MOVE = np.int64\n", 'MOVE = np.dtype([("lift", np.int64), ("handfuls", np.int64, (3,))])\n'),
        ("MOVES = 4", "MOVES = 40"),
        (
            "    if move == LIFT:\n        return LIFTED if s.lifted[seat] else LEGAL\n"
            "    return LEGAL if 1 <= move <= min(3, s.heap - s.taken) else TOO_MANY\n",
            "    if move.lift:\n        return LIFTED if s.lifted[seat] else LEGAL\n"
            "    return LEGAL if 1 <= total(move) <= min(3, s.heap - s.taken) else TOO_MANY\n",
        ),
        (
            "    for move in range(MOVES):\n        if refusal(s, seat, move) == LEGAL:\n"
            "            out[count] = move\n            count += 1\n",
            "    for code in range(28):\n        out[count].lift = code == 27\n        for i in range(3):\n"
            "            out[count].handfuls[i] = code // 3**i % 3 if code < 27 else 0\n"
            "        if refusal(s, seat, out[count]) == LEGAL:\n            count += 1\n",
        ),
        (
            "    s.taken += move\n    if move == LIFT:\n",
            "    s.taken += total(move)\n    if move.lift:\n",
        ),
        (
            "@rule\ndef refusal(",
            "@rule\ndef total(move):\n    return move.handfuls[0] + move.handfuls[1] + move.handfuls[2]\n\n\n"
            "@rule\ndef refusal(",
        ),
    ],
    "words.py": [
        (
            '    return f"take {move}" if move else "lift"\n',
            '    return "lift" if move.lift else "take " + " ".join(map(str, move.handfuls))\n',
        ),
        ("from clew.core import Event,", "from .rules import MOVE\nfrom clew.core import Event, record,"),
        (
            '    if text == "lift":\n        return 0\n    if text in ("take 1", "take 2", "take 3"):\n'
            "        return int(text[-1])\n",
            "    move = record(MOVE)\n"
            '    if text == "lift":\n        move.lift = 1\n        return move\n'
            '    if text.startswith("take ") and len(text) == 10 and set(text[5::2]) <= set("012"):\n'
            "        move.handfuls[:] = [int(n) for n in text[5::2]]\n        return move\n",
        ),
        (
            "    if move:\n        what = f\"{cast.does(seat, 'take')} {move}\"",
            "    if not move.lift:\n        what = f\"{cast.does(seat, 'take')} {move.handfuls.sum()}\"",
        ),
        ('"PEB-01" if move else "PEB-02"', '"PEB-02" if move.lift else "PEB-01"'),
    ],
}


@pytest.fixture(scope="module")
def handfuls(tmp_path_factory):
    folder = tmp_path_factory.mktemp("games") / "handfuls"
    folder.mkdir()
    for name, changes in CHANGES.items():
        text = (PEBBLES / name).read_text()
        for old, new in changes:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        (folder / name).write_text(text)
    return load(str(folder))


def test_a_whole_turn_is_one_move(handfuls):
    t = clew.new(handfuls, seed=1, options={"heap": 5})
    assert "take 1 0 2" in map(str, t.legal_moves())
    assert str(t.play("take 1 0 2")[0]) == "Blue takes 3."
    assert t.view(1)["table"]["heap"] == 2
    assert {str(move) for move in t.legal_moves()} == {
        *("lift", "take 1 0 0", "take 0 1 0", "take 0 0 1", "take 2 0 0", "take 0 2 0", "take 0 0 2"),
        *("take 1 1 0", "take 1 0 1", "take 0 1 1"),
    }


def test_moves_of_the_list_can_be_played_and_kept(handfuls):
    t = clew.new(handfuls, seed=1)
    moves = t.legal_moves()
    twins = [t.copy() for _ in moves]
    for twin, move in zip(twins, moves):
        twin.play(move)
    assert [str(twin.moves[0][1]) for twin in twins] == [str(move) for move in moves]


def test_such_moves_are_refused_taken_back_and_replayed(handfuls):
    t = clew.new(handfuls, seed=1)
    with pytest.raises(IllegalMove, match="There are not so many pebbles"):
        t.play("take 2 2 0")
    t.play("take 0 0 1")
    t.undo()
    t.play("take 0 2 0")
    t.play("lift")
    with pytest.raises(CannotUndo):
        t.undo()
    assert clew.replay(t.record(), handfuls).record() == t.record()


def test_random_play_in_the_kernels(handfuls):
    from clew.core.rng import stream

    states = handfuls.states(2)
    states[0] = handfuls.blank({"heap": 5}, 2)[0]
    out = handfuls.moves(handfuls.rules.MOVES)
    assert 200 <= handfuls.kernels.random_games(100, states, stream(1), out) <= 700
