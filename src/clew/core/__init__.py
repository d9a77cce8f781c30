"""The engine: what a game is, a table, records, options, views, and how rules become machine code.

An author of a game needs `rule`, `fields`, `record`, `Choice`, `Range`, the random numbers `below` and `shuffle`,
and for the words `Cast`, `Event`, `IllegalMove` and the readers of written deals in `clew.core.deals`.
"""

from clew.core.cards import sort
from clew.core.cast import Cast
from clew.core.errors import BadDeal, IllegalMove, quoted, shortened
from clew.core.events import SEAT_STYLES, SEATS, Event, listing, plural, suited
from clew.core.game import fields, record
from clew.core.kernels import no_inline, rule, scratch
from clew.core.options import Choice, Range
from clew.core.protocol import LEGAL, SPECTATOR
from clew.core.rng import below, shuffle

__all__ = [
    "LEGAL",
    "SEATS",
    "SEAT_STYLES",
    "SPECTATOR",
    "BadDeal",
    "Cast",
    "Choice",
    "Event",
    "IllegalMove",
    "Range",
    "below",
    "fields",
    "listing",
    "no_inline",
    "plural",
    "quoted",
    "record",
    "rule",
    "scratch",
    "shortened",
    "shuffle",
    "sort",
    "suited",
]
