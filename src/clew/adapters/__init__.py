"""Doors to the tools that others use: each is optional, and imported only by who asks for it."""
