"""What an author of a game is told about a mistake: file, line, and what to do."""

import shutil
from pathlib import Path

import pytest

import clew
from clew import UnknownGame
from clew.core import author
from clew.core import game as games
from clew.core.game import HOME, load

STARTER = Path(clew.__file__).parent / "starter"
PEBBLES = Path(__file__).parent / "pebbles"


@pytest.fixture
def changed(tmp_path, interpreted):
    """The starter game, or another, with changes in one file; and the line of the first of them."""

    def changed(*changes, file="rules.py", game=STARTER):
        folder = tmp_path / "game"
        shutil.copytree(game, folder, ignore=shutil.ignore_patterns("__pycache__"))
        text = (folder / file).read_text()
        line = text[: text.index(changes[0][0])].count("\n") + 1
        for old, new in changes:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        (folder / file).write_text(text)
        return folder, line

    return changed


MISTAKES = {
    "a misspelt field": (
        "s.turns += 1",
        "s.trns += 1",
        "a state has no field 'trns'; did you mean 'turns'?",
    ),
    "a field that is read": ("< s.last - s", "< s.lst - s", "a state has no field 'lst'; did you mean 'last'?"),
    "a field of nothing": ("s.turns += 1", "s.xyzzy += 1", "a state has no field 'xyzzy'."),
    "a field of views": ("s.turns += 1", "s.pile_count += 1", "a state has no field 'pile_count', only a view has."),
    "a renamed parameter": (
        "def refusal(s: State, seat: int, move: int)",
        "def refusal(s: State, player: int, move: int)",
        "refusal takes (s, seat, move), not (s, player, move).",
    ),
    "a misspelt constant": ("range(2 * HAND)", "range(2 * HAMD)", "there is no 'HAMD'; did you mean 'HAND'?"),
    "a misspelt rule that guesses": (
        "    last = public(count(VALUES))",
        "    die = secret(count(6, 1), guess='any_die')\n    last = public(count(VALUES))",
        "guess='any_die' names no rule.",
    ),
    "a standing with other parameters": (
        "def standing(s: State, seat: int)",
        "def standing(s: State, player: int)",
        "standing takes (s, seat), not (s, player).",
    ),
    "a standing that is one number": (
        "def standing(s: State, seat: int) -> tuple[int]:",
        "def standing(s: State, seat: int) -> int:",
        "standing gives a tuple: the score, then what decides a tie.",
    ),
    "a standing that is plainly one number": (
        "def standing(s: State, seat: int) -> tuple[int]:  # STA-05: the score, then what decides a tie\n"
        "    return (int(s.points[seat]),)",
        "def standing(s, seat):\n    return s.points[seat]",
        "standing gives a tuple: the score, then what decides a tie.",
    ),
    "more players at least than at most": (
        "(2, 2), ",
        "(3, 2), ",
        "PLAYERS is the fewest and the most, such as (2, 4), not <tuple>.",
    ),
    "pieces of one name": (
        'CARD = Pieces(\n    "12345678"',
        'CARD = Pieces(\n    "12345677"',
        "A piece has a name of its own in one word, as deals are written; not '7'.",
    ),
    "a default that is no value": (
        'option(range(4), "by how much',
        'option(range(4), default=7, help="by how much',
        "The default of an option is one of its values, 0 to 3: not 7.",
    ),
    "a reason that nothing returns": (
        'TOO_LOW = Reason("STA-03",',
        'NO_TURN = Reason("STA-02", "It is not your turn.")\nTOO_LOW = Reason("STA-03",',
        "no rule returns NO_TURN: `refusal` gives the reason why a move is not legal.",
    ),
    "an example that is no move": (
        'example="7 or -7"',
        'example="x9 or play 9"',
        "no move is written as in example='x9 or play 9'.",
    ),
    "two forms that are written alike": (
        'discard=Form("-{card}", "discard',
        'discard=Form("{card}", "discard',
        "'1' is written by play and by discard: write one of them otherwise.",
    ),
    "an option of numbers": (
        "option(range(4),",
        "option((1, 2),",
        "An option has words, or a range of numbers such as range(2, 6).",
    ),
    "a number with its bounds exchanged": (
        "last = public(count(VALUES))",
        "last = public(count(1, VALUES))",
        "A number from 8 to 1 has no value: count takes the greatest first, then the least.",
    ),
    "a told field that nobody tells": (
        "    last = public(count(VALUES))",
        "    best = told(count(9))\n    last = public(count(VALUES))",
        "best is told, so there must be a rule tells(s, seat, v) that writes it.",
    ),
    "a reason that speaks of no part": (
        '"You do not hold {card}."',
        '"You do not hold {crad}."',
        "no move has a part 'crad'; did you mean 'card'?",
    ),
    "an order where some cells are seen": (
        'secret(CARD, DECK, packed="back")',
        "seen(CARD, DECK, sorted=True)",
        "A field that is seen cannot be told 'sorted'; it can be told where, mine, dealt, fits, guess.",
    ),
    "pieces at another end": (
        'packed="back"',
        'packed="end"',
        'A field is packed="front" or packed="back", not \'end\'.',
    ),
    "an option of one word": (
        "option(range(4),",
        'option("four",',
        "An option has several words, such as ('four', \"other\"), not one.",
    ),
    "an error while it is read": (
        "LONGEST = DECK",
        "LONGEST = DEKC",
        "NameError: name 'DEKC' is not defined.",
    ),
    "an error of a declaration": (
        'packed="back"',
        'pakced="back"',
        "A field that is secret cannot be told 'pakced'; it can be told packed, sorted, dealt, fits, guess.",
    ),
    "no Python": ("def ending(s: State) -> int:", "def ending(s: State) -> int", "expected ':'."),
    "a rule that does not fit": ('packed="back"', 'fits="fair"', "fits='fair' names no rule."),
    "pieces that are gone": (
        ", 3, spoken",
        ', 3, gone="legel", spoken',
        "gone='legel' names no rule",
    ),
    "copies of pieces": ('", 3, spoken', '", "copies", spoken', "copies='copies' names no rule."),
    "a reader of no part": (
        'MOVE.readers("card")',
        'MOVE.readers("crad")',
        "No form has a part 'crad'; did you mean 'card'?",
    ),
    "one number of players": (
        "PLAYERS, ENDINGS, RULES = (2, 2),",
        "PLAYERS, ENDINGS, RULES = 2,",
        "PLAYERS is the fewest and the most, such as (2, 4), not 2.",
    ),
    "one ending": (
        '("pile",), 1',
        '("pile"), 1',
        "ENDINGS is a tuple of words, such as (\"pile\",), not 'pile'.",
    ),
    "an axis for a kind": (
        "points = public(count(DECK), SEATS)",
        "points = public(SEATS, count(DECK))",
        "A field is told its kind first, and then its axes: public(CARD, SEATS).",
    ),
    "a fraction": (
        "s.turns += 1",
        "s.turns = (s.turns + 1) / 1",
        "`/` gives a fraction, and a field holds whole numbers: use `//`.",
    ),
    "a field that is divided": (
        "s.turns += 1",
        "s.turns /= 2",
        "`/` gives a fraction, and a field holds whole numbers: use `//`.",
    ),
    "a stray comma": (
        "LONGEST = DECK",
        "LONGEST = DECK,",
        "the comma at the end of the line makes a tuple: take it away.",
    ),
    "an import in a rule": (
        "    s.turns += 1",
        "    import random; s.turns += random.randrange(2)",
        "a rule cannot import: what it calls are rules, and its luck is the `rng` of deal.",
    ),
    "no value at the end": (
        "        return TOO_LOW\n    return LEGAL\n",
        "        return TOO_LOW\n",
        "refusal does not always return: its last line returns nothing.",
    ),
    "too few arguments": (
        "    at = index_of(s.hand[seat], HAND, card)",
        "    at = index_of(s.hand[seat], card)",
        "index_of takes (cards, count, card), not (s.hand[seat], card).",
    ),
    "who sees a cell": (
        'secret(CARD, DECK, packed="back")',
        'seen(CARD, DECK, where="usd")',
        "where='usd' names no field and no rule; did you mean 'used'?",
    ),
}


