"""Who is called what at a table, and how sentences speak of them: by name, or as "you" to the one who reads."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from clew.core.errors import BadOption, quoted
from clew.core.events import SEATS, listing

LONGEST_NAME = 40  # characters
VARIED = ("Grey", "Old", "Young", "Wild", "Quiet")
"""What sets bots of one name apart; no colour of a seat."""
THIRD = {"have": "has", "be": "is", "do": "does"}
YOURS = {"be": "are"}


class Cast:
    """The names of a table as one chair reads them; `you` is that chair, None where all are called by their names.

    Verbs are given as one looks them up, and agree.

    >>> ann = Cast(("Ann", "Cat"), you=0)
    >>> ann.does(0, "send"), ann.does(1, "send"), ann.does(0, "have", inside=True)
    ('You send', 'Cat sends', 'you have')
    >>> ann.whose(0), ann.whose(0, inside=True), ann.whose(1), ann.whom(0), ann.whom(1)
    ('Your', 'your', "Cat's", 'you', 'Cat')
    >>> ann.do((1, 0), "choose"), ann.do((1,), "choose"), Cast().do((0, 1), "choose")
    ('You and Cat choose', 'Cat chooses', 'Blue and Red choose')
    """

    def __init__(self, names: Sequence[str] = SEATS, you: int | None = None) -> None:
        self.names = tuple(names)
        self.you = you

    def who(self, seat: int, inside: bool = False) -> str:
        """The subject of a sentence, or of a part of one that stands inside: You, you, Cat."""
        return ("you" if inside else "You") if seat == self.you else self.names[seat]

    def whom(self, seat: int) -> str:
        """Whom something is done to, which never begins a sentence: you, Cat."""
        return self.who(seat, inside=True)

    def whose(self, seat: int, inside: bool = False) -> str:
        """Whose a thing is: Your, your, Cat's."""
        return ("your" if inside else "Your") if seat == self.you else f"{self.names[seat]}'s"

    def verb(self, seat: int, verb: str) -> str:
        """A verb that agrees with the seat: send, sends."""
        return YOURS.get(verb, verb) if seat == self.you else third_person(verb)

    def does(self, seat: int, verb: str, inside: bool = False) -> str:
        """The subject with its verb: You send, you send, Cat sends."""
        return f"{self.who(seat, inside)} {self.verb(seat, verb)}"

    def all(self, seats: Sequence[int], inside: bool = False) -> str:
        """Several of them, "you" first: You and Cat."""
        ordered = sorted(seats, key=lambda seat: seat != self.you)
        return listing([self.who(seat, inside or i > 0) for i, seat in enumerate(ordered)])

    def do(self, seats: Sequence[int], verb: str, inside: bool = False) -> str:
        """One or several with their verb: You and Cat choose, Cat chooses."""
        if len(seats) == 1:
            return self.does(seats[0], verb, inside)
        return f"{self.all(seats, inside)} {YOURS.get(verb, verb)}"


def third_person(verb: str) -> str:
    """The verb after a name.

    >>> [third_person(verb) for verb in ("send", "reach", "pass", "carry", "play", "go", "have", "be")]
    ['sends', 'reaches', 'passes', 'carries', 'plays', 'goes', 'has', 'is']
    """
    if verb in THIRD:
        return THIRD[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{verb}es"
    if len(verb) > 1 and verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def called(given: Sequence[str], bots: Collection[int] = ()) -> tuple[str, ...]:
    """The one name of everybody: what was given, made different; the seat's colour for who gave none.

    >>> called(["Ann", "", "Cat", "Cat", "Ann"], bots=[2, 3])
    ('Ann', 'Red', 'Cat', 'Grey Cat', 'Ann 2')
    """
    names = [name or SEATS[seat] for seat, name in enumerate(given)]
    found: dict[int, str] = {}
    taken = {"you"}  # as which everybody is spoken to
    for seat in sorted(range(len(names)), key=lambda seat: (seat in bots, names[seat] != SEATS[seat], seat)):
        name = names[seat]
        others = [*(f"{word} {name}" for word in VARIED if seat in bots), *(f"{name} {i}" for i in range(2, 99))]
        found[seat] = next(one for one in (name, *others) if one.casefold() not in taken)
        taken.add(found[seat].casefold())
    return tuple(found[seat] for seat in range(len(names)))


def read_names(names: Sequence[str] | None, players: int) -> tuple[str, ...]:
    """The names given for a table, checked and made different."""
    if names is None:
        return called([""] * players)
    if isinstance(names, str) or not isinstance(names, Sequence) or len(names) != players:
        raise BadOption(f"Names are a list of one for each of the {players} seats, not {quoted(names)}.", "names")
    for name in names:
        if not isinstance(name, str) or len(name) > LONGEST_NAME or not name.isprintable() or name != name.strip():
            raise BadOption(f"A name is a line of at most {LONGEST_NAME} characters, not {quoted(name)}.", "names")
    return called(names)
