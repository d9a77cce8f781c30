"""The cards of Labyrinth: their treasures, their paths, and which of them show a treasure of each other."""

from __future__ import annotations

import numpy as np

CARDS = 50
SIDES = 4  # north, east, south, west: bit i of a set of sides
STRAIGHT, BEND, TEE = 0b0101, 0b0011, 0b0111  # the open sides of a card as it is printed
ROTATIONS = 4

TREASURE_NAMES = (
    *("candelabra", "crown", "ghost", "troll", "map", "money bag", "key", "ring", "sword", "helmet", "book", "gem"),
    *("owl", "bat", "dragon", "mouse", "spider", "beetle", "lizard", "genie", "chest", "skull", "lantern", "goblet"),
    "horn",
)
# LAB-01 two treasures and a shape a card
TREASURES_OF = tuple((k, (k + 1) % 25) if k < 25 else (k - 25, (k - 18) % 25) for k in range(CARDS))
SHAPE_OF = tuple(STRAIGHT if 7 * k % 50 < 13 else BEND if 7 * k % 50 < 32 else TEE for k in range(CARDS))
OPEN = np.zeros((CARDS, ROTATIONS), np.int64)  # the open sides, turned; none where a card has no such rotation
for _card, _shape in enumerate(SHAPE_OF):
    for _rotation in range(2 if _shape == STRAIGHT else ROTATIONS):
        OPEN[_card, _rotation] = (_shape << _rotation | _shape << _rotation >> SIDES) & 0b1111
MATES = 6  # each treasure of a card is on three others, and no other card has both
MATES_OF = np.array(
    [[k for k in range(CARDS) if len({*TREASURES_OF[k], *TREASURES_OF[card]}) == 3] for card in range(CARDS)], np.int64
)
SPOKEN = [f"the {TREASURE_NAMES[one]} and {TREASURE_NAMES[other]} card" for one, other in TREASURES_OF]