@pytest.mark.parametrize(("old", "new", "told"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told_with_its_line(changed, old, new, told):
    changes = [(old, new)]
    if "seen(" in new:
        changes.append(("import Row", "import seen, Row"))
    if "told(" in new:
        changes.append(("import Row", "import told, Row"))
    folder, line = changed(*changes)
    with pytest.raises(UnknownGame) as caught:
        load(folder)
    assert str(caught.value).startswith(f"rules.py:{line}: {told}")
    assert str(caught.value).count("\n") == 0


def test_an_axis_of_seats_has_room_for_all_players(changed):
    folder, _ = changed(("(2, 2), ", "(2, 4), "))
    with pytest.raises(UnknownGame, match=r"^rules\.py:\d+: points has 2 seats, and PLAYERS allows 4 players\.$"):
        load(folder)


def test_a_hand_without_the_axis_of_the_seats_is_told_with_how_it_is_declared(changed):
    folder, line = changed(("hand = own(CARD, SEATS, HAND,", "hand = own(CARD, HAND,"))
    told = (
        "hand has 4 seats, and PLAYERS allows 2 players: the first axis of hand are the seats, own(CARD, SEATS, HAND)."
    )
    with pytest.raises(UnknownGame) as caught:
        load(folder)
    assert str(caught.value) == f"rules.py:{line}: {told}"


def test_a_helper_is_called_with_what_it_takes(changed):
    helper = "@rule\ndef held(s, seat, card=1):\n    return s.hand[seat, 0] == card\n\n\n"
    folder, line = changed(
        ("@rule\ndef refusal", f"{helper}@rule\ndef refusal"),
        (
            "    return LEGAL",
            "    if held(s, seat) and held(s, seat, card=2) and held(s):\n        return NOT_HELD\n    return LEGAL",
        ),
    )
    text = (folder / "rules.py").read_text()
    line = text[: text.index("held(s):")].count("\n") + 1
    with pytest.raises(UnknownGame, match=rf"^rules\.py:{line}: held takes \(s, seat, card\), not \(s\)\.$"):
        load(folder)


def test_an_option_counts_by_ones(changed):
    folder, _ = changed(("option(range(4),", "option(range(0, 8, 2),"))
    with pytest.raises(UnknownGame, match=r"^rules\.py:\d+: The numbers of the option slack follow one another"):
        load(folder)


DEPTH = (
    "@rule\ndef depth(s):\n    return s.depth\n\n\n@rule\ndef look(s):\n    r = room()\n    return depth(r[0])\n\n\n"
)
CORRECT = {
    "an example with words and spaces": [
        ('"-{card}", "discard', '"throw {card}", "discard'),
        ('"7 or -7"', '"throw 7"'),
    ],
    "a value on every way": [
        ("    return LEGAL\n", "    if s.last > 3:\n        return LEGAL\n    else:\n        return LEGAL\n"),
        (
            "    return 0 if ending(s) else 1 << (s.turns % 2)",
            "    while True:\n        if ending(s):\n            return 0\n        return 1 << (s.turns % 2)",
        ),
    ],
    "any number of arguments": [
        ("@rule\ndef refusal", "@rule\ndef most(*of):\n    return of[0]\n\n\n@rule\ndef refusal"),
        ("< s.last - s", "< most(s.last, 1, 2) + most(*(s.last, 1)) - s"),
    ],
    "a tuple without brackets": [
        ('("pile",), 1', '("pile",), 1\nWORDS = "pile",\nNUMBERS = *range(3),\nPAIR = (1, 2),')
    ],
    "a rule by its call": [
        ("@rule\ndef refusal", "def last(s):\n    return s.last\n\n\nlast = rule(last)\n\n\n@rule\ndef refusal"),
        ("< s.last - s", "< last(s) - s"),
    ],
    "a name that a match gives": [
        ("MOVE = Moves(", "def half(n):\n    match n:\n        case m:\n            return m // 2\n\n\nMOVE = Moves("),
    ],
    "a helper for records of its own": [
        ("TITLE =", "import numpy as np\nfrom clew.core.kernels import scratch\n\nTITLE ="),
        ("@rule\ndef refusal", f"room = scratch(1, np.dtype([('depth', 'i8')]))\n\n\n{DEPTH}@rule\ndef refusal"),
        ("< s.last - s", "< s.last + depth(room()[0]) + look(s) - s"),
    ],
}


@pytest.mark.parametrize("changes", CORRECT.values(), ids=CORRECT)
def test_what_is_no_mistake_is_not_refused(changed, changes):
    load(changed(*changes)[0])


def test_facts_of_a_reason_may_come_from_a_games_own_explain(changed):
    folder, _ = changed(('"You do not hold {card}."', '"You do not hold {whose} card."'))
    (folder / "words.py").write_text('"""Words."""\n\nfrom .more import facts\n\n__all__ = ["facts"]\n')
    (folder / "more.py").write_text('"""More."""\n\n\ndef facts(move, v):\n    return {"whose": "that"}\n')
    load(folder)


def test_a_rule_that_a_declaration_names_takes_what_it_is_given(changed):
    folder, _ = changed(
        ('secret(CARD, DECK, packed="back")', 'seen(CARD, DECK, where="standing")'), ("import Row", "import seen, Row")
    )
    told = r"^rules\.py:\d+: standing is given \(s, seat, i\) as where of pile, not \(s, seat\)\.$"
    with pytest.raises(UnknownGame, match=told):
        load(folder)


def test_a_protocol_function_must_be_a_rule(changed):
    folder, line = changed(("@rule\ndef apply", "def apply"))
    with pytest.raises(UnknownGame, match=rf"^rules\.py:{line}: apply lacks @rule\.$"):
        load(folder)


def test_what_a_rule_calls_must_be_one(changed):
    helper = "def held(s, seat, card):\n    return s.hand[seat, 0] == card\n\n\n"
    folder, line = changed(
        ("@rule\ndef refusal", f"{helper}@rule\ndef refusal"),
        ("    return NOT_HELD", "    return NOT_HELD if held(s, seat, 1) else NOT_HELD"),
    )
    with pytest.raises(UnknownGame, match=rf"^rules\.py:{line}: held lacks @rule: the rule refusal calls it\.$"):
        load(folder)


def test_what_a_rule_calls_in_another_module_must_be_one(changed):
    folder, _ = changed(
        ("from clew.core import Row", "from .help import held\nfrom clew.core import Row"),
        ("    return NOT_HELD", "    return NOT_HELD if held(s) else NOT_HELD"),
    )
    (folder / "help.py").write_text('"""Help."""\n\n\ndef held(s):\n    return s.turns\n')
    with pytest.raises(UnknownGame, match=r"^help\.py:4: held lacks @rule: the rule refusal calls it\.$"):
        load(folder)


def test_a_missing_function_is_told_with_what_it_is_for(changed):
    folder, _ = changed(("def ending(s: State)", "def ended(s: State)"), ("if ending(s)", "if ended(s)"))
    with pytest.raises(UnknownGame) as caught:
        load(folder)
    assert (
        str(caught.value)
        == "rules.py has no ending(s): 0 while the game goes on, else 1 + the index in ENDINGS of how it ended. "
        "It follows from a public field `ended`, too."
    )


@pytest.mark.parametrize(
    ("name", "other", "told"),
    [
        ("def standing(s", "def points(s", "result(s, scores, places): .* from a rule `standing(s, seat)`, too."),
        ("def to_move(s", "def moving(s", "to_move(s): .* from a public field `turn`, too."),
        ("def refusal(s", "def reason(s", "refusal(s, seat, move): LEGAL, or the code .*"),
    ],
)
def test_what_follows_from_something_that_is_not_there_is_missing(changed, name, other, told):
    folder, _ = changed((name, other))
    with pytest.raises(UnknownGame, match=told.replace("(", r"\(").replace(")", r"\)")):
        load(folder)


TELLS = "@rule\ndef tells(s, seat, v):\n    v.points[0] = last(v) + last(s)\n\n\n"


def test_a_rule_that_serves_states_and_views_uses_what_both_have(changed):
    common = f"@rule\ndef last(s):\n    return s.last\n\n\n{TELLS}"
    load(changed(("@rule\ndef refusal", f"{common}@rule\ndef refusal"))[0])


def test_a_rule_that_serves_views_knows_no_secret(changed):
    secret = f"{TELLS}@rule\ndef last(s):\n    return s.pile[0]\n\n\n"
    folder, line = changed(("@rule\ndef refusal", f"{secret}@rule\ndef refusal"))
    with pytest.raises(UnknownGame, match=rf"^rules\.py:{line + 7}: a view has no field 'pile', only a state has\.$"):
        load(folder)


def test_words_are_read_too(changed):
    folder, line = changed(("v.heap - v.taken", "v.heap - v.taken0"), file="words.py", game=PEBBLES)
    with pytest.raises(UnknownGame, match=rf"^words\.py:{line}: a view has no field 'taken0'; did you mean 'taken'\?$"):
        load(folder)


def test_words_take_what_they_are_given(changed):
    folder, line = changed(("def write(move, v):", "def write(move):"), file="words.py", game=PEBBLES)
    with pytest.raises(UnknownGame, match=rf"^words\.py:{line}: write takes \(move, v\), not \(move\)\.$"):
        load(folder)


def test_a_mistake_that_is_mended_is_forgotten(changed):
    folder, _ = changed(("s.turns += 1", "s.trns += 1"))
    with pytest.raises(UnknownGame, match="trns"):
        load(folder)
    text = (folder / "rules.py").read_text()
    (folder / "rules.py").write_text(text.replace("trns", "turns") + "\n\n")
    assert load(folder).title == "Starter"


@pytest.mark.parametrize("name", [path.parent.name for path in sorted(HOME.glob("*/rules.py"))])
def test_our_own_games_have_no_such_mistake(name):
    game = load(name)
    author.check(game.rules, game.folder)


def test_our_own_games_are_not_looked_at_when_they_are_loaded(monkeypatch):
    monkeypatch.setattr(author, "check", lambda *_: pytest.fail("looked at"))
    games.named.__wrapped__("palaces")


def test_a_game_without_a_rule_book_shows_what_its_rules_say_of_themselves(changed):
    folder, _ = changed(("Rising cards:", "Rising cards,"))
    (folder / "rules.md").unlink()
    book = load(folder).rule_book()
    assert book.startswith("# Starter\n")
    assert "play cards in rising order" in book


TELL = """from clew.core import Event


def tell(before, seat, move, after, cast):
    return {}
"""


def test_events_that_are_only_text_are_told_with_the_line(changed):
    folder, _ = changed(("s.turns += 1", "s.turns += 1 + 0"))
    (folder / "words.py").write_text(TELL.format("['The game begins.']"))
    with pytest.raises(clew.BadRules, match=r"^words\.py:4: tell gives a list of events: \[Event\("):
        clew.new(folder, seed=1).events(0)


def test_an_event_without_its_rule_is_told_with_the_line(changed):
    folder, _ = changed(("s.turns += 1", "s.turns += 1 + 0"))
    (folder / "words.py").write_text(TELL.format("[Event('deal', 'The game begins.')]"))
    with pytest.raises(UnknownGame, match=r"^words\.py:5: an Event has a kind, a text and the rule's id"):
        load(folder)


def test_luck_from_elsewhere_is_told_with_the_line(changed):
    imported = ("from clew.core import Row", "import random\nfrom clew.core import Row")
    folder, line = changed(("s.turns += 1", "s.turns += random.randrange(2)"), imported)
    with pytest.raises(
        UnknownGame, match=rf"^rules\.py:{line + 1}: a rule cannot ask random: all luck is drawn in deal"
    ):
        load(folder)


def test_what_the_compiler_refuses_has_its_line_also_where_it_says_so_otherwise(tmp_path):
    refused = Exception(f"Use of unsupported opcode (IMPORT_NAME) found. Raised from {tmp_path / 'rules.py'} (90)")
    assert author.not_compiled(refused, tmp_path).startswith("rules.py:90: the compiler says: Use of unsupported")


def test_a_reason_that_does_not_suit_a_move_is_told_in_a_sentence(changed):
    folder, _ = changed(
        ('discard=Form("-{card}", "discard {card}", card=CARD)', 'skip=Form("-", "discard the first card")'),
        (
            "    card = card_of(move)\n    at =",
            "    card = card_of(move) if form_of(move) == 0 else s.hand[seat, 0]\n    at =",
        ),
        (
            "    if index_of(s.hand[seat], HAND, card_of(move)) < 0:",
            "    if form_of(move) == 1 or index_of(s.hand[seat], HAND, card_of(move)) < 0:",
        ),
    )
    table = clew.new(folder, seed=1)
    with pytest.raises(clew.ClewError, match=r"^The reason 'You do not hold \{card\}\.' speaks of 'card'"):
        table.play("-", 0)


def test_an_end_that_has_no_name_is_told_in_a_sentence(changed):
    folder, _ = changed(("    return int(s.turns == DECK - 2 * HAND)", "    return 2 * int(s.turns == 1)"))
    table = clew.new(folder, seed=1)
    table.play(table.legal_moves(0)[0], 0)
    with pytest.raises(clew.ClewError, match=r"^Starter ended by 2, and has 1 ENDINGS\.$"):
        assert table.outcome


def test_a_reason_that_another_module_names_is_not_forgotten(changed):
    folder, _ = changed(("NOT_HELD = ", 'UNREAD = Reason("STA-02", "That is no card.")\nNOT_HELD = '))
    (folder / "words.py").write_text('"""Words."""\n\nfrom .rules import UNREAD\n\n__all__ = ["UNREAD"]\n')
    load(folder)
