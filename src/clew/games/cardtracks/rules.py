"""Cardtracks: two players with a deck each climb to the cards that wait face down at the centre of the tracks.

Both turn over a card, and the higher one is played: on a track it takes a step if it is higher than the player's
last there, else it covers that. Who reaches a centre first wins the track and turns over the card that lay there.
At the end an unseen spare may take the place of one of them. Pictures count two, numbers one, and aces cost one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.core import FLAG, LEGAL, Form, Moves, Pieces, Reason, Record, below, count_of, rule, shuffle, suited
from clew.core.declare import choice, count, interchangeable, option, public, seat_of, seats, seen, told

TITLE = "Cardtracks"
BLURB = "The higher card climbs. What waits at the centre, nobody knows."
AUTHOR = "Aiken Ord"
RULES = 1
PLAYERS = (2, 2)
ENDINGS = ("tracks", "decks")
PERFECT_RECALL = True  # a view lists every flip
ALL_WON, DECKS_OUT = 1, 2

SEATS = seats(2)
TRACKS = interchangeable(5)
LENGTHS = range(2, 9)
SHARED = 1  # lanes

RANK_LETTERS = "A23456789TJQK"
RANKS = len(RANK_LETTERS)
ACE, TWO, JACK = 1, 2, 11  # ranks; the king is 13
SUITS = interchangeable("SHDC")
CARD_NAMES = [rank + suit for suit in SUITS.labels for rank in RANK_LETTERS]
CARD = Pieces(CARD_NAMES, each="seat", spoken=list(map(suited, CARD_NAMES)), axes=(SUITS, RANKS))  # CAR-01
CARDS = len(CARD_NAMES)
FACE = choice(*CARD.names)  # which card it is, not the card itself
FLIPS = CARDS - 2 - 1  # the most cards that can be in a draw deck: with two tracks
NOBODY = -1
WINNER = seat_of(SEATS, nobody=True)

NUMBER = count(9, 1)  # of a track
MOVE = Moves(
    place=Form(">{track}", track=NUMBER),
    keep=Form("keep"),
    replace=Form("spare {track}", track=NUMBER),
    example=">2, keep or spare 2",
)
PLACE, KEEP, REPLACE = MOVE.offsets  # a move is PLACE + track, KEEP, or REPLACE + track
MOVES = 1 + TRACKS
LONGEST = FLIPS + 2

NO_TRACK = Reason("CAR-06", "There is no track {track}; the tracks are 1 to {tracks}.")
NO_TRACK_TO_WIN = Reason("CAR-10", NO_TRACK.text)
CLOSED = Reason("CAR-09", "Track {track} is closed: {winner} won it. Put the card on another one.")
PLACE_NOW = Reason("CAR-10", "The spare comes in at the end; now the {card} goes on a track.")
CHOOSE_NOW = Reason(
    "CAR-10", "No more cards go on the tracks; now you choose whether the spare replaces a winning card."
)
NOT_WON = Reason("CAR-10", "A spare replaces a card of its owner's tracks, but {winner} won track {track}.")


class State(Record):
    """CAR-14: the table and all cards turned over; the own choice, and the other's when both are in."""

    track_length = option(LENGTHS, "the step of a track that is its centre", default=5)
    tracks = option(range(2, TRACKS + 1), "how many tracks there are to win", default=3)
    lanes = option(("own", "shared"), "whose last card on a track the next one is compared with")
    flips = public(count(FLIPS))  # how often both turned over a card
    owing = public(count(0b11))  # the seats that owe a move, as bits
    choosing = public(FLAG)  # CAR-10 has begun
    chosen = public(FLAG, SEATS)
    ended = public(count(DECKS_OUT))
    winner = public(WINNER, FLIPS)  # of each flip
    placed = public(count(TRACKS), FLIPS)  # the number of the track where the card that won each flip lies,
    reached = public(count(LENGTHS[-1]), FLIPS)  # and its step there
    step = public(count(LENGTHS[-1]), SEATS, TRACKS)
    last = public(FACE, SEATS, TRACKS)  # the card with which a player's next one there is compared
    won_by = public(WINNER, TRACKS)
    centre = seen(CARD, SEATS, TRACKS, where="s.won_by[j] == 1 + i")  # CAR-09
    spare = seen(CARD, SEATS, where="s.ended and s.choice[i] >= REPLACE")  # CAR-10
    deck = seen(CARD, SEATS, FLIPS, where="j < s.flips")  # in the order in which it is turned over
    choice = seen(count(REPLACE + TRACKS - 1), SEATS, where="s.ended", mine=True, guess="any_choice")  # CAR-10
    landing = told(count(LENGTHS[-1]), TRACKS)  # the step on which the card that waits would lie, 0 on a closed track
    winning = told(FACE, TRACKS)  # the card that counts on each won track,
    points = told(count(2, -1), TRACKS)  # and what it counts


