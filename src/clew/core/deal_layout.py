"""Where a deal lays its pieces, and which of them may change places: for the sampler, from what a game declares."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from clew.core.codegen import compile_source
from clew.core.declare import Field, Pieces, Record
from clew.core.errors import BadDeal, NoWorlds
from clew.core.game import Game
from clew.core.kernels import rule
from clew.core.protocol import SPECTATOR
from clew.core.rng import below, shuffle, stream

# `Any` in signatures here: arrays of a game's records, whose types only the game knows, and what Numba makes of rules.

HIDDEN = ("own", "secret", "seen")
DEALS = 8  # looked at to learn where a deal lays pieces
SWAPS = 6  # tried between two lists of a deal before their pieces count as exchangeable
GRADE = 64  # what a byte of a piece counts, among those of a view


@dataclass(frozen=True)
class _Cell:
    """One place for a piece, in the memory of a state."""

    at: int
    size: int
    field: Field
    index: tuple[int, ...]

    @property
    def pieces(self) -> Pieces:
        assert self.field.pieces is not None
        return self.field.pieces

    @property
    def list(self) -> tuple[str, tuple[int, ...]]:
        """The list that it is part of."""
        return self.field.name, self.index[: len(self.field.lists) - 1]

    def code(self, states: Any) -> int:
        value = states[self.field.name][0]
        return int(value[self.index] if self.index else value)

    def lay(self, states: Any, code: int) -> None:
        value = states[self.field.name]
        value[(0, *self.index)] = code


class DealLayout:
    """The places of a deal, which of them may exchange their pieces, and who holds pieces in the game."""

    def __init__(self, game: Game, options: dict[str, Any], players: int) -> None:
        self.game = game
        record = declared(game)
        self._empty = game.blank(options, players)
        self._fits = fits_of(game)
        self._hidden = [field for field in record.declared.values() if field.sight in HIDDEN]
        cells = [cell for field in self._hidden if field.pieces for cell in _cells(game, field)]
        self._open = [
            cell
            for field in record.declared.values()
            if field.sight == "public" and field.pieces
            for cell in _cells(game, field)
        ]
        deals = [self._fresh(stream(seed, "layout")) for seed in range(DEALS)]
        filled = [[cell for cell in cells if cell.code(deal) != cell.pieces.empty] for deal in deals]
        if any(there != filled[0] for there in filled):
            raise NoWorlds(f"A deal of {game.title} does not always lay as many pieces in the same places.")
        for field in self._hidden:
            if not field.pieces and any((deal[field.name] != deals[0][field.name]).any() for deal in deals):
                raise NoWorlds(f"The deal of {game.title} hides {field.name}, which is no piece.")
        groups = self._groups(filled[0], deals[0])
        self._slots: list[_Cell | None] = []  # None: a piece that lies in no declared place
        kinds: list[Pieces] = []
        partners: list[tuple[int, int]] = []
        for group in groups:
            alone = sum(other[0].pieces is group[0].pieces for other in groups) == 1
            slots = [*group, *[None] * (sum(self._spare(group[0].pieces, deals[0]).values()) if alone else 0)]
            partners += [(len(self._slots), len(slots))] * len(slots)
            self._slots += slots
            kinds += [group[0].pieces] * len(slots)
        self._kinds = kinds
        self.partners = np.array(partners, np.int64).reshape(-1, 2)
        self.places = np.array([(cell.at, cell.size) if cell else (0, 0) for cell in self._slots], np.int64)
        self.places = self.places.reshape(-1, 2)
        self.grades = np.ones(game.rules.VIEW.itemsize, np.int64)
        for field in record.declared.values():
            if field.pieces and field.name in game.rules.VIEW.names:
                dtype, begin = game.rules.VIEW.fields[field.name][:2]
                self.grades[begin : begin + dtype.itemsize] = GRADE
        sets = list(dict.fromkeys(cell.pieces for cell in cells))
        held = [cell for cell in cells if cell.field.sight == "own" or cell.field.how.get("mine")]
        self.held = np.array(
            [(cell.at, cell.size, cell.pieces.empty, cell.index[0], sets.index(cell.pieces)) for cell in held], np.int64
        ).reshape(-1, 5)

    def _fresh(self, rng: Any) -> Any:
        states = self.game.twin(self._empty)
        self.game.kernels.deal(states[0], rng)
        return states

    def _groups(self, cells: list[_Cell], dealt: Any) -> list[list[_Cell]]:
        """Cells whose pieces can be exchanged: of one list, and of lists between which the game accepts swaps."""
        rng = stream(0, "layout swaps")
        found: list[list[_Cell]] = []
        lists: dict[Any, list[_Cell]] = {}
        for cell in cells:
            lists.setdefault((cell.pieces, cell.list), []).append(cell)
        for new in lists.values():
            joined = [new]
            for group in found[:]:
                if group[0].pieces is new[0].pieces and self._exchange(new, group, dealt, rng):
                    found.remove(group)
                    joined.append(group)
            found.append(list(itertools.chain(*joined)))
        return found

    def _exchange(self, one: list[_Cell], other: list[_Cell], dealt: Any, rng: Any) -> bool:
        """Whether some swaps between two lists all give deals that the game takes."""
        if one[0].pieces.each and one[0].index[0] != other[0].index[0]:
            return False
        pairs = [(a, b) for a in one for b in other if a.code(dealt) != b.code(dealt)]
        tried = 0
        for _ in range(20 * SWAPS):
            if tried == SWAPS or not pairs:
                break
            a, b = pairs[below(rng, len(pairs))]
            swapped = self.game.twin(dealt)
            a.lay(swapped, b.code(dealt))
            b.lay(swapped, a.code(dealt))
            if not self._fits(swapped[0]):
                continue
            tried += 1
            try:
                again = self.game.twin(self._empty)
                self.game.words.read_deal(self.game.words.write_deal(swapped[0]), again[0])
            except BadDeal:
                return False
        return True

    def _spare(self, pieces: Pieces, dealt: Any) -> Counter[int]:
        """The pieces that a deal lays in no declared place, and of which nobody knows where they are."""
        if pieces.each:
            return Counter()
        codes = range(pieces.first, pieces.first + len(pieces.pieces))
        if pieces.copies_rule:
            copies = Counter(
                {code: int(getattr(self.game.rules, pieces.copies_rule)(dealt[0], code)) for code in codes}
            )
        else:
            copies = Counter({code: int(pieces.copies[code - pieces.first]) for code in codes})
        cells = [cell for field in self._hidden if field.kind is pieces for cell in _cells(self.game, field)]
        return copies - Counter(cell.code(dealt) for cell in cells) - self._lie_open(pieces, dealt)

    def _lie_open(self, pieces: Pieces, dealt: Any) -> Counter[int]:
        """The pieces of a deal of which everybody knows where they are."""
        found = Counter(cell.code(dealt) for cell in self._open if cell.pieces is pieces)
        del found[pieces.empty]
        if pieces.gone:
            views, left = self.game.views(1), np.zeros(len(pieces.pieces), np.int64)
            self.game.kernels.view(dealt[0], SPECTATOR, views[0])
            getattr(self.game.rules, pieces.gone)(views[0], left)
            found += Counter({pieces.first + i: -int(count) for i, count in enumerate(left)})
        return found

    def blank(self, dealt: Any) -> Any:
        """A deal without what it hides."""
        states = self.game.twin(dealt)
        for field in self._hidden:
            states[field.name] = field.empty
        return states

    def shown(self, views: list[Any], chair: int) -> dict[int, int]:
        """The piece that views first show in the place of a deal, by the number of the place.

        It was mostly dealt there, which is worth a guess: a replay will tell.
        """
        found: dict[int, int] = {}
        for number, cell in enumerate(self._slots):
            if cell is None or cell.field.sight not in ("own", "seen"):
                continue
            if cell.field.sight == "own" and cell.index[0] != chair:
                continue
            at = cell.index[1:] if cell.field.sight == "own" else cell.index
            codes = (int(view[cell.field.name][(0, *at)]) for view in views)
            code = next((code for code in codes if code != cell.field.empty), cell.field.empty)
            if code != cell.field.empty:
                found[number] = code
        return found

    def guess(self, blank: Any, shown: dict[int, int], rng: Any) -> Any:
        """A deal at random, with what lies open as it does, and with what was shown later as far as it can lie so."""
        dealt, found = self._fresh(rng), np.zeros(len(self._slots), np.int64)
        for pieces, first, count in self._runs():
            cells = [cell for cell in self._slots[first : first + count] if cell is not None]
            there = [cell.code(dealt) for cell in cells]
            spare = self._spare(pieces, dealt) if count > len(cells) else Counter()
            was, now = self._lie_open(pieces, dealt), self._lie_open(pieces, blank)
            if was != now:  # other pieces lie open than in this guess, so all are laid anew
                there, spare = [], Counter(there) + spare + was - now
            rest = np.array([*spare.elements()], np.int64)
            shuffle(rng, rest, len(rest))
            row = [*there, *rest.tolist()]
            if len(row) != count:
                raise NoWorlds(f"{self.game.title} does not declare where all its pieces lie at the deal.")
            told = [i for i in range(count) if first + i in shown]
            for i in told:
                code = shown[first + i]
                j = next((j for j, other in enumerate(row) if other == code and shown.get(first + j) != code), i)
                row[i], row[j] = row[j], row[i]
            found[first : first + count] = row
        return found

    def _runs(self) -> Iterator[tuple[Pieces, int, int]]:
        for first, count in dict.fromkeys(map(tuple, self.partners.tolist())):
            yield self._kinds[first], first, count


def declared(game: Game) -> type[Record]:
    """The declared state of a game."""
    record = getattr(game.rules, "State", None)
    if not (isinstance(record, type) and issubclass(record, Record)):
        raise NoWorlds(f"{game.title} does not declare its state, so its pieces are not known.")
    return record


@functools.lru_cache(64)
def layout_of(game: Game, options: tuple[tuple[str, Any], ...], players: int) -> DealLayout:
    return DealLayout(game, dict(options), players)


def _cells(game: Game, field: Field) -> list[_Cell]:
    entry: Any = game.rules.STATE.fields
    begin, size = int(entry[field.name][1]), entry[field.name][0].base.itemsize
    shape = field.shape
    return [
        _Cell(begin + size * number, size, field, tuple(map(int, index)))
        for number, index in enumerate(np.ndindex(*shape))
    ]


@rule
def _any_deal(s: Any) -> bool:
    """The pieces may lie anyhow."""
    return True


@functools.cache
def fits_of(game: Game) -> Any:
    """What the game declares of how its pieces can lie, as one rule."""
    hidden = [field for field in declared(game).declared.values() if field.sight in HIDDEN]
    named = list(dict.fromkeys(str(field.how["fits"]) for field in hidden if "fits" in field.how))
    if not named:
        return _any_deal
    text = f"def fits(s):\n    return {' and '.join(f'{name}(s)' for name in named)}\n"
    scope = {name: getattr(game.rules, name) for name in named}
    return compile_source(text, scope, game.rules.__name__, str(game.rules.__file__), "fits")["fits"]
