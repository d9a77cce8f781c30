"""Which generator has dealt a table: its record says so, and records that say nothing are dealt as they always were."""

import hashlib

import pytest

import clew
from clew import BadOption, BadRecord
from clew.core.commitments import lines, verify
from clew.core.kernels import interpreted, jitted
from clew.core.rng import stream
from clew.core.table import set_up

GAMES = ("aathenuo", "ariadne", "cardtracks", "labyrinth", "palaces")
DEALT = {  # the hash of the record of a table before its first move, seed 7: without a salt, and with the salt 00ff
    "aathenuo": ("c92445fb44a0100d", "4392da43c7cf8d30"),
    "ariadne": ("aecd2af4605a48e8", "af4ab0296d363bd3"),
    "cardtracks": ("7c7faede6f89fe44", "47be6d1377eae7f3"),
    "labyrinth": ("3c303c3491e2d8f7", "9599c695609ece14"),
    "palaces": ("53577ae9ae3ab727", "1b85970b7ec46127"),
}


def opening(game, salt=None):
    return clew.new(game, seed=7, salt=salt).record()


def some_game(salt="00ff", moves=None):
    t = clew.new("palaces", seed=11, salt=salt)
    while t.to_move and (moves is None or len(t.moves) < moves):
        legal = t.legal_moves()
        t.play(legal[(7 * len(t.moves)) % len(legal)])
    return t.record()


FINISHED, OPEN = some_game(), some_game(moves=20)


def promised(text=FINISHED, salt="00ff"):
    """The record of a server: with the lines that open the commitment."""
    first, rest = text.split("\n", 1)
    return "\n".join([first, *lines(11, salt), rest])


def fault(text, check=clew.replay):
    with pytest.raises(BadRecord) as error:
        check(text)
    assert "\n" not in str(error.value)
    return error.value


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("salt", [None, "00ff"])
def test_a_seed_deals_the_same_cards_forever(game, salt):
    record = opening(game, salt)
    assert hashlib.sha256(record.encode()).hexdigest()[:16] == DEALT[game][salt is not None]
    assert clew.replay(record).record() == record
    without_deal = "".join(line for line in record.splitlines(keepends=True) if not line.startswith("deal "))
    assert clew.replay(without_deal).record() == record


@pytest.mark.skipif(not jitted(), reason="nothing is compiled here")
@pytest.mark.parametrize("game", GAMES)
def test_plain_python_deals_the_cards_that_compiled_rules_deal(game):
    table = clew.new(game, seed=7, salt="00ff")
    _, dealt = set_up(table.game, None, {})
    interpreted(table.game.kernels.deal)(dealt[0], stream(7, salt="00ff"))
    assert dealt.tobytes() == table._dealt.tobytes()


@pytest.mark.parametrize("text", [FINISHED, OPEN], ids=["finished", "open"])
def test_a_record_with_a_generator_replays_to_itself(text):
    assert text.splitlines()[5:7] == ["seed: 11", "generator: chacha20 00ff"]
    assert clew.replay(text).record() == text
    assert clew.replay(text).afresh().record() == text[: text.index("moves:\n")] + "moves:\n"
    assert clew.replay(text).copy().record() == text


def test_every_salt_deals_other_cards():
    deals = {str(clew.new("palaces", seed=11, salt=salt).deal_lines()) for salt in (None, "0", "00", "00ff", "f" * 128)}
    assert len(deals) == 5


@pytest.mark.parametrize(
    "value",
    [
        *("chacha20", "chacha20 00FF", "chacha20 xyz", "chacha2000ff", "chacha8 00ff", "xoshiro128**", "", "00ff"),
        *("chacha20 00ff 00ff", f"chacha20 {'0' * 129}", f"chacha20 {'0' * 7_000}", "chacha20 00\x1b[31m"),
    ],
)
def test_a_generator_that_there_is_not_is_refused_with_its_line(value):
    error = fault(OPEN.replace("chacha20 00ff", value))
    assert error.line == 7
    assert error.reason.startswith("'generator:' wants chacha20 and a salt of 1 to 128 hex digits, not ")
    assert len(str(error)) < 300
    assert str(error).isprintable()


def test_a_generator_is_named_once_and_needs_a_seed():
    line = "generator: chacha20 00ff\n"
    assert "'generator:' is written twice." in fault(OPEN.replace(line, 2 * line)).reason
    error = fault(OPEN.replace("seed: 11\n", ""))
    assert (error.line, "the record has no seed" in error.reason) == (6, True)


@pytest.mark.parametrize("wrong", ["generator: chacha20 00fe\n", ""])
def test_a_deal_by_another_generator_is_not_that_of_the_record(wrong):
    error = fault(OPEN.replace("generator: chacha20 00ff\n", wrong))
    assert "is not what the seed deals." in error.reason


def test_the_salt_of_the_deal_is_that_of_the_commitment():
    assert verify(promised()) == lines(11, "00ff")[0].split()[-1]
    clew.replay(promised())
    error = fault(promised(salt="00fe"), verify)
    assert error.reason == "The deal has another salt than the commitment: it is not the one that was promised."
    assert promised(salt="00fe").splitlines()[error.line - 1] == "generator: chacha20 00ff"
    old = promised(some_game(salt=None))  # dealt by the seed alone
    assert verify(old) == verify(promised())


@pytest.mark.parametrize("salt", ["", "00FF", "xyz", "0" * 129, "00ff\n", b"00ff", 255, [], object()])
def test_what_is_no_salt_is_refused(salt):
    with pytest.raises(BadOption, match="A salt is 1 to 128 hex digits"):
        clew.new("palaces", seed=7, salt=salt)
