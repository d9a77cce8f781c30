"""A table: one game being played, with everything that people and programs ask of it."""

from __future__ import annotations

import functools
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from clew.core.cast import Cast, read_names
from clew.core.errors import BadOption, BadRules, CannotUndo, IllegalMove, quoted
from clew.core.events import Event
from clew.core.game import Game, load
from clew.core.knowledge import look_round, may_reveal, plain, reveals
from clew.core.moments import Moment, Outcome, first_look
from clew.core.moves import Move, Said
from clew.core.options import Value, read_options
from clew.core.protocol import LEGAL, SPECTATOR
from clew.core.rng import stream
from clew.core.seeds import read_salt, read_seed
from clew.core.types import Draft, Json, ViewRecord, ViewRecords
from clew.core.views import give_out

if TYPE_CHECKING:
    from clew.core.notebook import Picture

# `Any` in signatures here: the plain data of a game's table.

LONGEST_MOVE = 8000  # characters; the longest real one rebuilds a table of 168 tiles
UNDO_WORLDS = 2000  # how many worlds a chair is asked about before a move counts as having shown it nothing
FEW_WORLDS = 4  # the same, for a first look


class Table:
    """A game in progress. Made by `clew.new` or `clew.replay`.

    >>> t = new("palaces", seed=7)
    >>> t.to_move
    (0,)
    >>> [str(event) for event in t.play("-K3", 0)][0]
    'Blue discards Knossos 3.'
    """

    def __init__(
        self,
        game: Game,
        options: dict[str, Value],
        players: int,
        seed: int | None,
        dealt: Any,
        names: Sequence[str] | None = None,
        salt: str | None = None,
    ) -> None:
        self.game = game
        self.options = options
        self.players = players
        self.seed = seed
        self.salt = salt
        self.names = names
        self._dealt = dealt
        opening = game.twin(dealt)
        game.kernels.start(opening[0])
        game.count_pieces(opening)
        self._states = [opening]
        self._moments: tuple[Moment, ...] = ()  # of two states that were asked about last
        self._moves: list[tuple[int, Move]] = []
        self._choices: list[range] = []  # which moves were chosen at the same time; the last may be under way

    def __repr__(self) -> str:
        return f"<table of {self.game.name}, {len(self._moves)} moves>"

    def copy(self) -> Table:
        """A table that goes its own way from here."""
        twin = Table.__new__(Table)
        twin.__dict__.update(self.__dict__)  # what copy.copy would do, in a fifth of the time
        twin._states, twin._moves, twin._choices = self._states[:], self._moves[:], self._choices[:]
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Table:
        twin = self.copy()  # states are never changed once they are made, and a game is not to be copied
        twin.options = dict(self.options)
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        from clew.core.pickling import laid_anew

        # Dealt and played anew when it comes back: states as bytes could be any, and compiled rules would believe them.
        deal = self.deal_lines() if self.seed is None else None
        about = self.game, self.game.version, self.options, self.players, self.seed, self.salt, deal
        return laid_anew, (*about, self.names, [(seat, move.text) for seat, move in self._moves])

    def afresh(self) -> Table:
        """The same table before its first move."""
        return Table(self.game, self.options, self.players, self.seed, self._dealt, self.names, self.salt)

    def picture(self, seat: int | None = None, width: int = 92) -> Picture:
        """The table as a chair sees it, to be shown in a notebook or kept as SVG; None is someone who only watches."""
        from clew.core import notebook, pictures

        view = self.view(seat, known=False)
        watched = f"{pictures.heading(self)}{'' if seat is None else f', as {self.names[seat]} sees it'}"
        drawn = notebook.of_table(watched, self.game, view, self.names)
        return notebook.Picture(drawn, self.game.title, width)

    def _repr_html_(self) -> str:
        return self.picture().html()

    @property
    def names(self) -> tuple[str, ...]:
        """What everybody is called, each by another name; the colour of the seat for who was given none."""
        return self._names

    @names.setter
    def names(self, names: Sequence[str] | None) -> None:
        self._names = read_names(names, self.players)

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that owe a move: several when they choose at the same time, none when the game is over."""
        moment = self._moment(len(self._states) - 1)
        if moment.owing is None:
            moment.owing = _seats(int(self.game.kernels.to_move(self._states[-1][0])))
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
        if not 0 < moment.ended <= len(self.game.endings):
            raise BadRules(f"{self.game.title} ended by {moment.ended}, and has {len(self.game.endings)} ENDINGS.")
        scores, places = np.zeros((2, self.players), np.int64)
        self.game.kernels.result(self._states[-1][0], scores, places)
        return Outcome(tuple(places.tolist()), tuple(scores.tolist()), self.game.endings[moment.ended - 1])

    def legal_moves(self, seat: int | None = None) -> list[Move]:
        """The moves of a seat (by default the one that owes a move); empty when it owes none.

        All that `play` accepts, unless `game.listed_in_full` is False: then a good choice of them.
        """
        seat = self._seat(seat)
        v, write = self._seen(seat), self.game.words.write
        return [Move(write(code, v), code) for code in self._codes(seat)]

    def written_moves(self, seat: int) -> list[str]:
        """The same in their written form only.

        >>> new("palaces", seed=7).written_moves(0)[:3]
        ['K3:a', 'K3:t', 'K4:a']
        """
        v, write = self._seen(self._seat(seat)), self.game.words.write
        return [write(code, v) for code in self._codes(seat)]

    def _codes(self, seat: int) -> list[Any]:
        """The legal moves as the rules have them."""
        if seat not in self.to_move:
            return []
        out = self.game.moves(self.game.rules.MOVES)
        count = self.game.kernels.listed(self._states[-1], seat, out)
        return out[:count].tolist() if not out.dtype.names else [out[i] for i in range(count)]

    def judge(self, move: str | Move, seat: int | None = None) -> Move:
        """The move, if it may be made now; raises what `play` would raise. Nothing is played.

        >>> new("palaces", seed=7).judge("-K3")
        Move('-K3')
        """
        seat = self._seat(seat)
        v, code = self._read(move, seat)
        reason = self.game.kernels.refusal(self._states[-1][0], seat, code)
        if reason != LEGAL:
            raise IllegalMove(*self.game.words.explain(reason, code, v, Cast(self.names)))
        return Move(self.game.words.write(code, v), code)

    def _read(self, move: str | Move, seat: int) -> tuple[Any, Any]:
        """What the seat sees, and the code of its move, if it owes one."""
        if seat not in self.to_move:
            raise IllegalMove("COM-08", self._not_your_turn(self.to_move))
        v = self._seen(seat)
        return v, self.game.words.parse(_written(move).strip(), v)

    def say(self, move: str | Move, seat: int | None = None) -> Said:
        """A move of a seat for people, short and long, as it would be made now; nothing is judged or played.

        >>> new("palaces", seed=7).say("-K3")
        Said(short='discard Knossos 3', long='discard Knossos 3')
        """
        v, words = self._seen(self._seat(seat)), self.game.words
        code = move.code if isinstance(move, Move) else words.parse(_written(move).strip(), v)
        said = words.say(code, v, Cast(self.names)) if hasattr(words, "say") else [words.write(code, v)] * 2
        return Said(*said)

    def draft(self, parts: Sequence[str], seat: int | None = None) -> Draft | None:
        """What a play in the making comes to, of a game whose plays are put together; None for any other game.

        It has `text`, the whole as one move; `table` and `rack` as they would be; `faults`, none if it can be played.
        """
        words, chair = self.game.words, self._seat(seat)
        if not isinstance(parts, list | tuple):
            raise IllegalMove("COM-06", f"A play in the making is a list of its parts, not {quoted(parts)}.")
        said = [_written(part) for part in parts]
        return words.draft(said, self._look(chair)[0]) if hasattr(words, "draft") else None

    def play(self, move: str | Move, seat: int | None = None) -> list[Event]:
        """Make a move and tell what happened as its player sees it; a refused move changes nothing."""
        seat = self._seat(seat)
        self.make(move, seat)
        return self.events(seat, len(self._moves))

    def make(self, move: str | Move, seat: int | None = None) -> Move:
        """Make a move without telling of it; the move as it is written."""
        seat, owing = self._seat(seat), self.to_move
        v, code = self._read(move, seat)
        after, numbers = self.game.blanks(1), np.empty(2, np.int64)
        reason = self.game.kernels.make(self._states[-1], after, seat, code, numbers)
        if reason != LEGAL:
            raise IllegalMove(*self.game.words.explain(reason, code, v, Cast(self.names)))
        self.game.count_pieces(after)
        made = Move(self.game.words.write(code, v), code)
        at = len(self._moves)
        if len(owing) > 1 and not self._under_way(at - 1):
            self._choices.append(range(at, at + len(owing)))
        self._states.append(after)
        self._moves.append((seat, made))
        moment = self._moment(at + 1)
        moment.owing, moment.ended = _seats(int(numbers[0])), int(numbers[1])
        return made

    def undo(self, seat: int | None = None) -> Move:
        """Take back the last move, if it was this seat's and showed nobody anything."""
        self.check_undo(seat)
        return self.retract()

    def check_undo(self, seat: int | None = None) -> None:
        """Raise the reason why `undo` would refuse, if there is one."""
        asking = None if seat is None else self._seat(seat)
        if not self._moves:
            raise CannotUndo("Nothing has been played yet.")
        last, move = self._moves[-1]
        if asking not in (None, last):
            raise CannotUndo(f"The last move is {self.names[last]}'s: only {self.names[last]} can take it back.")
        if self._together(len(self._moves) - 1):
            raise CannotUndo("A choice made at the same time as others' is final. (COM-08)")
        rng = stream(len(self._moves), "undo")
        # What the asker can know for itself comes first, so that a refusal hardly ever takes a look at what is hidden.
        if (asking is not None and not self.may_undo(asking)) or reveals(
            self.game, self._states[-2], last, move.code, UNDO_WORLDS, rng
        ):
            # To whom would tell the asker what the others do not know.
            raise CannotUndo("This move has shown something new to somebody, so it stays.")

    def may_undo(self, seat: int) -> bool:
        """Whether `undo` may succeed, from what this chair knew before its move and nothing else.

        It says yes where the move would have shown nobody anything in some worlds that the chair held for possible;
        `check_undo` looks at more of them.
        """
        at = len(self._moves) - 1
        if at < 0 or self._moves[at][0] != self._seat(seat) or self._together(at):
            return False
        known, rng = self._look(seat, at), first_look(len(self._moves)).copy()
        return not may_reveal(self.game, known, seat, self._moves[at][1].code, FEW_WORLDS, rng)

    def retract(self) -> Move:
        """Take back the last move without asking whether it may be: to follow a log in which it was taken back."""
        if not self._moves:
            raise CannotUndo("Nothing has been played yet.")
        del self._states[-1]
        return self._moves.pop()[1]

    def view(self, seat: int | None, known: bool = True) -> Json:
        """What a chair knows, as plain data; None is the chair of someone who only watches.

        With the bytes that a bot imagines from as `known`, unless that is not wanted.
        """
        if not isinstance(known, bool):
            raise BadOption(f"Whether a view carries what is known is True or False, not {quoted(known)}.", "known")
        chair = SPECTATOR if seat is None else self._seat(seat)
        return self._view(chair, known, self.game.words.describe(self._seen(chair)))

    def shared_view(self, seat: int | None, known: bool = True) -> Json:
        """The same, with what is alike for all chairs made once for them all: not to be changed.

        That is what somebody who watches sees, with what the game's `own` says of a chair in its place. Without `own`
        in its `words.py` a game is described anew for each.
        """
        chair, moment = SPECTATOR if seat is None else self._seat(seat), self._moment(self.length)
        if (chair, known) not in moment.views:
            table = self.public | self.own(seat) if self.shares else self.game.words.describe(self._seen(chair))
            moment.views[chair, known] = self._view(chair, known, table)
        return moment.views[chair, known]

    @property
    def shares(self) -> bool:
        """Whether the game tells what of its table differs by who looks."""
        return hasattr(self.game.words, "own")

    @property
    def public(self) -> Json:
        """The table as somebody who watches sees it; shared, so not to be changed."""
        moment = self._moment(self.length)
        if moment.public is None:
            moment.public = self.game.words.describe(self._seen(SPECTATOR))
        public: Json = moment.public
        return public

    def own(self, seat: int | None) -> Json:
        """What of the table is otherwise for a chair, in a game that `shares`."""
        chair, moment = SPECTATOR if seat is None else self._seat(seat), self._moment(self.length)
        if chair not in moment.own:
            moment.own[chair] = self.game.words.own(self._seen(chair))
        return moment.own[chair]

    def _view(self, chair: int, known: bool, table: Any) -> Json:
        outcome = self.outcome
        view = {
            "game": self.game.name,
            "rules": self.game.version,
            "options": dict(self.options),
            "players": self.players,
            "seat": None if chair == SPECTATOR else chair,
            "to_move": list(self.to_move),
            "outcome": None
            if outcome is None
            else {"places": list(outcome.places), "scores": list(outcome.scores), "ended": outcome.ended},
            "table": table,
        }
        if known:
            view["known"] = give_out(self.game, self._look(chair), chair in self.to_move)
        return view

    def events(
        self,
        seat: int | None,
        since: int = 0,
        until: int | None = None,
        *,
        you: bool = False,
        reader: int | None = None,
    ) -> list[Event]:
        """What happened as a chair saw it, from the opening (0) or from the move number `since` on, before `until`.

        With `you` it is told to the one who sits there, who is "you"; with `reader` to the one of another seat, who
        learns what this chair saw.

        >>> t = new("palaces", seed=7, names=["Ann", "Cat"])
        >>> [str(event) for seat in (0, 1) for event in t.events(seat, you=True)]
        ['You begin.', 'Ann begins.']
        >>> [str(event) for event in t.events(1, reader=0)]
        ['You begin.']
        """
        for number in (since, 0 if until is None else until):
            if type(number) is not int or number < 0:
                raise BadOption(
                    f"Events are numbered from 0, the opening; there is no number {quoted(number)}.", "since"
                )
        chair = SPECTATOR if seat is None else self._seat(seat)
        cast = Cast(self.names, seat if you else reader)
        told: list[Event] = []
        for i in range(since, len(self._states) if until is None else min(until, len(self._states))):
            after = self._seen(chair, i)
            if i == 0:
                told += self.game.tell_opening(after, cast)
                continue
            mover, move = self._moves[i - 1]
            before, together = self._seen(chair, i - 1), self._together(i - 1)
            told += self.game.tell(before, mover, move.code, after, cast, mover == chair, together)
        return told

    def deal_lines(self) -> dict[str, str]:
        """The deal in written form, by the names of its lines."""
        return dict(self.game.words.write_deal(self._dealt[0]))

    def record(self) -> str:
        """The whole game as a record, with the deal: not for the eyes of players before the end."""
        from clew.core.records import write_record

        return write_record(self)

    def _look(self, chair: int, at: int = -1) -> ViewRecords:
        moment = self._moment(at % len(self._states))
        if moment.looks is None:
            moment.looks = look_round(self.game, moment.state, self.players)
        return moment.looks[chair + 1 : chair + 2]

    def _seen(self, chair: int, at: int = -1) -> ViewRecord:
        """What the words are told of a look: the same fields, as plain attributes."""
        at = at % len(self._states)
        seen = self._moment(at).seen
        if chair not in seen:
            seen[chair] = plain(self._look(chair, at))
        return seen[chair]

    def _moment(self, at: int) -> Moment:
        """What was worked out of a state; kept of the last two, which are asked for again and again."""
        state, moments = self._states[at], self._moments
        if moments and moments[0].state is state:
            return moments[0]
        if len(moments) > 1 and moments[1].state is state:
            return moments[1]
        found = Moment(state)
        if at >= len(self._states) - 2:
            self._moments = (found, *self._moments[:1])
        return found

    def _seat(self, seat: int | None) -> int:
        if seat is None:
            owing = self.to_move
            if len(owing) > 1:
                raise IllegalMove("COM-08", f"{Cast(self.names).all(owing)} choose at once: say who.")
            return owing[0] if owing else 0
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < self.players:
            raise BadOption(
                f"There is no seat {quoted(seat)} at this table; seats are 0 to {self.players - 1}.", "seat"
            )
        return seat

    def _not_your_turn(self, owing: tuple[int, ...]) -> str:
        if not owing:
            return "The game is over: nobody moves any more."
        if self._under_way(len(self._moves) - 1):
            return "You have chosen already, and a choice is final."
        return f"It is {Cast(self.names).all(owing)}'s turn, not yours."

    def _together(self, at: int) -> bool:
        """Whether move number `at` was chosen at the same time as others."""
        if not self._choices:
            return False
        before = bisect_right(self._choices, at, key=lambda choice: choice.start)
        return before > 0 and at in self._choices[before - 1]

    def _under_way(self, at: int) -> bool:
        """Whether move number `at` belongs to a choice that others still owe."""
        return bool(self._choices) and at in self._choices[-1] and self._choices[-1].stop > len(self._moves)


