"""Cardtracks: two players with a deck each climb to the cards that wait face down at the centre of the tracks.

Both turn over a card, and the higher one is played: on a track it takes a step if it is higher than the player's
last there, else it covers that. Who reaches a centre first wins the track and turns over the card that lay there.
At the end an unseen spare may take the place of one of them. Pictures count two, numbers one, and aces cost one.
"""

from __future__ import annotations

import numpy as np

from clew.core import LEGAL, Choice, Range, below, fields, rule, shuffle

TITLE = "Cardtracks"
BLURB = "The higher card climbs. What waits at the centre, nobody knows."
AUTHOR = "Aiken Ord"
RULES = 1
PLAYERS = (2, 2)
OPTIONS = (
    Range("track_length", 5, 2, 8, "the step of a track that is its centre"),
    Range("tracks", 3, 2, 5, "how many tracks there are to win"),
    Choice("lanes", ("own", "shared"), "whose last card on a track the next one is compared with"),
)
OWN, SHARED = range(2)
ENDINGS = ("tracks", "decks")
ALL_WON, DECKS_OUT = 1, 2

RANKS = 13
ACE, TWO, JACK = 1, 2, 11  # ranks; the king is 13
CARDS = 4 * RANKS  # CAR-01; a card is suit * RANKS + rank, from 1 on, and
FACE_DOWN = 0
TRACKS = 5
FLIPS = CARDS - 2 - 1  # the most cards that can be in a draw deck: with two tracks

PLACE, CHOOSE = range(2)
NUMBERS = 10  # a move is action * NUMBERS + the number of the track for the card or the spare
KEEP = CHOOSE * NUMBERS  # no spare for any track
MOVE = np.int64
MOVES = 1 + TRACKS
LONGEST = FLIPS + 2

# Why a move may be refused
NO_TRACK, CLOSED, PLACE_NOW, CHOOSE_NOW, NOT_WON = range(1, 6)

PUBLIC = [
    ("flips", np.int16),  # how often both turned over a card
    ("owing", np.int16),  # the seats that owe a move, as bits
    ("choosing", np.int16),  # CAR-10 has begun
    ("ended", np.int16),
    ("winner", np.int16, (FLIPS,)),  # of each flip: 1 + the seat, 0 for a tie
    ("placed", np.int16, (FLIPS,)),  # where the card that won each flip lies: track number * NUMBERS + step
    ("step", np.int16, (2, TRACKS)),
    ("last", np.int16, (2, TRACKS)),  # the card with which a player's next one there is compared
    ("won_by", np.int16, (TRACKS,)),  # 1 + the seat
]
CARDS_AND_CHOICES = [
    ("centre", np.int16, (2, TRACKS)),
    ("spare", np.int16, (2,)),
    ("deck", np.int16, (2, FLIPS)),  # in the order in which it is turned over
    ("choice", np.int16, (2,)),  # the move of CAR-10
]
STATE = fields([*PUBLIC, *CARDS_AND_CHOICES], OPTIONS)
VIEW = fields(  # begins otherwise than STATE, or Numba takes one for the other
    [
        ("seat", np.int16),
        ("deck_left", np.int16),
        ("landing", np.int16, (TRACKS,)),  # the step on which the card that waits would lie, 0 on a closed track
        ("points", np.int16, (TRACKS,)),  # what each won track counts
        *PUBLIC,
        *CARDS_AND_CHOICES,  # FACE_DOWN for what was not turned over, 0 for a choice that is not known
    ],
    OPTIONS,
)


# The deal


@rule
def deck_size(s):
    """CAR-03: what is left of a deck after the centre cards and the spare."""
    return CARDS - int(s.tracks) - 1


@rule
def deal(s, rng):
    """CAR-01: each shuffles a deck."""
    cards = np.empty(CARDS, np.int64)
    for seat in range(2):
        for i in range(CARDS):
            cards[i] = 1 + i
        shuffle(rng, cards, CARDS)
        lay(s, seat, cards)


@rule
def lay(s, seat, cards):
    """CAR-02, CAR-03: from the top the centre cards, then the spare, then the draw deck, where none lies yet."""
    top = 0
    for track in range(s.tracks):
        if s.centre[seat, track] == FACE_DOWN:
            s.centre[seat, track] = cards[top]
            top += 1
    if s.spare[seat] == FACE_DOWN:
        s.spare[seat] = cards[top]
        top += 1
    for i in range(deck_size(s)):
        if s.deck[seat, i] == FACE_DOWN:
            s.deck[seat, i] = cards[top]
            top += 1


