"""Doors to others' tools: each is optional, and what goes out is made from views, as for any other chair."""
