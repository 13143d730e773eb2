"""The beginning of a message that can stand alone: what was found, without what to do about it."""

from __future__ import annotations

import re

_END = re.compile(r"[.;:]\s|\n|, so ")
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_SHORTEST = 20
"""Less says nothing: what follows belongs to it."""


def headline(message: str) -> str:
    """The first sentence of a message, or the part of it before a colon or semicolon; never in quotes or brackets."""
    for match in _END.finditer(message):
        start = message[: match.start()]
        if len(start) >= _SHORTEST and _is_whole(start) and not start.endswith(_ABBREVIATIONS):
            return start
    return message.rstrip(".")


_ABBREVIATIONS = ("e.g", "i.e", "etc", "vs")


def _is_whole(text: str) -> bool:
    """Whether every quote and bracket that is opened in it is closed."""
    return all(text.count(mark) % 2 == 0 for mark in '"`') and all(
        text.count(opening) == text.count(closing) for opening, closing in _BRACKETS.items()
    )
