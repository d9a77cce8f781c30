"""Doors: the games in the tools that researchers use. What goes out is made from views, as for any other chair."""