@rule
def start(s):
    """The first cards are turned over."""
    flip(s)


# The flip


@rule
def rank(card):
    """From ACE, 2, 3 to the king."""
    return (card - 1) % RANKS + 1


@rule
def wins_flip(card, other):
    """CAR-05: the higher rank; an ace is above all but a two."""
    if rank(card) == ACE:
        return rank(other) != ACE and rank(other) != TWO
    if rank(other) == ACE:
        return rank(card) == TWO
    return rank(card) > rank(other)


@rule
def flip(s):
    """CAR-04, CAR-05: turn over until somebody wins, as long as a track is open and the decks last."""
    while open_tracks(s) > 0 and s.flips < deck_size(s):
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
def to_move(s):
    """The winner of the flip; at the end all who have still to choose."""
    return int(s.owing)


@rule
def forbidden(s, seat, action, track):
    """Why a player who owes a move may not do this with this track."""
    if s.choosing and action != CHOOSE:
        return CHOOSE_NOW
    if not s.choosing and action != PLACE:
        return PLACE_NOW
    if s.choosing and track == -1:  # KEEP
        return LEGAL
    if track < 0 or track >= s.tracks:
        return NO_TRACK
    if s.choosing and s.won_by[track] != 1 + seat:  # CAR-10
        return NOT_WON
    if not s.choosing and s.won_by[track]:  # CAR-06, CAR-09
        return CLOSED
    return LEGAL


@rule
def legal(s, seat, out):
    """The open tracks for the card; at the end to keep what there is, or the spare for an own track."""
    count = 0
    action = CHOOSE if s.choosing else PLACE
    for track in range(-1, s.tracks):
        if forbidden(s, seat, action, track) == LEGAL:
            out[count] = action * NUMBERS + track + 1
            count += 1
    return count


