"""Rows of games and of moves as files: CSV, and Parquet where pyarrow is installed."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Protocol

from clew.core.errors import ClewError, quoted
from clew.core.types import Integers
from clew.lab.begins import seed_of
from clew.lab.rows import ENDING, WHOLE
from clew.lab.simulation import Play

# `Any` in signatures here: cells are numbers or text, and pyarrow is optional.

OF_MOVES = ("run", "number", "seed", "ply", "seat", "move")
Row = Sequence[Any]


class Writer(Protocol):
    """A file that rows are written to."""

    def write(self, rows: Sequence[Row]) -> None:
        """Write some rows, each with a cell for each column."""

    def close(self) -> None:
        """Finish the file."""


class CsvWriter:
    """Rows as text."""

    def __init__(self, file: Path, columns: Sequence[str]) -> None:
        self._file: IO[str] = file.open("w", encoding="utf-8", newline="")
        self._writer = csv.writer(self._file)
        self._writer.writerow(columns)

    def write(self, rows: Sequence[Row]) -> None:
        self._writer.writerows(rows)

    def close(self) -> None:
        self._file.close()


class ParquetWriter:
    """Rows as columns, compressed. Seeds are text: they may be longer than 64 bits."""

    def __init__(self, file: Path, columns: Sequence[str]) -> None:
        self._arrow, self._parquet = pyarrow()
        text, floats = ("run", "seed", "ending", "move"), ("won_", "behind", "comeback")
        arrow = self._arrow
        kinds = [
            arrow.string() if name in text else arrow.float64() if name.startswith(floats) else arrow.int64()
            for name in columns
        ]
        self._schema = arrow.schema(list(zip(columns, kinds)))
        self._writer: Any = self._parquet.ParquetWriter(file, self._schema)

    def write(self, rows: Sequence[Row]) -> None:
        cells = {name: [row[i] for row in rows] for i, name in enumerate(self._schema.names)}
        cells["seed"] = list(map(str, cells["seed"]))
        self._writer.write_table(self._arrow.table(cells, schema=self._schema))

    def close(self) -> None:
        self._writer.close()


def pyarrow() -> tuple[Any, Any]:
    """The optional library that writes Parquet."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise ClewError("Parquet needs pyarrow: pip install 'clew[parquet]', or write --csv.") from None


class Export:
    """The files that rows go to; a file is there under its name when it is whole."""

    def __init__(self, play: Play, files: Mapping[str, str]) -> None:
        self._writers: dict[str, Writer] = {}
        self._parts: dict[Path, Path] = {}
        if any(kind.startswith("parquet") for kind in files):
            pyarrow()
        columns = ("run", "number", "seed", *play.columns.names)
        for kind, name in files.items():
            file = Path(name)
            part = file.with_name(f"{file.name}.part")
            try:
                part.write_bytes(b"")
                make = ParquetWriter if kind.startswith("parquet") else CsvWriter
                self._writers[kind] = make(part, OF_MOVES if kind.endswith("moves") else columns)
            except OSError as error:
                raise ClewError(f"{quoted(name)} cannot be written: {error.strerror}.") from None
            self._parts[part] = file

    def write(self, run: str, play: Play, first: int, rows: Integers) -> None:
        """Write games from this number on, as they were noted, and their moves."""
        for kind, writer in self._writers.items():
            if kind.endswith("moves"):
                for number in range(first, first + len(rows)):
                    writer.write(list(moves_of(run, play, number)))
            else:
                writer.write([game_row(run, play, first + i, row) for i, row in enumerate(rows.tolist())])

    def close(self) -> None:
        """Finish the files."""
        for writer in self._writers.values():
            writer.close()
        for part, file in self._parts.items():
            os.replace(part, file)


def game_row(run: str, play: Play, number: int, row: Sequence[int]) -> Row:
    """What is noted of a game, with words and shares in place of codes; what is not noted of it is empty."""
    cells: dict[str, Any] = dict(zip(play.columns.names, row))
    cells["ending"] = play.game.endings[row[ENDING] - 1]
    for seat in range(play.players):
        cells[f"won_{seat}"] /= WHOLE
    for name in ("lead_changes", "settled", "behind", "comeback"):
        if number % play.every:
            cells[name] = None
    if cells["behind"] is not None:
        cells["behind"], cells["comeback"] = cells["behind"] / WHOLE, cells["comeback"] / WHOLE
    return (run, number, seed_of(play.seed, number), *cells.values())


def moves_of(run: str, play: Play, number: int) -> Iterator[Row]:
    """The moves of a game as they are written."""
    deal = play.deal(number)
    table = deal.table()
    for ply, (seat, move) in enumerate(play.moves(number)):
        text = str(play.game.words.write(move, table._look(seat)[0]))
        yield run, number, deal.seed, ply, seat, text
        table.make(text, seat)
