"""A rule of thumb for Courtiers: count the cards that can be out there, strike where it is likely to hit, keep rank."""

COPIES = {"spy": 5, "duellist": 4, "envoy": 3, "guard": 2, "regent": 2}
RANK = {role: rank for rank, role in enumerate(COPIES, 1)}
LATE = 4  # cards in the pile, from which on the rank of the card in hand decides


def choose(view, moves):
    """The move with the best balance of driving out, being driven out, and what is left in hand."""
    table = view["table"]
    hand = [card for card in table["seats"][view["seat"]]["hand"] if card in COPIES]
    left = dict(COPIES)
    for card in [*table["open"], *hand, table["aside"]]:
        if card in left:
            left[card] -= 1
    unseen = max(1, sum(left.values()))
    late = table["left"] <= LATE

    def balance(move):
        words = move.split()
        played = "duellist" if words[0] == "duel" else words[0]
        kept = hand[1] if hand[0] == played else hand[0]
        lower = sum(left[role] for role in left if RANK[role] < RANK[kept]) / unseen
        higher = sum(left[role] for role in left if RANK[role] > RANK[kept]) / unseen
        threat = 0.25 * left["duellist"] / unseen * higher + 0.25 * left["spy"] / unseen * (kept != "spy")
        rank = lower - higher
        good = (0.5 if late else 0.15) * rank
        if played == "guard":
            return good + (0.3 if late and rank > 0 else 0.1)
        if words[0] == "duel":
            return good + lower - higher - threat
        if played == "spy" and words[1] != "-":
            return good + left[words[2]] / unseen - threat
        if played == "envoy":
            return good - threat + (0.02 if table["aside"] == "?" else 0.0)
        return good - threat

    return max(moves, key=balance)
