"""Protobuf's wire format, read and written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlaport.verify.wire import encoded, fields, message_of, numbers_of, rewritten

VALUES = st.lists(st.tuples(st.integers(1, 5000), st.integers(0, 2**64 - 1) | st.binary(max_size=300)))


@given(VALUES)
def test_what_is_written_is_read(values: list[tuple[int, int | bytes]]) -> None:
    assert list(fields(encoded(values))) == values


@given(VALUES)
def test_what_nothing_is_made_of_stays_to_the_byte(values: list[tuple[int, int | bytes]]) -> None:
    data = encoded(values) + b"\x0d\x01\x02\x03\x04" + b"\x09\x01\x02\x03\x04\x05\x06\x07\x08"  # fixed32, fixed64
    assert rewritten(data, lambda number, value: None) == data


def test_one_field_is_replaced() -> None:
    inner = encoded([(1, 7), (2, b"old")])
    outer = encoded([(3, inner), (4, 1), (3, inner)])
    made = rewritten(outer, lambda number, value: encoded([(2, b"new")]) if number == 3 else None)
    assert message_of(made) == {3: [encoded([(2, b"new")])] * 2, 4: [1]}


def test_a_kind_that_is_none_is_said() -> None:
    with pytest.raises(ValueError, match="wire type 3"):
        message_of(b"\x0b")


def test_negative_numbers_and_packed_ones() -> None:
    assert numbers_of([2**64 - 1, b"\x05\x80\x01"]) == [-1, 5, 128]
