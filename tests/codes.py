"""What nobody should have to read: written moves and the codes of cards, tiles and cells, game by game."""

import importlib
import re

COORDINATES = r"(?<![\d.,])-?\d+,-?\d+"
MOVES = {
    "palaces": r"-?[KMPZ](?:10|[1-9]|A|X):[at]",
    "cardtracks": r">\d|spare \d",
    "labyrinth": r"c\d\dr\d|@|!",
    "ariadne": r"@|swap -?\d|joker -?\d",
    "aathenuo": r"@|\d>|>rack",
}


def names_of(game):
    """The codes of everything that is dealt in a game."""
    rules = importlib.import_module(f"clew.games.{game}.rules")
    pieces = rules.CARD if hasattr(rules, "CARD") else importlib.import_module(f"clew.games.{game}.tiles").TILE
    return [name for name in pieces.pieces if name != "Joker"]


def codes(game):
    """A pattern that finds any of them in a text."""
    cards = "|".join(sorted(map(re.escape, names_of(game)), key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{cards})(?!\w)|{MOVES[game]}|{COORDINATES}")
