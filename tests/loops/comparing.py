"""Did the port do what the original did: losses, weights, gradients, types, aliases, and what it printed."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

RELATIVE, ABSOLUTE = 1e-4, 1e-5
"""For fp32 after some twenty steps; what is printed is rounded, too."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?|\bnan\b|-?\binf\b")
_DEVICE = re.compile(r", device='xla:0'")


def differences(original: dict[str, Any], port: dict[str, Any]) -> list[str]:
    """What is not the same, in words; nothing, where the port is faithful."""
    found = [*_losses(original["losses"], port["losses"]), *_leaves(original["leaves"], port["leaves"])]
    common = set(original["leaves"]) & set(port["leaves"])
    for what in ("objects", "memory"):
        if _partition(original[what], common) != _partition(port[what], common):
            found.append(f"other tensors share {what}")
    return [*found, *_printed(original["printed"], port["printed"])]


def _losses(original: list[dict[str, Any]], port: list[dict[str, Any]]) -> Iterator[str]:
    if len(original) != len(port):
        yield f"{len(port)} losses and not {len(original)}"
    for a, b in zip(original, port, strict=False):
        found = list(_tensor("a loss", a, b))
        if found:
            yield found[0]
            return


def _leaves(original: dict[str, Any], port: dict[str, Any]) -> Iterator[str]:
    for path, a in original.items():
        b = port.get(path)
        if b is None:
            yield f"{path} is missing"
        elif a["kind"] != b["kind"]:
            yield f"{path} is a {b['kind']} and not a {a['kind']}"
        elif "values" in a:
            yield from _tensor(path, a, b)
        elif not _close([a["value"]], [b["value"]]):
            yield f"{path} is {b['value']} and not {a['value']}"
    # A port may have more names in its module, but not more in what was there before.
    for path in sorted(set(port) - set(original)):
        top = re.split(r"[.\[]", path)[0]
        if any(re.split(r"[.\[]", p)[0] == top for p in original):
            yield f"{path} is new"


def _tensor(path: str, a: dict[str, Any], b: dict[str, Any]) -> Iterator[str]:
    for key in ("dtype", "shape", "requires_grad"):
        if a[key] != b[key]:
            yield f"{path} has {key} {b[key]} and not {a[key]}"
            return
    if not _close(a["values"], b["values"]):
        yield f"{path} has other values"


def _close(a: Sequence[Any], b: Sequence[Any]) -> bool:
    return all(
        x == y
        if not (isinstance(x, float) and isinstance(y, float))
        else (math.isnan(x) and math.isnan(y)) or math.isclose(x, y, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
        for x, y in zip(a, b, strict=True)
    )


def _partition(groups: Iterable[Iterable[str]], common: set[str]) -> set[frozenset[str]]:
    return {frozenset(group) & common for group in groups} - {frozenset()}


def _printed(original: str, port: str) -> Iterator[str]:
    port = _DEVICE.sub("", port)
    if _form(original) != _form(port):
        lines = itertools.zip_longest(original.splitlines(), port.splitlines(), fillvalue="")
        a, b = next((a, b) for a, b in lines if _form(a) != _form(b))
        yield f"prints {b!r} and not {a!r}"
        return
    for a, b in zip(_NUMBER.findall(original), _NUMBER.findall(port), strict=True):
        # The last digit may be rounded the other way.
        digits = len(a.partition(".")[2].partition("e")[0])
        if not math.isclose(float(a), float(b), rel_tol=RELATIVE, abs_tol=1.01 * 10.0**-digits if digits else 0):
            yield f"prints {b} and not {a}"
            return


def _form(text: str) -> str:
    """The text without its numbers: whole ones, and others."""
    return _NUMBER.sub(lambda number: "#" if number[0].lstrip("-").isdigit() else "#.#", text)
