"""The ways from a module to its parts, as the program spells them: ``.encoder``, ``.layers[0]``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from xlaport.analysis.analysis import Analysis
from xlaport.analysis.definitions import Class
from xlaport.analysis.value import MODULE, TENSOR, UNKNOWN, Site, Value

_DEEPEST = 8
EACH = "[…]"
"""In a way: one of several, of which nobody knows how many there are."""


class Way(NamedTuple):
    """One of them."""

    text: str
    is_sure: bool = True
    """Whether nothing else may be there."""
    is_parameter: bool = False
    """Whether it leads to a parameter."""


def ways(analysis: Analysis, module: Value) -> dict[Site, list[Way]]:
    """The ways to all parts of a module, and to the parameters that it makes, the shortest first; and to itself."""
    found: dict[Site, list[Way]] = {}
    todo = [(Way(""), module)]
    while todo:
        way, value = todo.pop(0)
        is_known = value.objects <= found.keys() and bool(value.objects)
        for site in value.objects:
            each = way._replace(is_sure=way.is_sure and len(value.objects) == 1)
            found.setdefault(site, []).append(each._replace(is_parameter=value.type == TENSOR))
        if not is_known and way.text.count(".") + way.text.count("[") < _DEEPEST:
            todo += [
                (Way(way.text + step, way.is_sure and is_sure), part) for step, part, is_sure in _parts(analysis, value)
            ]
    return found


def _parts(analysis: Analysis, value: Value) -> Iterator[tuple[str, Value, bool]]:
    """The parts of a module, each with the step to it, and whether nothing else may be there."""
    for one in value.alternatives:
        yield "", one, False
    if isinstance(value.type, Class):
        for kind in value.type.line():
            for name, cell in kind.attributes.items():
                held = cell.value if cell.home is analysis else analysis.translated(cell.value)
                if name not in kind.methods:
                    yield f".{name}", held or UNKNOWN, True
    elif value.type == MODULE and value.elements is not None:
        names = value.keys or range(len(value.elements))
        for key, part in zip(names, value.elements, strict=False):
            is_name = isinstance(key, str) and key.isidentifier()
            yield f".{key}" if is_name else f"[{key!r}]", part, True
    elif value.type == MODULE and value.element is not None:
        yield EACH, value.element, True
