"""What is kept of what a script prints."""

from __future__ import annotations

import pytest

from xlaport.verify.failure import find_crash
from xlaport.verify.printed import Printed

SHORT = b"""\
Traceback (most recent call last):
  File "/x/train.py", line 5, in <module>
    raise E
RuntimeError: first line
"""


def printed(text: bytes, size: int) -> Printed:
    output = Printed()
    for start in range(0, len(text), size):
        output.add(text[start : start + size])
    return output


@pytest.mark.parametrize("size", [7, 64, 4096, 65536])
@pytest.mark.parametrize("rest", [b"", b"1.0 2.0\n" * 40000, b"\xc3\xa4" * 70000])
def test_the_line_of_an_exception_is_found_however_much_it_says(rest: bytes, size: int) -> None:
    end = printed(b"step\n" * 20000 + SHORT + rest, size).end
    crash = find_crash(end, "/x")
    assert crash is not None
    assert crash.site is not None
    assert (crash.message, crash.site.line) == ("RuntimeError: first line", 5)
    assert len(end) < 3 * 65536


def test_the_end_is_kept_as_it_was() -> None:
    assert printed(b"a\n" * 70000 + b"the end", 1000).end.endswith("a\nthe end")
    assert printed(SHORT, 1000).end == SHORT.decode()
    assert printed(b"", 1000).end == ""
