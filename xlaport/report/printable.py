"""Text that is fit to be shown, and numbers of things."""

from __future__ import annotations

import re

# Controls (a file could steer the terminal), marks that turn the reading order, and lone surrogates.
_UNPRINTABLE = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """`text`, fit for a terminal and for a strict encoder: one line, no controls, no lone surrogates."""
    return _UNPRINTABLE.sub(lambda match: _escape(ord(match.group())), text)


def count(number: int, what: str) -> str:
    """A number of things."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def _escape(code: int) -> str:
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file name
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
