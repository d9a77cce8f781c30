"""The worlds that a chair cannot tell from the true one, found without `imagine`: by changing what was dealt.

A written deal is a row of pieces. Another row is a possible world if the game accepts it as a deal, all moves made so
far are legal in it, and the chair would have seen exactly what it saw. Pieces that can be swapped unnoticed belong
together; each such class is shuffled, and what the chair would notice is thrown away. A piece that may be another one
without a swap, as a die may show another number, is drawn from those that the chair would not notice.

Where there are several pieces of a kind and a player showed one, deals do not tell which of them it was. Counted by
deals, a hand with two of that kind is one way to have shown it; counted by pieces, it is two ways. `imagine` counts by
pieces: what was shown lies where it lies, and the rest is shuffled (see `core/protocol.py`). `shown` finds such pieces.
Where it may miss some (`repeats`), a declared game is asked how its pieces lie in the end (`as_they_lie`).

A move that others made in secret is as unknown as the deal: it may be any with the same face that is legal there.
"""

from __future__ import annotations

import copy
import functools
import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from clew.check.sample import Played, Sampler, as_bytes, spread
from clew.core.errors import BadDeal
from clew.core.rng import below, shuffle, stream

MEMBERS, KINDS = 5, 3  # of a class that are tried before something counts as not belonging to it
TRIALS = 60  # draws of all classes together, before they are drawn by themselves
ENUMERABLE = 600  # so few worlds are all written down
PAIRS = 400  # of kinds of pieces, tried before two classes count as apart
ALL_PAIRS = 40_000  # of places, tried before worlds are said to be missing
CHOICES = 12  # ways of choosing in secret, tried before a deal counts as noticed
CYCLES = 40  # exchanges of three pieces, tried before a piece counts as not shown


