"""Rows: records for plain Python, on the memory of NumPy's."""

import numpy as np
import pytest

from clew.core.rows import plainly

INNER = np.dtype([("kind", np.int8), ("at", np.int16, (2,))])  # not aligned, as some rules have it
OUTER = np.dtype(
    [
        ("turn", np.int16),
        ("score", np.int64),
        ("share", np.float64),
        ("over", np.bool_),
        ("step", np.int16, (2, 3)),
        ("last", INNER),
        ("moves", INNER, (4,)),
    ],
    align=True,
)


@pytest.fixture
def records():
    return np.zeros(3, OUTER).view(np.recarray)


def test_a_row_writes_what_the_record_reads_and_the_other_way_round(records):
    row = plainly(records[1])
    row.turn, row.score, row.share, row.over = 7, -(1 << 40), 0.25, True
    row.step[1, 2] = 5
    row.last.kind = 3
    row.moves[2].at[1] = 9
    record = records[1]
    assert (record.turn, record.score, record.share, record.over) == (7, -(1 << 40), 0.25, True)
    assert record.step.tolist() == [[0, 0, 0], [0, 0, 5]]
    assert (record["last"]["kind"], record["moves"][2]["at"].tolist()) == (3, [0, 9])
    records[1].turn = 8
    assert row.turn == 8
    assert records[0].tobytes() == records[2].tobytes() == bytes(OUTER.itemsize)


def test_numbers_are_pythons_own(records):
    row = plainly(records[0])
    row.turn = np.int64(32767)
    assert type(row.turn) is int
    assert row.turn + 1 == 32768
    with pytest.raises(ValueError, match="invalid value"):
        row.turn = 32768


def test_whole_fields_and_whole_records_are_copied(records):
    rows = plainly(records)
    rows[0].step = np.arange(6).reshape(2, 3)
    rows[1].step = rows[0].step
    rows[2] = rows[1]
    rows[1].step[0, 0] = 99
    assert records[2].step.tolist() == [[0, 1, 2], [3, 4, 5]]
    rows[-1] = records[1]
    assert records[2].step[0, 0] == 99
    assert len(rows) == 3 == rows.shape[0]
    assert rows[1:][1].step[0, 0] == 99


def test_a_record_that_is_held_is_the_one_in_the_array(records):
    rows = plainly(records)
    held = rows[1]
    rows[0].turn = 4
    rows[1] = rows[0]
    assert held.turn == 4
    assert plainly(records) is rows  # made once


@pytest.mark.parametrize("at", [3, -4, 100])
def test_an_index_out_of_range_is_an_error(records, at):
    rows = plainly(records)
    with pytest.raises(IndexError):
        rows[at]
    with pytest.raises(IndexError):
        rows[at] = rows[0]


def test_a_field_that_is_not_there_is_an_error(records):
    with pytest.raises(AttributeError):
        plainly(records[0]).nothing = 1


def test_whatever_is_no_record_stays_as_it_is():
    numbers = np.zeros(3)
    assert plainly(numbers) is numbers
    assert plainly(5) == 5
