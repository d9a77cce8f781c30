"""A rule of thumb for Dunes: make the move after which one's own caravans promise most.

A caravan on its way promises the cards that can still follow: those in hand, and of the unseen ones the share that
will be drawn. One that has not begun promises as much less its cost, and never less than nothing, for it can be left.
"""

COLOURS = ("amber", "blue", "coral", "dusk")
DOUBT = 1.0  # in points: how far a promise may still change before a caravan has to begin


def choose(view, moves):
    """The move with the greatest promise; of equals the one that gives the lowest card away."""
    table, seat = view["table"], view["seat"]
    caravans = [[[value(card) for card in side["caravan"][name]] for name in COLOURS] for side in table["seats"]]
    hand = [[value(card) for card in table["hand"] if card and card[0] == name[0]] for name in COLOURS]
    sold = [[value(card) for card in table["sold"] if card and card[0] == name[0]] for name in COLOURS]
    seen = [{number for numbers in piles for number in numbers} for piles in zip(*caravans, hand, sold)]
    unseen = [[number for number in range(2, 10) if number not in numbers] for numbers in seen]
    draws = (table["pile_count"] + 1) // 2
    share = draws / max(1, sum(map(len, unseen)))

    def promise(colour, held, last, begun):
        to_come = sum(n for n in held if n > last) + share * sum(n for n in unseen[colour] if n > last)
        return to_come if begun else positive(to_come - view["options"]["cost"])

    def outlook(move):
        card, total = move.removeprefix("-"), 0.0
        for colour, name in enumerate(COLOURS):
            held, mine = hand[colour], caravans[seat][colour]
            last, begun = max(mine, default=0), bool(mine)
            if card[0] == name[0]:
                held = [n for n in held if n != value(card)]
                if move == card:
                    total += value(card) - (0 if begun else view["options"]["cost"])
                    last, begun = value(card), True
            total += promise(colour, held, last, begun)
        return total, -value(card)

    return max(moves, key=outlook)


def value(card):
    return int(card[1:])


def positive(points):
    """What a choice between these points and none is worth while they are in doubt."""
    return (points + (points * points + 4 * DOUBT * DOUBT) ** 0.5) / 2
