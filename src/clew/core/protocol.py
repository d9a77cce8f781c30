"""What a game's `rules.py` and `heuristics.py` provide: the functions that everything else is grown from.

These are the signatures, to be read; a template (see `kernels.specialise`) imports them to be written down in
terms of any game, and each game's own functions take their place. `s` is one record of the game's `STATE`, `v` one
of its `VIEW`, `move` one of its `MOVE` (an integer or a record). A seat is 0, 1, ...; a chair is a seat or
SPECTATOR. Parameters are known by these names: the compiler takes the types from them.
"""

from __future__ import annotations

from clew.core.declare import Kind
from clew.core.types import Generator, MoveCode, MoveCodes, Numbers, State, ViewRecord

SPECTATOR = -1
LEGAL = 0

LONGEST = 0
"""The most moves that a game can take, whatever the players do."""

MOVES = 0
"""The most moves that `legal` ever lists."""

MOVE_PARTS: dict[str, Kind] = {}
"""What a move is made of, each part with its kind, where MOVE is a number without forms: learners see moves by their
parts. A rule `decode(move)` gives the values, in this order. Optional."""

NOT_DEDUCED = ()
"""Reasons of `refusal` from which nobody concludes anything: that a player made a move, such as to draw, tells that it
was allowed; where these are the reasons against it, views and imagined worlds need not carry that. Optional."""

PERFECT_RECALL = False
"""A promise that a chair's view tells all that the chair saw and did before, in its order. Only then can the bytes of
a view be the key of an information state. Optional: the kit looks for histories that merge, and fails only a game that
promised that there are none."""


def deal(s: State, rng: Generator) -> None:
    """Put all luck of the game into `s`, in which the options and the players are set already."""


def start(s: State) -> None:
    """Set the table from the deal, up to the first choice."""


def to_move(s: State) -> int:
    """The seats that owe a move, bit i for seat i; 0 when the game is over."""
    return 0


def legal(s: State, seat: int, out: MoveCodes) -> int:
    """Write the moves of a seat that owes one into `out`; how many there are."""
    return 0


def quick(s: State, seat: int, out: MoveCodes) -> int:
    """Moves for playouts: like `legal`, but quick, perhaps fewer and not as good. Optional: by default `legal`.

    Listing good moves can take long where they are too many to list them all. What is listed here need not be legal
    to the letter, as long as it can be applied and leads to the end of the game.
    """
    return 0


def refusal(s: State, seat: int, move: MoveCode) -> int:
    """LEGAL, or the code of the reason why this move may not be made."""
    return LEGAL


def apply(s: State, seat: int, move: MoveCode) -> None:
    """Make a legal move, with all that follows from it."""


def face(move: MoveCode) -> int:
    """A number that all moves have which others cannot tell from this one; -1 for a move that all see. Optional.

    It follows from `MOVE` where that declares hidden parts of a form. Of a hidden move others learn that it was made;
    right after it their views tell it from no other with its face, but where `shown_at_once` says so.
    """
    return -1


def shown_at_once(s: State, seat: int, move: MoveCode) -> bool:
    """Whether a hidden move that led to this state shows in it, as the last of a round may. Optional, for the kit."""
    return False


def ending(s: State) -> int:
    """0 while the game goes on, else 1 + the index in ENDINGS of how it ended."""
    return 0


def result(s: State, scores: Numbers, places: Numbers) -> None:
    """Write each seat's score and place, as if the game ended now."""


def view(s: State, seat: int, v: ViewRecord) -> None:
    """Copy into the empty `v` what the chair `seat` knows, and nothing else."""


def imagine(v: ViewRecord, rng: Generator, s: State) -> None:
    """Fill the empty `s` with a world at random, each that the view allows being as likely.

    Worlds are counted by pieces: each way in which the pieces that the chair has not seen can lie in the places that it
    does not see is as likely as another, pieces of one kind being different pieces. Ways are left out in which a move
    would have been refused (but see NOT_DEDUCED) or the chair would have seen something else; what else the others'
    choices may tell is left to the players. A piece that was shown lies where it lies: who held two cards and showed a
    three is as likely to keep any one of the cards that the chair has not seen, the other threes among them. A choice
    made in secret at the same time as others' is any of the moves that its seat has in that world. A move that others
    made in secret in their turn is any with the same `face` that its seat had there, each piece that it could be made
    with being another way.
    """


def cover(s: State, seat: int) -> None:
    """Overwrite everything in `s` that the chair `seat` does not know: each piece with the first kind, numbers with 0.

    What is secret by subtraction: the conformance kit holds it against `view`.
    """


KERNELS = (
    "deal",
    "start",
    "to_move",
    "legal",
    "refusal",
    "apply",
    "ending",
    "result",
    "view",
    "imagine",
    "cover",
)


# What `heuristics.py` may provide besides: what a good player knows. A game without it is played by search alone.
#
# `s` is a world that a bot imagined from its view. `weights` are the numbers to be tuned, by default the module's
# WEIGHTS (an array of floats): they come as an argument because compiled code freezes whatever is global. The first two
# are for the playouts of a game that brings no `policy`. Other constants that the module may set: COMFORT, a lead in
# points that feels safe; SEARCH, the fine adjustment of the search (see `clew.bots.search.Plan`); SLIPS and
# BLUNDERS, how often each of the six levels slips and how badly, if not as in other games (see `clew.bots.levels`).

NOISE = 0
"""weights[NOISE]: how much, in units of `prior`, a move in a playout may look better than it is."""

LOOKS = 1
"""weights[LOOKS]: how many moves a player in a playout looks at before choosing one."""


def prior(s: State, seat: int, move: MoveCode, weights: Numbers) -> float:
    """How good a legal move looks at a glance to the seat that would make it; only the order of moves counts.

    It reads nothing that the seat does not know: the greedy player makes the move with the highest prior.
    """
    return 0.0


def policy(s: State, seat: int, out: MoveCodes, count: int, weights: Numbers, rng: Generator) -> int:
    """The index of the move, among the `count` in `out`, that a quick and sensible player makes in a playout."""
    return 0


def worth(s: State, seat: int, weights: Numbers) -> float:
    """The share of the others, from 0 to 1, that the seat will leave behind: the chance to win when two play."""
    return 0.5


def features(s: State, seat: int, parts: Numbers, whole: Numbers) -> None:
    """Write what an evaluation that is learnt can go by: `parts[0]` of the seat, `parts[1]` of the others, and `whole`.

    Heuristics with `features` have no `worth` but VALUE_NET, the shape of a network: how many parts a side has, how
    many numbers a part and the whole have, and the sizes of two layers. Its weights are in `value_net.npy` beside it.
    """


def duel(s: State, seat: int, payoffs: Numbers) -> int:
    """Write the exact worth of each own move against each secret move of the other; how many moves the other has.

    `payoffs[i, j]` is for the seat's move i, in the order of `legal`. 0 where there is no secret choice at one time.
    """
    return 0


HEURISTICS = ("prior", "policy", "worth", "features", "duel")


# What `possible.py` may provide besides: which states there can be, for views from outside (see `clew.core.views`).
# Without it, bots of the game take only views of tables in their own process.

BOUNDS: dict[str, tuple[int, int]] = {}
"""The least and the greatest number in each field of STATE and VIEW, besides `players`, `seat` and the options."""


def possible(s: State, again: State) -> bool:
    """Whether a game can lead to `s`, whose fields are within their bounds; `again` is an empty state to play it in.

    What it holds for possible must be safe for all rules, for as long as the game goes on. Never compiled.
    """
    return True
