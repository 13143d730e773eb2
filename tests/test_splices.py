"""Splices: applied together, told apart where they overlap, and traced back to the old text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlaport.layout import laid_out
from xlaport.rule import Span
from xlaport.splices import Shift, Splice, SpliceSet, apply, once


def test_at_one_place_they_keep_their_order() -> None:
    assert apply("ab", [Splice(1, 1, "1"), Splice(1, 1, "2")]) == "a12b"
    assert apply("abc", [Splice(1, 2, "x"), Splice(1, 1, "1"), Splice(2, 2, "2")]) == "a1x2c"


def test_only_one_of_equal_insertions_stays_but_what_moves_is_never_lost() -> None:
    added, moved = Splice(1, 1, "x"), Splice(1, 1, "x", Span(2, 3), copied=True)
    again = Splice(1, 1, "x", Span(4, 5), copied=True)
    found = once([added, moved, added, again, moved])
    assert [(splice.origin, splice.copied) for splice in found] == [
        (None, False),
        (Span(2, 3), True),
        (Span(4, 5), True),
    ]


CONFLICTS = [
    ((1, 1), (1, 1), False),
    ((1, 1), (1, 3), False),
    ((3, 3), (1, 3), False),
    ((1, 3), (3, 5), False),
    ((2, 2), (1, 3), True),
    ((1, 3), (2, 4), True),
    ((1, 5), (2, 3), True),
    ((1, 3), (1, 3), True),
]


@pytest.mark.parametrize(("one", "other", "conflict"), CONFLICTS)
def test_they_conflict_where_they_share_text(one: tuple[int, int], other: tuple[int, int], conflict: bool) -> None:
    first, second = Splice(*one, "x"), Splice(*other, "y")
    assert first.conflicts(second) is conflict
    assert second.conflicts(first) is conflict


SPLICES = st.builds(
    lambda start, length, text: Splice(start, start + length, text),
    st.integers(0, 30), st.integers(0, 4), st.sampled_from(["", "x", "yz\n"]),
)  # fmt: skip


@given(st.lists(SPLICES, max_size=15), SPLICES)
def test_a_set_admits_what_conflicts_with_none(splices: list[Splice], another: Splice) -> None:
    taken: list[Splice] = []
    chosen = SpliceSet()
    for splice in [*splices, another]:
        expected = not any(splice.conflicts(other) for other in taken if other != splice)
        assert chosen.admits([splice]) is expected
        if expected:
            chosen.add([splice])
            taken.append(splice)


@given(st.lists(SPLICES, max_size=8))
def test_what_was_not_touched_is_found_where_it_was(splices: list[Splice]) -> None:
    old = "".join(chr(ord("A") + i) for i in range(40))
    together = SpliceSet()
    chosen: list[Splice] = []
    for splice in dict.fromkeys(splices):
        if together.admits([splice]) and all(not splice.conflicts(other) for other in chosen):
            together.add([splice])
            chosen.append(splice)
    new, shift = apply(old, chosen), Shift(chosen)
    for offset, character in enumerate(new):
        if character in old:
            assert old[shift.before(offset)] == character
            assert old[shift.end_before(offset + 1) - 1] == character
    assert all(0 <= shift.before(o) <= shift.end_before(o + 1) <= len(old) for o in range(len(new)))


class TestShift:
    def test_new_text_stands_for_what_it_replaced(self) -> None:
        shift = Shift([Splice(2, 5, "new text")])
        assert [shift.before(o) for o in (1, 2, 6, 10)] == [1, 2, 2, 5]
        assert [shift.end_before(o) for o in (2, 3, 10, 11)] == [2, 5, 5, 6]

    def test_new_text_with_an_origin_stands_for_that(self) -> None:
        shift = Shift([Splice(9, 9, "new", origin=Span(2, 5))])
        assert (shift.before(10), shift.end_before(11)) == (2, 5)

    def test_copied_text_is_traced_character_by_character(self) -> None:
        shift = Shift([Splice(0, 4, ""), Splice(9, 9, "copy", origin=Span(0, 4), copied=True)])
        assert [shift.before(o) for o in (0, 5, 6, 7)] == [4, 0, 1, 2]
        assert shift.end_before(9) == 4


@pytest.mark.parametrize(
    ("text", "gone", "expected"),
    [
        ("a\n\nb\n\nc\n", ["b\n"], "a\n\nc\n"),
        ("a\n\nb1\nb2\n\nc\n", ["b1\n", "b2\n"], "a\n\nc\n"),
        ("a\r\n\r\nb1\r\nb2\r\n\r\nc\r\n", ["b1\r\n", "b2\r\n"], "a\r\n\r\nc\r\n"),
        ("a\n\nb\n\nc\n\nd\n", ["b\n", "c\n"], "a\n\nd\n"),
        # A part of a paragraph, one at an edge, and a piece of a line leave the blank lines alone.
        ("a\n\nb1\nb2\n\nc\n", ["b2\n"], "a\n\nb1\n\nc\n"),
        ("a\nb\n\nc\n", ["b\n"], "a\n\nc\n"),
        ("a\n\nb\n\nc\n", ["b"], "a\n\n\n\nc\n"),
        # At the end of the text all of them go.
        ("a\n\nb\n", ["b\n"], "a\n"),
        ("a\n  \n\nb\nc", ["b\n", "c"], "a\n"),
        ("a\nb\n", ["b\n"], "a\n"),
        ("\n\nb\n", ["b\n"], "\n"),
        ("a1\na2\n\n\nb\n", ["a1\n", "a2\n"], "b\n"),
        ("a1\na2\n\nb\n", ["a1\n"], "a2\n\nb\n"),
    ],
)
def test_a_paragraph_goes_with_one_of_its_blank_lines(text: str, gone: list[str], expected: str) -> None:
    splices = [Splice(text.index(piece), text.index(piece) + len(piece), "") for piece in gone]
    assert apply(text, laid_out(text, splices)) == expected


@pytest.mark.parametrize(
    ("text", "renamed", "expected"),
    [
        ("f(a,\n  b)\n", {"f": "longer"}, "longer(a,\n       b)\n"),
        ("long(a,\n     b,\n     # of c\n\n     c)\n", {"long": "g"}, "g(a,\n  b,\n  # of c\n\n  c)\n"),
        # What was aligned to a line that moves goes with it.
        ("f(g(a,\n    b(c,\n      d)),\n  e)\n", {"f": "xyz"}, "xyz(g(a,\n      b(c,\n        d)),\n    e)\n"),
        ("f(a,\n  g(b,\n    c))\n", {"g": "xyz"}, "f(a,\n  xyz(b,\n      c))\n"),
        ("f(a,\n  b)", {"f": "longer"}, "longer(a,\n       b)"),
        ("x = f(g(a,\n        b))\n", {"f(": "", "))": ")"}, "x = g(a,\n      b)\n"),
        # What was not aligned stays, and so does the inside of a string, what is indented by a tab, and other code.
        ("f(a,\n    b)\n", {"f": "longer"}, "longer(a,\n    b)\n"),
        ("f(\n  a,\n  b)\n", {"f": "longer"}, "longer(\n  a,\n  b)\n"),
        ('f("""(a,\n  b""",\n  c)\n', {"f": "xyz"}, 'xyz("""(a,\n  b""",\n    c)\n'),
        ("f(a,\n\t\tb)\n", {"f": "longer"}, "longer(a,\n\t\tb)\n"),
        ("f(a)\nif b:\n  c\n", {"f": "longer"}, "longer(a)\nif b:\n  c\n"),
        # An argument that is replaced moves with its bracket; a line that a splice rewrites is left to it.
        ("f(a,\n  b)\n", {"f": "xyz", "a": "aaa", "b": "bbb"}, "xyz(aaa,\n    bbb)\n"),
        ("f(a,\n  b)\n", {"f": "xyz", ",\n  b": ", c"}, "xyz(a, c)\n"),
    ],
)
def test_what_is_aligned_to_a_bracket_moves_with_it(text: str, renamed: dict[str, str], expected: str) -> None:
    splices = [Splice(text.index(old), text.index(old) + len(old), new) for old, new in renamed.items()]
    assert apply(text, laid_out(text, splices)) == expected


def test_a_paragraph_that_is_replaced_keeps_its_blank_lines() -> None:
    text = "a\n\nb1\nb2\n\nc\n"
    splices = [Splice(3, 6, ""), Splice(6, 9, ""), Splice(9, 9, "new\n")]
    assert apply(text, laid_out(text, splices)) == "a\n\nnew\n\nc\n"
