"""A table: one game being played, with everything that people and programs ask of it."""

from __future__ import annotations

import base64
import copy
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clew.core.errors import BadOption, CannotUndo, IllegalMove
from clew.core.events import SEATS, Event, listing
from clew.core.game import Game, load
from clew.core.knowledge import look, plain, reveals
from clew.core.moves import Move
from clew.core.options import Value, read_options
from clew.core.protocol import LEGAL, SPECTATOR
from clew.core.rng import stream

LONGEST_MOVE = 8000  # characters; the longest real one rebuilds a table of 168 tiles
UNDO_WORLDS = 2000  # how many worlds a chair is asked about before a move counts as having shown it nothing


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the place and the score of each seat, and the way it ended."""

    places: tuple[int, ...]
    scores: tuple[int, ...]
    ended: str

    def __str__(self) -> str:
        places, scores = (" ".join(map(str, numbers)) for numbers in (self.places, self.scores))
        return f"places {places}; scores {scores}; ended {self.ended}"


class Moment:
    """What was worked out of one state of a table."""

    __slots__ = ("ended", "looks", "owing", "seen", "state")

    def __init__(self, state: Any) -> None:
        self.state = state
        self.owing: tuple[int, ...] | None = None
        self.ended: int | None = None
        self.looks: dict[int, Any] = {}  # by chair
        self.seen: dict[int, Any] = {}


class Table:
    """A game in progress. Made by `clew.new` or `clew.replay`.

    >>> t = new("palaces", seed=7)
    >>> t.to_move
    (0,)
    >>> [str(event) for event in t.play("-K3", 0)][0]
    'Blue discards K3.'
    """

    def __init__(self, game: Game, options: dict[str, Value], players: int, seed: int | None, dealt: Any) -> None:
        self.game = game
        self.options = options
        self.players = players
        self.seed = seed
        self._dealt = dealt
        opening = game.twin(dealt)
        game.kernels.start(opening[0])
        self._states = [opening]
        self._moments: dict[int, Moment] = {}
        self._moves: list[tuple[int, Move]] = []
        self._choices: list[range] = []  # which moves were chosen at the same time; the last may be under way

    def __repr__(self) -> str:
        return f"<table of {self.game.name}, {len(self._moves)} moves>"

    def copy(self) -> Table:
        """A table that goes its own way from here."""
        twin = copy.copy(self)
        twin._states, twin._moves, twin._choices = self._states[:], self._moves[:], self._choices[:]
        twin._moments = dict(self._moments)
        return twin

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that owe a move: several when they choose at the same time, none when the game is over."""
        moment = self._moment(len(self._states) - 1)
        if moment.owing is None:
            owing = self.game.kernels.to_move(self._states[-1][0])
            moment.owing = tuple(seat for seat in range(self.players) if owing >> seat & 1)
        return moment.owing

    @property
    def length(self) -> int:
        """How many moves were made, a choice under way included."""
        return len(self._moves)

    @property
    def moves(self) -> tuple[tuple[int, Move], ...]:
        """The moves made, in seat order where they were chosen together; a choice under way is not told."""
        order = list(range(len(self._moves)))
        for choice in self._choices:
            if not self._under_way(choice.start):
                order[choice.start : choice.stop] = sorted(choice, key=lambda i: self._moves[i][0])
        return tuple(self._moves[i] for i in order if not self._under_way(i))

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        moment = self._moment(len(self._states) - 1)
        if moment.ended is None:
            moment.ended = int(self.game.kernels.ending(self._states[-1][0]))
        if not moment.ended:
            return None
        scores, places = np.zeros((2, self.players), np.int64)
        self.game.kernels.result(self._states[-1][0], scores, places)
        return Outcome(tuple(places.tolist()), tuple(scores.tolist()), self.game.endings[moment.ended - 1])

    def legal_moves(self, seat: int | None = None) -> list[Move]:
        """The moves of a seat (by default the one that owes a move); empty when it owes none.

        All that `play` accepts, unless `game.listed_in_full` is False: then a good choice of them.
        """
        seat = self._seat(seat)
        if seat not in self.to_move:
            return []
        out = self.game.moves(self.game.rules.MOVES)
        count = self.game.kernels.legal(self._states[-1][0], seat, out)
        v = self._seen(seat)
        codes = out[:count].tolist() if not out.dtype.names else [out[i] for i in range(count)]
        return [Move(self.game.words.write(code, v), code) for code in codes]

    def judge(self, move: str | Move, seat: int | None = None) -> Move:
        """The move, if it may be made now; raises what `play` would raise. Nothing is played.

        >>> new("palaces", seed=7).judge("-K3")
        Move('-K3')
        """
        seat = self._seat(seat)
        owing = self.to_move
        if seat not in owing:
            raise IllegalMove("COM-08", self._not_your_turn(seat, owing))
        v = self._seen(seat)
        text = str(move).strip()
        if len(text) > LONGEST_MOVE:
            raise IllegalMove("COM-06", f"A move has at most {LONGEST_MOVE} characters.")
        code = self.game.words.parse(text, v)
        reason = self.game.kernels.refusal(self._states[-1][0], seat, code)
        if reason != LEGAL:
            raise IllegalMove(*self.game.words.explain(reason, code, v))
        return Move(self.game.words.write(code, v), code)

    def draft(self, parts: Sequence[str], seat: int) -> Any:
        """What a play in the making comes to, of a game whose plays are put together; None for any other game.

        It has `text`, the whole as one move; `table` and `rack` as they would be; `faults`, none if it can be played.
        """
        words = self.game.words
        return words.draft(list(parts), self._look(self._seat(seat))[0]) if hasattr(words, "draft") else None

    def play(self, move: str | Move, seat: int | None = None) -> list[Event]:
        """Make a move and tell what happened as its player sees it; a refused move changes nothing."""
        seat = self._seat(seat)
        self.make(move, seat)
        return self.events(seat, len(self._moves))

    def make(self, move: str | Move, seat: int) -> Move:
        """Make a move without telling of it; the move as it is written."""
        owing = self.to_move
        made = self.judge(move, seat)
        after = self.game.twin(self._states[-1])
        self.game.kernels.apply(after[0], seat, made.code)
        at = len(self._moves)
        if len(owing) > 1 and not self._under_way(at - 1):
            self._choices.append(range(at, at + len(owing)))
        self._states.append(after)
        self._moves.append((seat, made))
        return made

    def undo(self, seat: int | None = None) -> Move:
        """Take back the last move, if it was this seat's and showed nobody anything."""
        self.check_undo(seat)
        return self.retract()

    def check_undo(self, seat: int | None = None) -> None:
        """Raise the reason why `undo` would refuse, if there is one."""
        if not self._moves:
            raise CannotUndo("Nothing has been played yet.")
        last, move = self._moves[-1]
        seat = last if seat is None else seat
        if seat != last:
            raise CannotUndo(f"The last move is {SEATS[last]}'s: only {SEATS[last]} can take it back.")
        if any(len(self._moves) - 1 in choice for choice in self._choices):
            raise CannotUndo("A choice made at the same time as others' is final. (COM-08)")
        rng = stream(len(self._moves), "undo")
        chairs = (*range(self.players), SPECTATOR)
        shown = [c for c in chairs if reveals(self.game, self._states[-2], last, move.code, c, UNDO_WORLDS, rng)]
        if shown:
            people = [SEATS[chair] for chair in shown if chair != SPECTATOR] or ["those who watch"]
            raise CannotUndo(f"{move} has shown {listing(people)} something new, so it stays.")

    def retract(self) -> Move:
        """Take back the last move without asking whether it may be: to follow a log in which it was taken back."""
        del self._states[-1]
        self._moments.clear()
        return self._moves.pop()[1]

    def view(self, seat: int | None, known: bool = True) -> dict[str, Any]:
        """What a chair knows, as plain data; None is the chair of someone who only watches.

        With the bytes that a bot imagines from as `known`, unless that is not wanted.
        """
        chair = SPECTATOR if seat is None else self._seat(seat)
        outcome = self.outcome
        view = {
            "game": self.game.name,
            "rules": self.game.version,
            "options": dict(self.options),
            "players": self.players,
            "seat": seat,
            "to_move": list(self.to_move),
            "outcome": None
            if outcome is None
            else {"places": list(outcome.places), "scores": list(outcome.scores), "ended": outcome.ended},
            "table": self.game.words.describe(self._seen(chair)),
        }
        if known:
            view["known"] = base64.b64encode(self._look(chair).tobytes()).decode()
        return view

    def events(self, seat: int | None, since: int = 0, until: int | None = None) -> list[Event]:
        """What happened as a chair saw it, from the opening (0) or from the move number `since` on, before `until`."""
        chair = SPECTATOR if seat is None else self._seat(seat)
        told: list[Event] = []
        for i in range(since, len(self._states) if until is None else min(until, len(self._states))):
            after = self._seen(chair, i)
            if i == 0:
                told += self.game.words.tell(None, None, None, after)
                continue
            mover, move = self._moves[i - 1]
            secret = mover != chair and any(i - 1 in choice for choice in self._choices)
            before = self._seen(chair, i - 1)
            told += self.game.words.tell(before, mover, None if secret else move.code, after)
        return told

    def deal_lines(self) -> dict[str, str]:
        """The deal in written form, by the names of its lines."""
        return dict(self.game.words.write_deal(self._dealt[0]))

    def record(self) -> str:
        """The whole game as a record, with the deal: not for the eyes of players before the end."""
        from clew.core.records import write_record

        return write_record(self)

    def _look(self, chair: int, at: int = -1) -> Any:
        at = at % len(self._states)
        looks = self._moment(at).looks
        if chair not in looks:
            looks[chair] = look(self.game, self._states[at], chair)
        return looks[chair]

    def _seen(self, chair: int, at: int = -1) -> Any:
        """What the words are told of a look: the same fields, as plain attributes."""
        at = at % len(self._states)
        seen = self._moment(at).seen
        if chair not in seen:
            seen[chair] = plain(self._look(chair, at))
        return seen[chair]

    def _moment(self, at: int) -> Moment:
        """What was worked out of a state; kept of the last two, which are asked for again and again."""
        found = self._moments.get(at)
        if found is None or found.state is not self._states[at]:
            found = Moment(self._states[at])
            if at >= len(self._states) - 2:
                self._moments = {i: moment for i, moment in self._moments.items() if i >= len(self._states) - 2}
                self._moments[at] = found
        return found

    def _seat(self, seat: int | None) -> int:
        if seat is None:
            owing = self.to_move
            if len(owing) > 1:
                raise IllegalMove("COM-08", f"{listing([SEATS[s] for s in owing])} choose at once: say who.")
            return owing[0] if owing else 0
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < self.players:
            raise BadOption(f"There is no seat {seat!r} at this table; seats are 0 to {self.players - 1}.")
        return seat

    def _not_your_turn(self, seat: int, owing: tuple[int, ...]) -> str:
        if not owing:
            return "The game is over: nobody moves any more."
        if self._under_way(len(self._moves) - 1):
            return f"{SEATS[seat]} has chosen already, and a choice is final."
        return f"It is {listing([SEATS[s] for s in owing])}'s turn, not {SEATS[seat]}'s."

    def _under_way(self, at: int) -> bool:
        """Whether move number `at` belongs to a choice that others still owe."""
        return bool(self._choices) and at in self._choices[-1] and self._choices[-1].stop > len(self._moves)