# The deal


@rule
def deck_size(s: State) -> int:
    """CAR-03: what is left of a deck after the centre cards and the spare."""
    return CARDS - int(s.tracks) - 1


@rule
def deal(s: State, rng: Any) -> None:
    """CAR-01 to CAR-03: each shuffles a deck, and lays from its top the centre cards, the spare, the draw deck."""
    cards = np.empty(CARDS, np.int64)
    for seat in range(SEATS):
        for i in range(CARDS):
            cards[i] = 1 + i
        shuffle(rng, cards, CARDS)
        for track in range(s.tracks):
            s.centre[seat, track] = cards[track]
        s.spare[seat] = cards[s.tracks]
        for i in range(deck_size(s)):
            s.deck[seat, i] = cards[s.tracks + 1 + i]


@rule
def start(s: State) -> None:
    """The first cards are turned over."""
    flip(s)


# The flip


@rule
def rank(card: int) -> int:
    """From ACE, 2, 3 to the king."""
    return (card - 1) % RANKS + 1


@rule
def wins_flip(card: int, other: int) -> bool:
    """CAR-05: the higher rank; an ace is above all but a two."""
    if rank(card) == ACE:
        return rank(other) != ACE and rank(other) != TWO
    if rank(other) == ACE:
        return rank(card) == TWO
    return rank(card) > rank(other)


@rule
def flip(s: State) -> None:
    """CAR-04, CAR-05: turn over until somebody wins, as long as a track is open and the decks last."""
    while tracks_won(s, NOBODY) > 0 and s.flips < deck_size(s):
        blue, red = int(s.deck[0, s.flips]), int(s.deck[1, s.flips])
        winner = 1 if wins_flip(blue, red) else 2 if wins_flip(red, blue) else 0
        s.winner[s.flips] = winner
        s.flips += 1
        if winner > 0:
            s.owing = winner  # bit 0 for Blue, bit 1 for Red
            return
    begin_choice(s)


# A turn


@rule
def to_move(s: State) -> int:
    """The winner of the flip; at the end all who have still to choose."""
    return int(s.owing)


@rule
def refusal(s: State, seat: int, move: int) -> int:
    """Why a player who owes a move may not make this one."""
    if not s.choosing:
        if move >= KEEP:
            return PLACE_NOW
        if not PLACE <= move < PLACE + s.tracks:
            return NO_TRACK
        return CLOSED if s.won_by[move - PLACE] else LEGAL  # CAR-06, CAR-09
    if move < KEEP:
        return CHOOSE_NOW
    if move == KEEP:
        return LEGAL
    if move - REPLACE >= s.tracks:
        return NO_TRACK_TO_WIN
    return LEGAL if s.won_by[move - REPLACE] == 1 + seat else NOT_WON  # CAR-10


@rule
def legal(s: State, seat: int, out: Any) -> int:
    """The open tracks for the card; at the end to keep what there is, or the spare for an own track."""
    count = 0
    first, last = (KEEP, REPLACE + s.tracks) if s.choosing else (PLACE, PLACE + s.tracks)
    for move in range(first, last):
        if refusal(s, seat, move) == LEGAL:
            out[count] = move
            count += 1
    return count


