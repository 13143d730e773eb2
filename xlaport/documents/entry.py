"""One value of a configuration, with the keys that lead to it."""

from __future__ import annotations

from dataclasses import dataclass

from xlaport.finding import Span

ITEM = "[]"
"""Stands in the keys for being an item of a list."""


@dataclass(frozen=True)
class Entry:
    """A scalar: its keys from the outermost, its text without quotes, and where it stands."""

    keys: tuple[str, ...]
    value: str
    span: Span
    """The value as it is written, with its quotes."""
    inner: Span
    """The value without its quotes: what an edit replaces."""

    @property
    def key(self) -> str:
        """The innermost key; of a list's item, the key of the list."""
        return next((key for key in reversed(self.keys) if key != ITEM), "")

    @property
    def quoted(self) -> bool:
        """Whether the value stands in quotes."""
        return self.span != self.inner

    @property
    def is_item(self) -> bool:
        """Whether the value is an item of a list."""
        return self.keys[-1:] == (ITEM,)

    @property
    def is_in_record(self) -> bool:
        """Whether the value belongs to a mapping that is an item of a list."""
        return ITEM in self.keys[:-1]


class Unreadable(Exception):
    """A text that is not of the kind that its name promises, or beyond what is read here."""
