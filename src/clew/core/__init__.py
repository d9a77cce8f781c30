"""The engine: what a game is, a table, records, options, views, and how rules become machine code.

An author of a game needs `rule`, `fields`, `record`, `Choice`, `Range`, the random numbers `below` and `shuffle`,
and for the words `Cast`, `Event`, `IllegalMove` and the readers of written deals in `clew.core.deals`.
"""

from clew.core.cards import sort
from clew.core.cast import Cast
from clew.core.declare import (
    FLAG,
    SEAT,
    Cube,
    Grid,
    Kind,
    Pieces,
    Record,
    Row,
    choice,
    count,
    fields,
    interchangeable,
    option,
    own,
    public,
    seats,
    secret,
    seen,
    told,
)
from clew.core.derive import copy_head
from clew.core.errors import BadDeal, IllegalMove, quoted, shortened
from clew.core.events import SEAT_STYLES, SEATS, Event, listing, plural, suited
from clew.core.forms import Form, Moves
from clew.core.game import record
from clew.core.kernels import apart, room, rule
from clew.core.options import Choice, Range
from clew.core.protocol import LEGAL, SPECTATOR
from clew.core.reasons import Reason
from clew.core.rng import below, shuffle

__all__ = [
    "FLAG",
    "LEGAL",
    "SEAT",
    "SEATS",
    "SEAT_STYLES",
    "SPECTATOR",
    "BadDeal",
    "Cast",
    "Choice",
    "Cube",
    "Event",
    "Form",
    "Grid",
    "IllegalMove",
    "Kind",
    "Moves",
    "Pieces",
    "Range",
    "Reason",
    "Record",
    "Row",
    "apart",
    "below",
    "choice",
    "copy_head",
    "count",
    "fields",
    "interchangeable",
    "listing",
    "option",
    "own",
    "plural",
    "public",
    "quoted",
    "record",
    "room",
    "rule",
    "seats",
    "secret",
    "seen",
    "shortened",
    "shuffle",
    "sort",
    "suited",
    "told",
]
