"""What is secret to a chair at Aathenuo, stated by hand: a second opinion on what the rules declare."""

FACES = 9
PASSES = 2


def cover(s, seat):
    """AAT-04: the numbers and stars of the others, though not their colours, and the bag's order; AAT-13: not racks."""
    s.bag[s.top :] = 0
    for other in range(s.players):
        if other != seat and s.ended != PASSES:
            colours = s.rack[other].reshape(-1, FACES).sum(axis=1)
            s.rack[other] = 0
            s.rack[other, ::FACES] = colours
