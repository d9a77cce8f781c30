"""The seats by their colours: a module of its own, so that no rule is compiled anew for a change in words of events."""

SEATS = ("Blue", "Red", "Gold", "Green", "Wine", "White")
"""How the seats are called at the table."""