class Position:
    """A game after some moves, from one chair."""

    def __init__(self, sampler: Sampler, played: Played, ply: int, chair: int) -> None:
        self.sampler, self.played, self.ply, self.chair = sampler, played, ply, chair
        self.game = sampler.game
        states = sampler.states(played)
        self.truth = states[ply : ply + 1].tobytes()
        self.views = sampler.views(states[: ply + 1], chair)
        # Choices made at the same time as others', by others and not yet shown, are as unknown as the deal.
        under_way = [choice for choice in sampler.together(states) if choice.start < ply < choice.stop]
        self._codes = sampler.codes(played.moves[:ply])
        others = [i for i in range(ply) if played.seats[i] != chair]
        self._faces = {i: face for i in others if (face := self.game.face(self._codes[i])) >= 0}
        secret = sorted({*self._faces, *(i for i in others if under_way and i >= under_way[0].start)})
        self.open = secret[0] if secret else ply
        # The plies of what was chosen in secret, with the number of moves to choose from.
        self.secret = {i: len(self._options(states[i], i)) for i in secret}
        self.others_moved = len(others)
        lines = self.game.words.write_deal(sampler.dealt(played)[0])
        self.shape = [(key, len(text.split())) for key, text in lines.items()]
        self.pieces = [piece for text in lines.values() for piece in text.split()]
        self._line = [number for number, (_, count) in enumerate(self.shape) for _ in range(count)]
        self.rng = stream(played.seed, f"check worlds {ply} {chair}")
        self._tested = Counter[str]()  # shared with what is made from this position
        self.deals: list[list[str]] = []  # possible ones that were drawn or written down
        self._blank = self.game.blank(dict(played.setup.options), played.setup.players)
        self._world, self._look = self._blank.copy(), self.game.views(1)

    @property
    def tests(self) -> int:
        """How many deals were tried."""
        return self._tested["deals"]

    # One world

    def world(self, pieces: Sequence[str], choices: tuple[int, ...] = ()) -> bytes | None:
        """The state that these pieces lead to, or None where the chair would have noticed.

        `choices` are the secret choices by their numbers in the list of moves; without it they are drawn.
        """
        alike = self._relives(pieces)
        return self._world.tobytes() if alike and self._choose(choices) else None

    def _relives(self, pieces: Sequence[str]) -> bool:
        """Try a deal: whether the chair would have noticed nothing, up to what was first chosen in secret."""
        self._tested["deals"] += 1
        return self._reads(pieces) and bool(
            self.sampler.kernels.relive(
                self._world,
                self.open,
                self.played.seats,
                self.played.moves,
                self.chair,
                self._look,
                as_bytes(self._look),
                as_bytes(self.views),
            )
        )

    def _reads(self, pieces: Sequence[str]) -> bool:
        """Whether the game accepts this deal."""
        self._world[:] = self._blank
        rest = iter(pieces)
        lines = {key: " ".join(itertools.islice(rest, count)) for key, count in self.shape}
        try:
            self.game.words.read_deal(lines, self._world[0])
        except BadDeal:
            return False
        return True

    def _choose(self, choices: tuple[int, ...] = ()) -> bool:
        """Go on with secret choices in the place of the true ones; False where this world has them not."""
        drawn = choices or tuple(below(self.rng, count) for count in self.secret.values())
        chosen = dict(zip(self.secret, drawn))
        s = self._world[0]
        for i in range(self.open, self.ply):
            seat, code = int(self.played.seats[i]), self._codes[i]
            if int(self.game.kernels.to_move(s)) >> seat & 1 == 0:
                return False
            if i in self.secret:
                options = self._options(s, i)
                self.secret[i] = max(self.secret[i], len(options))
                if chosen[i] >= len(options):  # a world with fewer choices is less likely by as much
                    return False
                code = options[chosen[i]]
            elif not self.sampler.kernels.possible(s, seat, code):
                return False
            self.game.kernels.apply(s, seat, code)
            seen: bytes = self.sampler.views(self._world, self.chair).tobytes()
            if seen != self.views[i + 1 : i + 2].tobytes():
                return False
        return True

    def _options(self, s: Any, i: int) -> list[Any]:
        """The moves that may have been made in secret at a ply, each as often as there are pieces to make it with."""
        seat, out = int(self.played.seats[i]), self.sampler.move_list()
        moves = self.sampler.codes(out[: self.game.kernels.legal(s, seat, out)])
        if i not in self._faces:
            return moves
        alike = [move for move in moves if self.game.face(move) == self._faces[i]]
        return [move for move in alike for _ in range(self._ways(s, seat, move))]

    def _ways(self, s: Any, seat: int, move: Any) -> int:
        """With how many pieces of the mover's hand a move can be made, as far as the game declares that."""
        if self.game.form is None or not hasattr(self.game.rules, "State"):
            return 1
        form, parts = self.game.form.split(move)
        found = 1
        for name in form.hidden:
            hands = [
                field
                for field in self.game.rules.State.declared.values()
                if field.sight == "own" and field.kind is form.parts[name]
            ]
            held = sum(int(np.sum(np.asarray(getattr(s, field.name))[seat] == parts[name])) for field in hands)
            found *= max(1, held)
        return found

    def unnoticed(self, pieces: Sequence[str]) -> bool:
        """Whether this deal, with some secret choices, may be the true one."""
        if not self._relives(pieces):
            return False
        before = self._world.copy()
        for _ in range(CHOICES if self.secret else 1):
            self._world[:] = before
            if self._choose():
                return True
        return False

    def changed(self, places: Sequence[int], pieces: Sequence[str]) -> list[str]:
        """The true deal with other pieces at some places."""
        found = list(self.pieces)
        for i, piece in zip(places, pieces):
            found[i] = piece
        return found

    def swapped(self, i: int, j: int) -> list[str]:
        """The true deal with two pieces exchanged."""
        return self.changed((i, j), (self.pieces[j], self.pieces[i]))

    # What can vary

    @functools.cached_property
    def free(self) -> dict[int, list[str]]:
        """The places whose pieces are drawn and not shuffled, with the pieces that the chair would not notice there."""
        known = self.sampler.lines(self.played.setup)
        found = {}
        first = 0
        for key, count in self.shape:
            line = range(first, first + count)
            first += count
            others = {i: sorted(known.get(key, set()) - {self.pieces[i]}) for i in line}
            # All pieces of a line are dealt in one way: where some cannot be others, the rest is not asked.
            if any(self._reads(self.changed([i], others[i][:1])) for i in spread(line, KINDS) if others[i]):
                for i in line:
                    unnoticed = [piece for piece in others[i] if self.world(self.changed([i], [piece])) is not None]
                    found[i] = [self.pieces[i], *unnoticed]
        return found

    @functools.cached_property
    def classes(self) -> list[list[int]]:
        """The places whose pieces can be exchanged unnoticed, in classes with at least two different pieces."""
        return self._classes(math.inf) or []

    def _classes(self, most: float) -> list[list[int]] | None:
        """These classes, or None as soon as it is clear that they can be arranged in more ways than `most`."""
        if "classes" in self.__dict__:
            return self.classes if math.prod(map(self._arrangements, self.classes)) <= most else None
        found: list[list[int]] = []
        for i in range(len(self.pieces)):
            if i in self.free:
                continue
            near_first = sorted(found, key=lambda group: (self._line[group[-1]] != self._line[i], -len(group)))
            group = next((group for group in near_first if self._belongs(i, group)), None)
            if group is None:
                found.append([i])
            else:
                group.append(i)
                if math.prod(self._arrangements(group) for group in found) > most:
                    return None
        found = [group for group in self._merged(found) if self._arrangements(group) > 1]
        return found if math.prod(self._arrangements(group) for group in found) <= most else None

    def _merged(self, groups: list[list[int]]) -> list[list[int]]:
        """The groups, those put together that turn out to belong together once both are there."""
        found: list[list[int]] = []
        for group in sorted(groups, key=len, reverse=True):
            for other in [other for other in found if len(other) > 1]:
                if any(self._belongs(i, other, 0) for i in group[:1]) or self._touch(group, other):
                    found.remove(other)
                    group = group + other
            found.append(group)
        return found

    def _belongs(self, i: int, group: list[int], far: int = MEMBERS) -> bool:
        """Whether a piece can be swapped with one of a group: with some of its own line, or some of the others."""
        others = [j for j in group if self.pieces[j] != self.pieces[i]]
        near = [j for j in others if self._line[j] == self._line[i]]
        tried = spread(near, MEMBERS) + spread([j for j in others if self._line[j] != self._line[i]], far)
        return any(self.unnoticed(self.swapped(i, j)) for j in tried)

    def _touch(self, group: list[int], other: list[int]) -> bool:
        """Whether a piece of one group can be swapped with one of the other's: of the commonest, or of a few of all.

        Where all others see the colour of a piece, most pieces cannot be swapped though the groups belong together.
        """
        pairs = [*itertools.product(self._kinds(group)[:KINDS], self._kinds(other)[:KINDS])]
        pairs += spread([*itertools.product(self._kinds(group), self._kinds(other))], PAIRS)
        swaps = (self.swapped(i, j) for i, j in pairs if self.pieces[i] != self.pieces[j])
        return any(self.unnoticed(swap) for swap in swaps)

    def with_all_partners(self) -> Position | None:
        """This position, every two places tried that were in different classes; None where they are too many."""
        number_of = {i: number for number, group in enumerate(self.classes) for i in group}
        groups = [set(group) for group in self.classes]
        for i in range(len(self.pieces)):
            if i not in self.free and i not in number_of:
                number_of[i] = len(groups)
                groups.append({i})
        pairs = [
            (i, j)
            for i, j in itertools.combinations(sorted(number_of), 2)
            if number_of[i] != number_of[j] and self.pieces[i] != self.pieces[j]
        ]
        if len(pairs) > ALL_PAIRS:
            return None
        for i, j in pairs:
            if number_of[i] != number_of[j] and self.unnoticed(self.swapped(i, j)):
                joined = number_of[j]
                groups[number_of[i]] |= groups[joined]
                number_of |= dict.fromkeys(groups[joined], number_of[i])
                groups[joined] = set()
        return self._with([sorted(group) for group in groups if group], self.pieces)

    def _with(self, classes: list[list[int]], pieces: list[str]) -> Position:
        """The same position, seen from another possible deal."""
        other = copy.copy(self)
        other.pieces, other.deals = list(pieces), []
        other.__dict__["classes"] = [group for group in classes if other._arrangements(group) > 1]
        return other

    # Pieces that were shown while others of their kind are hidden

    def shown(self) -> set[int]:
        """The places of pieces that must have been shown, though another place may have held them by what was seen.

        Such a piece cannot go where others of its kind can, though what lies there could come, if only a neighbour of
        the piece were of its kind: somebody showed one of this kind.
        """
        found = set()
        for group in self.classes:
            for kind, count in Counter(self.pieces[i] for i in group).items():
                alike = [i for i in group if self.pieces[i] == kind]
                others = [j for j in group if self.pieces[j] != kind]
                if count > 1:
                    reach = {i: {j for j in others if self.unnoticed(self.swapped(i, j))} for i in alike}
                    anywhere = set().union(*reach.values())
                    found |= {i for i in alike if self._held(i, reach[i], anywhere - reach[i])}
        return found

    def _held(self, i: int, near: set[int], far: set[int]) -> bool:
        """Whether a piece could leave its place if a neighbour took it over, and cannot otherwise."""
        pairs = itertools.product(sorted(near), sorted(far))
        cycles = spread([(j, k) for j, k in pairs if self.pieces[j] != self.pieces[k]], CYCLES)
        return any(
            self.unnoticed(self.changed((i, j, k), (self.pieces[k], self.pieces[i], self.pieces[j]))) for j, k in cycles
        )

    def by_pieces(self, bases: int) -> tuple[Position, set[str]] | None:
        """This position with all that was shown in its place, and the kinds that may have been shown.

        Of several possible deals the one is taken that tells most: in a hand with two of the kind that was shown it
        cannot be told which of them it was. None where nothing was shown of which there is more.
        """
        seen = [self._with(self.classes, pieces) for pieces in [self.pieces, *spread(self.deals, bases)]]
        shown = [other.shown() for other in seen]
        kinds = {other.pieces[i] for other, places in zip(seen, shown) for i in places}
        if not kinds:
            return None
        best = max(range(len(seen)), key=lambda number: len(shown[number]))
        kept = [[i for i in group if i not in shown[best]] for group in self.classes]
        return seen[best]._with(kept, seen[best].pieces), kinds

    def repeats(self) -> list[str]:
        """The kinds of which others may have shown one of several, whether `shown` finds it or not."""
        counts = Counter(self.pieces[i] for group in self.classes for i in group)
        return sorted(kind for kind, count in counts.items() if count > 1) if self.others_moved else []

    def as_they_lie(self, worlds: Counter[bytes]) -> Counter[bytes] | None:
        """All possible worlds, with the number of ways in which their pieces lie; None where that is not declared.

        A list that is kept in order stands for all orders of its pieces.
        """
        record = getattr(self.game.rules, "State", None)
        if record is None:
            return None
        found: Counter[bytes] = Counter()
        for world in worlds:
            state = np.frombuffer(world, self.game.rules.STATE)[0]
            found[world] = 1
            for field in record.declared.values():
                if field.pieces and field.how.get("sorted"):
                    for row in state[field.name].reshape(-1, field.shape[-1]).tolist():
                        there = Counter(piece for piece in row if piece != field.empty)
                        orders = math.factorial(sum(there.values()))
                        found[world] *= orders // math.prod(map(math.factorial, there.values()))
        return found

    def _kinds(self, group: list[int]) -> list[int]:
        """A place for each kind of piece in a group, the commonest first."""
        found = {self.pieces[i]: i for i in group}
        return [found[piece] for piece, _ in Counter(self.pieces[i] for i in group).most_common()]

    def _arrangements(self, group: list[int]) -> int:
        """How many different orders the pieces of a group can have."""
        counts = Counter(self.pieces[i] for i in group)
        return math.factorial(len(group)) // math.prod(math.factorial(n) for n in counts.values())

    # Many worlds

    def draw(self, tests: int) -> Iterator[bytes]:
        """Possible worlds at random, each as likely, until so many deals were tested.

        All classes are drawn together. Where the chair would notice that nearly always, each is drawn by itself until
        it would not notice, and then they are put together: as good as long as the classes do not depend on each other.
        """
        classes = self.classes
        places = [*self.free, *itertools.chain(*classes)]
        limit = self.tests + tests
        trials = kept = 0
        while self.tests < limit:
            apart = len(classes) > 1 and trials >= TRIALS and kept * (len(classes) + 2) < trials
            drawn = [known[below(self.rng, len(known))] for known in self.free.values()]
            for group in classes:
                order = self._shuffled(group)
                while apart and self.tests < limit and self.world(self.changed(group, order)) is None:
                    order = self._shuffled(group)
                drawn += order
            pieces = self.changed(places, drawn)
            state = self.world(pieces)
            if not apart:
                trials, kept = trials + 1, kept + (state is not None)
            if state is not None:
                self.deals.append(pieces)
                yield state

    def _shuffled(self, group: list[int]) -> list[str]:
        order = np.array(group, np.int64)
        shuffle(self.rng, order, len(order))
        return [self.pieces[i] for i in order.tolist()]

    def all(self) -> Counter[bytes] | None:
        """Every possible world, with the number of deals and choices that lead to it; None when they are many."""
        drawn_or_chosen = math.prod([len(known) for known in self.free.values()] + list(self.secret.values()))
        classes = self._classes(ENUMERABLE / drawn_or_chosen)
        if classes is None:
            return None
        groups = [[self.pieces[i] for i in group] for group in classes]
        found: Counter[bytes] = Counter()
        places = [*self.free, *itertools.chain(*classes)]
        choices = list(itertools.product(*(range(count) for count in self.secret.values())))
        for drawn in itertools.product(*self.free.values()):
            for orders in itertools.product(*(_orders(group) for group in groups)):
                pieces = self.changed(places, [*drawn, *itertools.chain(*orders)])
                worlds = [self.world(pieces, chosen) for chosen in choices]
                found.update(state for state in worlds if state is not None)
                if any(state is not None for state in worlds):
                    self.deals.append(pieces)
        return found

    def imagined(self, count: int) -> Any:
        """So many worlds by the game's own `imagine`."""
        worlds = self.game.states(count)
        self.sampler.kernels.dreams(self.views, self.ply, count, worlds, as_bytes(worlds), self.rng)
        return worlds


def _orders(pieces: list[str]) -> Iterator[tuple[str, ...]]:
    """The different orders of pieces."""
    if not pieces:
        yield ()
    for first in sorted(set(pieces)):
        rest = list(pieces)
        rest.remove(first)
        for others in _orders(rest):
            yield (first, *others)
