"""What the lab found, for people: in words, and as a page with plots."""