@rule
def refusal(s, seat, move):
    """Any move."""
    return forbidden(s, seat, move // NUMBERS, move % NUMBERS - 1)


@rule
def apply(s, seat, move):
    """Put the card that won on a track and turn over the next ones, or choose about the spare."""
    if move // NUMBERS != PLACE:
        choose(s, seat, move)
        return
    track = move % NUMBERS - 1
    place(s, seat, track)
    if s.step[seat, track] == s.track_length:  # CAR-09 this turns over the winner's card
        s.won_by[track] = 1 + seat
    flip(s)


@rule
def steps_forward(card, last):
    """CAR-07: higher than the last; CAR-08 an ace goes on anything, and is below anything."""
    return rank(card) == ACE or rank(card) > rank(last)


@rule
def landing(s, seat, track, card):
    """The step of a player's lane on which this card would lie."""
    step = int(s.step[seat, track])
    if step == 0 or steps_forward(card, int(s.last[seat, track])):  # CAR-06 the first step whatever lies there
        return step + 1
    return step


@rule
def place(s, seat, track):
    """CAR-06, CAR-07: on the next step or on top of the last card."""
    card = int(s.deck[seat, s.flips - 1])
    step = landing(s, seat, track, card)
    s.placed[s.flips - 1] = (track + 1) * NUMBERS + step
    s.step[seat, track] = step
    s.last[seat, track] = card
    if s.lanes == SHARED:
        s.last[1 - seat, track] = card


@rule
def open_tracks(s):
    """The tracks that nobody has won."""
    count = 0
    for track in range(s.tracks):
        count += s.won_by[track] == 0
    return count


@rule
def tracks_won(s, seat):
    """The tracks that a player has won."""
    count = 0
    for track in range(s.tracks):
        count += s.won_by[track] == 1 + seat
    return count


@rule
def begin_choice(s):
    """CAR-10, CAR-13: all who have won a track choose, at once; with nobody to choose the game is over."""
    s.choosing = 1
    s.owing = 0
    for seat in range(2):
        if tracks_won(s, seat) > 0:
            s.owing |= 1 << seat
    end_if_all_chose(s)


@rule
def choose(s, seat, move):
    """CAR-10: final, and shown only when all have chosen."""
    s.choice[seat] = move
    s.owing &= ~(1 << seat)
    end_if_all_chose(s)


# The end


@rule
def end_if_all_chose(s):
    """CAR-10: the spares that were chosen are turned over."""
    if s.owing == 0:
        s.ended = ALL_WON if open_tracks(s) == 0 else DECKS_OUT


@rule
def ending(s):
    """With all tracks won, or the decks run out before (CAR-13)."""
    return int(s.ended)


@rule
def points(card):
    """CAR-11."""
    if rank(card) == ACE:
        return -1
    return 2 if rank(card) >= JACK else 1


@rule
def winning_card(s, track):
    """The card that counts for who won the track: the one at the centre, or the spare in its place."""
    seat = int(s.won_by[track]) - 1
    if s.ended and s.choice[seat] == KEEP + track + 1:
        return int(s.spare[seat])
    return int(s.centre[seat, track])


@rule
def standing(s, seat):
    """CAR-11 the score; CAR-12 then it is better to have won fewer tracks."""
    score = 0
    for track in range(s.tracks):
        if s.won_by[track] == 1 + seat:
            score += points(winning_card(s, track))
    return score, -tracks_won(s, seat)


@rule
def result(s, scores, places):
    """CAR-12, and CAR-13 a draw if the tracks are equal too."""
    for seat in range(2):
        own, other = standing(s, seat), standing(s, 1 - seat)
        scores[seat] = own[0]
        places[seat] = 2 if own < other else 1


# What a chair knows


@rule
def copy_public(source, target):
    """Everything on the table that all can see."""
    target.players = source.players
    target.track_length = source.track_length
    target.tracks = source.tracks
    target.lanes = source.lanes
    target.flips = source.flips
    target.owing = source.owing
    target.choosing = source.choosing
    target.ended = source.ended
    target.winner = source.winner
    target.placed = source.placed
    target.step = source.step
    target.last = source.last
    target.won_by = source.won_by


@rule
def view(s, seat, v):
    """CAR-14: the table and all cards turned over; the own choice, and the other's when both are in."""
    copy_public(s, v)
    v.seat = seat
    v.deck_left = deck_size(s) - s.flips
    for track in range(s.tracks):
        if s.won_by[track]:
            v.points[track] = points(winning_card(s, track))
        elif not s.choosing:
            mover = int(s.winner[s.flips - 1]) - 1
            v.landing[track] = landing(s, mover, track, int(s.deck[mover, s.flips - 1]))
    for player in range(2):
        for track in range(s.tracks):
            if s.won_by[track] == 1 + player:
                v.centre[player, track] = s.centre[player, track]
        for i in range(s.flips):
            v.deck[player, i] = s.deck[player, i]
        if s.ended or player == seat:
            v.choice[player] = s.choice[player]
        if s.ended and s.choice[player] > KEEP:
            v.spare[player] = s.spare[player]


@rule
def imagine(v, rng, s):
    """Lay each player's unseen cards where cards lie face down, and guess a choice that is not shown yet."""
    copy_public(v, s)
    s.centre = v.centre
    s.spare = v.spare
    s.deck = v.deck
    s.choice = v.choice
    unseen = np.empty(CARDS, np.int64)
    out = np.empty(MOVES, np.int64)
    for seat in range(2):
        shuffle(rng, unseen, unseen_cards(s, seat, unseen))
        lay(s, seat, unseen)
        if has_chosen(s, seat) and s.choice[seat] == 0:
            s.choice[seat] = out[below(rng, legal(s, seat, out))]


@rule
def has_chosen(s, seat):
    """CAR-10: that a choice was made is public."""
    return bool(s.choosing) and tracks_won(s, seat) > 0 and not (s.owing >> seat) & 1


@rule
def unseen_cards(s, seat, unseen):
    """The cards of a player that do not lie open in `s`, in order; how many there are."""
    seen = np.zeros(1 + CARDS, np.int64)
    for track in range(TRACKS):
        seen[s.centre[seat, track]] = 1
    seen[s.spare[seat]] = 1
    for i in range(s.flips):
        seen[s.deck[seat, i]] = 1
    count = 0
    for card in range(1, 1 + CARDS):
        if not seen[card]:
            unseen[count] = card
            count += 1
    return count


@rule
def cover(s, seat):
    """CAR-14: the order of the decks, centre cards and spares that lie face down, the other's choice until the end."""
    for player in range(2):
        for i in range(s.flips, FLIPS):
            s.deck[player, i] = 0
        for track in range(TRACKS):
            if s.won_by[track] != 1 + player:
                s.centre[player, track] = 0
        if not s.ended or s.choice[player] <= KEEP:
            s.spare[player] = 0
        if not s.ended and player != seat:
            s.choice[player] = 0
