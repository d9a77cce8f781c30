"""The engine: what a game is, a table, records, options, views, and how rules become machine code.

An author of a game declares by `Record`, `Pieces`, `Moves`, `Form` and `Reason`, with `option`, `public`, `own`,
`secret`, `seen` and `told`; writes rules with `rule`, `below`, `shuffle`, `sort`, `index_of`, `count_of` and `fill`;
and for words of one's own has `Cast`, `Event`, `IllegalMove` and the readers of written deals in `clew.core.deals`.
"""

from clew.core.cards import count_of, fill, index_of, sort
from clew.core.cast import Cast
from clew.core.declare import (
    FLAG,
    SEAT,
    Cube,
    Floats,
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
from clew.core.errors import BadDeal, IllegalMove, capital, quoted, shortened
from clew.core.events import SEAT_STYLES, SEATS, Event, listing, plural
from clew.core.forms import Form, Moves
from clew.core.game import record
from clew.core.kernels import no_inline, rule, scratch
from clew.core.options import Choice, Range
from clew.core.playing_cards import suited
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
    "Floats",
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
    "below",
    "capital",
    "choice",
    "copy_head",
    "count",
    "count_of",
    "fields",
    "fill",
    "index_of",
    "interchangeable",
    "listing",
    "no_inline",
    "option",
    "own",
    "plural",
    "public",
    "quoted",
    "record",
    "rule",
    "scratch",
    "seats",
    "secret",
    "seen",
    "shortened",
    "shuffle",
    "sort",
    "suited",
    "told",
]
