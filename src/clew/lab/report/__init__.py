"""The report for people: words on top, and one self-contained page."""
