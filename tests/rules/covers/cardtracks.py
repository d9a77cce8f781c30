"""What a chair of Cardtracks does not see, stated a second time and by hand."""

ANY_CARD = 1
KEEP = 9


def cover(s, seat):
    """CAR-14: the order of the decks, centre cards and spares that lie face down, the other's choice until the end."""
    for player in range(2):
        s.deck[player, s.flips : 51 - s.tracks] = ANY_CARD
        for track in range(s.tracks):
            if s.won_by[track] != 1 + player:
                s.centre[player, track] = ANY_CARD
        if not s.ended or s.choice[player] <= KEEP:
            s.spare[player] = ANY_CARD
        if not s.ended and player != seat:
            s.choice[player] = 0