@functools.cache
def _seats(bits: int) -> tuple[int, ...]:
    """The seats for which bits stand."""
    return tuple(seat for seat in range(bits.bit_length()) if bits >> seat & 1)


def _written(move: str | Move) -> str:
    """A move, or a part of one, as text that is not too long to be looked at."""
    text = move.text if isinstance(move, Move) else move
    if not isinstance(text, str):
        raise IllegalMove("COM-06", f"A move is text as a record has it, not {quoted(text)}.")
    if len(text) > LONGEST_MOVE:
        raise IllegalMove("COM-06", f"A move has at most {LONGEST_MOVE} characters.")
    return text


def set_up(game: Game, players: int | None, options: Mapping[str, Value] | None) -> tuple[dict[str, Value], Any]:
    """The options read and the state before the deal, or the reason why there is no such table."""
    chosen = read_options(game.title, game.options, options)
    seats = game.seats(players)
    check = getattr(game.rules, "refuse_table", None)
    reason = check(chosen, seats) if check else ""
    if reason:
        raise BadOption(reason)
    game.prepare()
    return chosen, game.blank(chosen, seats)


def new(
    name: str | Path | Game,
    players: int | None = None,
    seed: int | None = None,
    options: Mapping[str, Value] | None = None,
    names: Sequence[str] | None = None,
    salt: str | None = None,
) -> Table:
    """A new table of a game, dealt by its seed; the game is named, or given by the path of its folder.

    `names` are those of the people, seat by seat; an empty one stands for the colour of the seat. With a `salt` the
    deal comes from a cryptographic generator, keyed by seed and salt: while they are secret, no part of the deal tells
    another.

    >>> new("palaces", players=2, seed=7).to_move
    (0,)
    """
    game = name if isinstance(name, Game) else load(name)
    seed, salt = read_seed(seed), read_salt(salt)
    chosen, dealt = set_up(game, players, options)
    deal = game.kernels.deal if salt is None else game.kernels.secret_deal
    deal(dealt[0], stream(seed, salt=salt))
    return Table(game, chosen, int(dealt[0].players), seed, dealt, names, salt)


def new_from_deal(
    game: Game,
    players: int | None,
    options: Mapping[str, Value] | None,
    lines: Mapping[str, str],
    names: Sequence[str] | None = None,
) -> Table:
    """A new table dealt as written: real cards, or a constructed position."""
    chosen, dealt = set_up(game, players, options)
    game.words.read_deal(lines, dealt[0])
    return Table(game, chosen, int(dealt[0].players), None, dealt, names)
