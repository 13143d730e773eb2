"""HTML as nested elements: what is not markup already is escaped, wherever it comes from."""

from __future__ import annotations

import html

from xlaport.report.printable import printable

_VOID = frozenset({"meta", "link", "br", "hr"})


class Markup(str):
    """Text that is HTML already; only `element`, `join` and `raw` make it."""

    __slots__ = ()


def element(tag: str, *children: str | None, **attributes: str | float | None) -> Markup:
    """One element. Children and values of attributes are escaped unless they are `Markup`; `None` is left out.

    ``class_`` is written for ``class``, ``data_tip`` for ``data-tip``. Figures keep two decimals.
    """
    words = [tag]
    for name, value in attributes.items():
        if value is not None:
            shown = f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else printable(str(value))
            words.append(f'{name.rstrip("_").replace("_", "-")}="{html.escape(shown)}"')
    start = f"<{' '.join(words)}>"
    return Markup(start) if tag in _VOID else Markup(f"{start}{join(children)}</{tag}>")


def join(children: object, between: str = "") -> Markup:
    """The children one after the other, escaped unless they are `Markup`."""
    assert isinstance(children, list | tuple)
    return Markup(between.join(escaped(child) for child in children if child is not None))


def escaped(text: str) -> str:
    """Text as HTML: no tag in it is one, and nothing in it steers the reader's screen."""
    return text if isinstance(text, Markup) else html.escape(printable(text))


def raw(text: str) -> Markup:
    """Text of our own that is HTML, CSS or JavaScript already."""
    return Markup(text)