def read_seed(seed: int | None) -> int:
    """The seed, checked; a fresh one from the system for None."""
    if seed is None:
        return secrets.randbits(62)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 1 << 256:
        raise BadOption(f"A seed is a whole number from 0 to 2^256 - 1, not {seed!r}.")
    return seed


def set_up(game: Game, players: int | None, options: Mapping[str, Value] | None) -> tuple[dict[str, Value], Any]:
    """The options read and the state before the deal, or the reason why there is no such table."""
    chosen = read_options(game.title, game.options, options or {})
    seats = game.seats(players)
    check = getattr(game.rules, "refuse_table", None)
    reason = check(chosen, seats) if check else ""
    if reason:
        raise BadOption(reason)
    game.ready()
    return chosen, game.blank(chosen, seats)


def new(
    name: str | Game,
    players: int | None = None,
    seed: int | None = None,
    options: Mapping[str, Value] | None = None,
) -> Table:
    """A new table of a game, dealt by its seed.

    >>> new("palaces", players=2, seed=7).to_move
    (0,)
    """
    game = name if isinstance(name, Game) else load(name)
    seed = read_seed(seed)
    chosen, dealt = set_up(game, players, options)
    game.kernels.deal(dealt[0], stream(seed))
    return Table(game, chosen, int(dealt[0].players), seed, dealt)


def new_from_deal(
    game: Game, players: int | None, options: Mapping[str, Value] | None, lines: Mapping[str, str]
) -> Table:
    """A new table dealt as written: real cards, or a constructed position."""
    chosen, dealt = set_up(game, players, options)
    game.words.read_deal(lines, dealt[0])
    return Table(game, chosen, int(dealt[0].players), None, dealt)
