"""The game that `clew new-game` writes, to be changed into another: two players, a hand, a pile, an option."""
