"""Bots: search written once for all games, levels, and the arena that shows how strong they are.

A bot is shown a view and nothing else. It imagines worlds that the view allows, plays them out with the game's own
rules, and makes the move that does best.
"""
