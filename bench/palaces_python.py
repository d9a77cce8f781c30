"""The Lost Palaces in plain Python, written from the rule sheet and without Clew: a second opinion on the rules.

It is the game that OpenSpiel plays in `bench/peer.py`, and as quick as plain Python allows: a copy shares what never
changes, the pile is read by an index, and scores are counted at the end only. Options as they are by default.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

PALACES = "KMPZ"
KINDS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "A", "X")
CARDS = [palace + kind for palace in PALACES for kind in KINDS]
COPIES = [3 if card[1:] == "A" else 2 for card in CARDS]  # PAL-01
DECK, HAND = sum(COPIES), 8
PALACE = [PALACES.index(card[0]) for card in CARDS]
NUMBER = [int(card[1:]) if card[1:].isdigit() else 0 for card in CARDS]
ARIADNE = [card[1:] == "A" for card in CARDS]
MINOTAUR = [card[1:] == "X" for card in CARDS]

# An action is a use of a card: use * len(CARDS) + card. On the board: advance or attack.
DISCARD, ON_THE_BOARD, START_ARCHAEOLOGIST, START_THESEUS = range(4)
ACTIONS = 4 * len(CARDS)
WRITTEN = [f"-{card}" for card in CARDS] + CARDS + [f"{card}:a" for card in CARDS] + [f"{card}:t" for card in CARDS]
ACTION = {text: action for action, text in enumerate(WRITTEN)}

NOBODY, ARCHAEOLOGIST, THESEUS = range(3)
STEP_POINTS = (0, -20, -15, -10, 5, 10, 15, 30, 35, 50)  # PAL-03
STATUE_POINTS = (0, -20, -15, 5, 15, 30, 45, 55, 70, 90, 100)  # PAL-18
RARE_POINTS = (25, 25, 35, 25)  # PAL-04
END, SAFE, ENOUGH = 9, 7, 4  # PAL-10, PAL-14, PAL-17

SITE_STEPS = (2, 4, 6, 8, 9)  # PAL-04
SITES = len(PALACES) * len(SITE_STEPS)  # a site is palace * 5 + how far
FINDS = ("R", "S", "F15", "F20")
RARE, STATUE, FRESCO15, FRESCO20 = range(4)
OTHERS = [STATUE] * 10 + [FRESCO15] * 3 + [FRESCO20] * 3  # PAL-04, PAL-05
DUG = {  # the sites that a step forward lands on or passes
    (palace, at, goal): tuple(5 * palace + i for i, step in enumerate(SITE_STEPS) if at < step <= goal)
    for palace in range(len(PALACES))
    for at in range(1, END)
    for goal in (at + 1, at + 2)
}


class Deal(NamedTuple):
    """All the luck of a game: who begins, the hands, the pile as it is drawn, and what lies where."""

    first: int
    hands: tuple[Sequence[int], Sequence[int]]
    pile: Sequence[int]
    finds: Sequence[int]


def read_deal(lines: Mapping[str, str]) -> Deal:
    """A deal as records write it."""
    hands, pile = [], [CARDS.index(card) for card in lines["pile"].split()]
    for seat in range(2):
        hands.append([CARDS.index(card) for card in lines[f"hand {seat}"].split()])
    finds = [FINDS.index(find) for palace in PALACES for find in lines[f"finds {palace}"].split()]
    return Deal(int(lines["first"]), (hands[0], hands[1]), pile, finds)


class Palaces:
    """A game in progress. Pawns, steps and last cards of player p at a palace stand at 4 * p + palace."""

    __slots__ = ("arrived", "drawn", "dug", "finds", "first", "hands", "last", "log", "over", "pawns", "pile", "steps")

    def __init__(self, deal: Deal) -> None:
        self.first = deal.first
        self.hands = (sorted(deal.hands[0]), sorted(deal.hands[1]))
        self.pile = tuple(deal.pile)
        self.finds = tuple(deal.finds)
        self.drawn = 0
        self.pawns, self.steps, self.last = [NOBODY] * 8, [0] * 8, [0] * 8
        self.dug = [0, 0]  # which sites each has a find or a photo of, as bits
        self.arrived = 0  # pawns on step 7 or beyond: safe from attack, so they never leave
        self.log: list[int] = []
        self.over = False

    def copy(self) -> Palaces:
        """A game that goes its own way from here."""
        twin = Palaces.__new__(Palaces)
        twin.first, twin.pile, twin.finds = self.first, self.pile, self.finds
        twin.hands = (self.hands[0][:], self.hands[1][:])
        twin.drawn, twin.arrived, twin.over = self.drawn, self.arrived, self.over
        twin.pawns, twin.steps, twin.last = self.pawns[:], self.steps[:], self.last[:]
        twin.dug, twin.log = self.dug[:], self.log[:]
        return twin

    def __deepcopy__(self, memo: object) -> Palaces:
        return self.copy()

    @property
    def turn(self) -> int:
        """Whose turn it is; the players take turns."""
        return (self.first + len(self.log)) & 1

    def legal(self) -> list[int]:
        """All moves of the one whose turn it is, in ascending order."""
        me = (self.first + len(self.log)) & 1
        own, other = 4 * me, 4 - 4 * me
        pawns, steps, last = self.pawns, self.steps, self.last
        mine = pawns[own : own + 4]
        archaeologist, theseus = mine.count(ARCHAEOLOGIST) < 3, THESEUS not in mine  # PAL-02
        moves, board, starts, heroic = [], [], [], []
        before = -1
        for card in self.hands[me]:
            if card == before:
                continue
            before = card
            moves.append(card)  # PAL-16
            palace = PALACE[card]
            number = NUMBER[card]
            if number:
                at = own + palace
                if not pawns[at]:  # PAL-07
                    if archaeologist:
                        starts.append(card + 96)
                    if theseus:
                        heroic.append(card + 144)
                elif number >= last[at] and steps[at] < END:  # PAL-08, PAL-10
                    board.append(card + 48)
            elif ARIADNE[card]:
                if 0 < steps[own + palace] < END:  # PAL-09, PAL-10
                    board.append(card + 48)
            elif 0 < steps[other + palace] < SAFE:  # PAL-14
                board.append(card + 48)
        moves += board
        moves += starts
        moves += heroic
        return moves

    def play(self, action: int) -> None:
        """Make a legal move."""
        me = (self.first + len(self.log)) & 1
        use, card = divmod(action, 48)
        self.log.append(action)
        hand = self.hands[me]
        hand.remove(card)
        if use:
            palace = PALACE[card]
            at = 4 * me + palace
            if use >= START_ARCHAEOLOGIST:  # PAL-07: there is no site on step 1
                self.pawns[at] = use - 1
                self.steps[at] = 1
                self.last[at] = NUMBER[card]
            elif MINOTAUR[card]:
                foe = at ^ 4
                if self.pawns[foe] == ARCHAEOLOGIST:  # PAL-13 Theseus parries
                    self.steps[foe] = max(1, self.steps[foe] - 2)  # PAL-12
            else:
                step = self.steps[at]
                if ARIADNE[card]:  # PAL-09 the last number stays
                    goal = min(step + 2, END)
                else:  # PAL-08
                    goal = step + 1
                    self.last[at] = NUMBER[card]
                self.steps[at] = goal
                for site in DUG[palace, step, goal]:
                    self.dig(me, site)
                if step < SAFE <= goal:
                    self.arrived += 1
                    if self.arrived == ENOUGH:  # PAL-17 (b): nothing is drawn any more
                        self.over = True
                        return
        insort(hand, self.pile[self.drawn])  # PAL-06
        self.drawn += 1
        if self.drawn == len(self.pile):  # PAL-17 (a)
            self.over = True

    def dig(self, me: int, site: int) -> None:
        """PAL-11: a statue or rare find goes to the first, a fresco is photographed by both."""
        bit = 1 << site
        if self.finds[site] >= FRESCO15 or not (self.dug[0] | self.dug[1]) & bit:
            self.dug[me] |= bit

    def standing(self, player: int) -> tuple[int, int, int, int]:
        """PAL-18, PAL-19: the score, then what decides a tie: rare finds, frescoes, statues."""
        score = rares = frescoes = statues = 0
        for at in range(4 * player, 4 * player + 4):
            score += STEP_POINTS[self.steps[at]] * (2 if self.pawns[at] == THESEUS else 1)
        dug = self.dug[player]
        for site, find in enumerate(self.finds):
            if dug >> site & 1:
                if find == STATUE:
                    statues += 1
                elif find == RARE:
                    rares += 1
                    score += RARE_POINTS[site // 5]
                else:
                    frescoes += 1
                    score += 15 if find == FRESCO15 else 20
        return score + STATUE_POINTS[statues], rares, frescoes, statues

    def resample(self, player: int, chance: Callable[[], float]) -> Palaces:
        """A world that `player` cannot tell from this one, each as likely: other cards and finds where none was seen.

        What a player has seen: the own hand, every card played and what was dug up. Nothing tells where the other cards
        are. `chance` gives numbers from 0 to 1. The game must go on; what was drawn before is gone from the pile.
        """
        left = COPIES[:]
        for card in self.hands[player]:
            left[card] -= 1
        for action in self.log:
            left[action % 48] -= 1
        unseen = [card for card, count in enumerate(left) for _ in range(count)]
        unseen.sort(key=lambda card: chance())
        twin = self.copy()
        theirs = twin.hands[1 - player]
        theirs[:] = sorted(unseen[: len(theirs)])
        twin.pile, twin.drawn = tuple(unseen[len(theirs) :]), 0
        twin.finds = self._bury(chance)
        return twin

    def _bury(self, chance: Callable[[], float]) -> tuple[int, ...]:
        """PAL-04: finds for the closed sites: a rare one where the palace has shown none, the others at random."""
        opened = self.dug[0] | self.dug[1]
        finds = [find if opened >> site & 1 else -1 for site, find in enumerate(self.finds)]
        others = OTHERS[:]
        for find in finds:
            if find > RARE:
                others.remove(find)
        others.sort(key=lambda find: chance())
        for begin in range(0, SITES, 5):
            if RARE not in finds[begin : begin + 5]:
                closed = [site for site in range(begin, begin + 5) if finds[site] < 0]
                finds[closed[int(chance() * len(closed))]] = RARE
        return tuple([others.pop() if find < 0 else find for find in finds])

    def hand_text(self, player: int) -> str:
        """The cards that a player holds."""
        return " ".join([CARDS[card] for card in self.hands[player]])

    def log_text(self) -> str:
        """Everything that was played, in order."""
        return " ".join([WRITTEN[action] for action in self.log])

    def finds_text(self) -> str:
        """What lies at each site, a point where nobody has dug."""
        opened = self.dug[0] | self.dug[1]
        return " ".join([FINDS[find] if opened >> site & 1 else "." for site, find in enumerate(self.finds)])
