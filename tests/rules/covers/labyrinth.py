"""LAB-12 stated a second time: what a chair of Labyrinth does not see."""

SEATS, NO_CARD = 6, -1


def cover(s, seat):
    """Hide which cards the others hold, though not how many, and the deck's order."""
    s.deck[s.deck != NO_CARD] = 0
    for other in range(SEATS):
        if other != seat:
            s.hands[other][s.hands[other] != NO_CARD] = 0
