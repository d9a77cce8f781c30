"""Playing in a terminal: the screen and its curtain, pictures, menus, saved games and the turns between them."""