@rule
def apply(s: State, seat: int, move: int) -> None:
    """Put the card that won on a track and turn over the next ones, or choose about the spare."""
    if move >= KEEP:
        choose(s, seat, move)
        return
    track = move - PLACE
    place(s, seat, track)
    if s.step[seat, track] == s.track_length:  # CAR-09 this turns over the winner's card
        s.won_by[track] = 1 + seat
    flip(s)


@rule
def landing(s: State, seat: int, track: int, card: int) -> int:
    """The step of a player's lane on which this card would lie."""
    step = int(s.step[seat, track])
    higher = rank(card) > rank(s.last[seat, track]) or rank(card) == ACE  # CAR-07; CAR-08 an ace goes on anything
    return step + 1 if step == 0 or higher else step  # CAR-06 the first step whatever lies there


@rule
def place(s: State, seat: int, track: int) -> None:
    """CAR-06, CAR-07: on the next step or on top of the last card."""
    card = int(s.deck[seat, s.flips - 1])
    step = landing(s, seat, track, card)
    s.placed[s.flips - 1] = track + 1
    s.reached[s.flips - 1] = step
    s.step[seat, track] = step
    s.last[seat, track] = card
    if s.lanes == SHARED:
        s.last[1 - seat, track] = card


@rule
def tracks_won(s: State, seat: int) -> int:
    """The tracks that a player, or NOBODY, has won."""
    return count_of(s.won_by, int(s.tracks), 1 + seat)


@rule
def begin_choice(s: State) -> None:
    """CAR-10, CAR-13: all who have won a track choose, at once; with nobody to choose the game is over."""
    s.choosing = 1
    s.owing = 0
    for seat in range(2):
        if tracks_won(s, seat) > 0:
            s.owing |= 1 << seat
    end_if_all_chose(s)


@rule
def choose(s: State, seat: int, move: int) -> None:
    """CAR-10: final, and shown only when all have chosen."""
    s.choice[seat] = move
    s.chosen[seat] = 1
    s.owing &= ~(1 << seat)
    end_if_all_chose(s)


# The end


@rule
def end_if_all_chose(s: State) -> None:
    """CAR-10: the spares that were chosen are turned over."""
    if s.owing == 0:
        s.ended = ALL_WON if tracks_won(s, NOBODY) == 0 else DECKS_OUT


@rule
def points(card: int) -> int:
    """CAR-11."""
    if rank(card) == ACE:
        return -1
    return 2 if rank(card) >= JACK else 1


@rule
def winning_card(s: State, track: int) -> int:
    """The card that counts for who won the track: the one at the centre, or the spare in its place."""
    seat = int(s.won_by[track]) - 1
    if s.ended and s.choice[seat] == REPLACE + track:
        return int(s.spare[seat])
    return int(s.centre[seat, track])


@rule
def standing(s: State, seat: int) -> tuple[int, int]:
    """CAR-11 the score; CAR-12 then it is better to have won fewer tracks; CAR-13 a draw if they are equal, too."""
    score = 0
    for track in range(s.tracks):
        if s.won_by[track] == 1 + seat:
            score += points(winning_card(s, track))
    return score, -tracks_won(s, seat)


# What a chair knows


@rule
def any_choice(s: State, rng: Any, player: int) -> int:
    """CAR-10: until it is shown, all know only whether a choice was made."""
    out = np.empty(MOVES, np.int64)
    return int(out[below(rng, legal(s, player, out))]) if s.chosen[player] else 0


@rule
def tells(s: State, seat: int, v: State) -> None:
    """What everybody can see to follow: where the card that waits would lie, and what won tracks count."""
    for track in range(s.tracks):
        if s.won_by[track]:
            v.winning[track] = winning_card(s, track)
            v.points[track] = points(winning_card(s, track))
        elif not s.choosing:
            mover = s.winner[s.flips - 1] - 1
            v.landing[track] = landing(s, mover, track, s.deck[mover, s.flips - 1])
