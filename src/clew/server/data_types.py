"""Names for data whose types are not the server's to say. Each tells why it is `Any`."""

from __future__ import annotations

from typing import Any, TypeAlias

JsonValue: TypeAlias = Any
"""Plain data of JSON. A recursive type would have to be narrowed at each step by everybody who reads it."""

JsonObject: TypeAlias = dict[str, JsonValue]
"""An object of JSON: a view, for one, in which a game puts what it likes."""

Columns: TypeAlias = dict[str, Any]
"""A row of the database or parameters of a statement, by column: of the types that the columns have."""
