"""A rule of thumb for Masks: plan which pairs can win two stages, lay low cards first, unmask before the last card."""

from collections import Counter
from itertools import permutations
from math import exp

STAGES = ("east", "south", "west")


def choose(view, moves):
    """The next step of the plan with the best chances, made anew with all that lies open."""
    table, bonus = view["table"], view["options"]["bonus"]
    mine, theirs = table["seats"][view["seat"]], table["seats"][1 - view["seat"]]
    left = Counter({str(number): 2 for number in range(1, 10)})
    left.subtract(table["hand"])
    for side in (mine, theirs):
        left.subtract(card for stage in STAGES for card in side["mask"][stage] if card in left)
    mean = sum(int(card) * copies for card, copies in left.items()) / max(1, sum(left.values()))

    def strength(side, stage):
        cards = side["mask"][stage]
        known = sum(int(card) for card in cards if card in left) + bonus * sum(side["unmasked"][stage])
        return known, 2 - sum(card in left for card in cards)

    def chance(stage, sum_of_mine):
        known, unknown = strength(theirs, stage)
        return 1 / (1 + exp((known + unknown * mean - sum_of_mine) / 2))

    def two_of_three(sums):
        a, b, c = (chance(stage, sums[stage]) for stage in STAGES)
        return a * b + a * c + b * c - 2 * a * b * c

    base = {stage: strength(mine, stage)[0] for stage in STAGES}
    if len(table["hand"]) == 1 and any(move.startswith("unmask") for move in moves):
        last = next(stage for stage in STAGES if mine["laid"][stage] < 2)
        base[last] += int(table["hand"][0])
        masks = [move for move in moves if move.startswith("unmask")]
        return max(masks, key=lambda move: two_of_three({**base, move.split()[1]: base[move.split()[1]] + bonus}))
    places = [stage for stage in STAGES for _ in range(2 - mine["laid"][stage])]
    plans = {tuple(zip(sorted(table["hand"]), order)) for order in permutations(places)}

    def chances(plan):
        sums = dict(base)
        for card, stage in plan:
            sums[stage] += int(card)
        return two_of_three(sums)

    card, stage = max(sorted(plans), key=chances)[0]
    return f"{card} {stage}"
