"""A progress bar for programs that import tqdm, which is not among this project's requirements.

It goes through its iterable, and writes what it is told to show, as tqdm would: numbers in short, anything else as
text.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sized
from numbers import Number
from typing import Any


class tqdm:
    """The bar."""

    def __init__(self, iterable: Iterable[Any] = (), desc: str = "", **options: Any) -> None:
        self.iterable = iterable
        self.desc = desc
        self.n = 0

    def __iter__(self) -> Iterator[Any]:
        for item in self.iterable:
            yield item
            self.n += 1

    def __len__(self) -> int:
        assert isinstance(self.iterable, Sized)
        return len(self.iterable)

    def set_description(self, desc: str) -> None:
        self.desc = desc

    def set_postfix(self, **values: Any) -> None:
        shown = (f"{name}={format(v, '.3g') if isinstance(v, Number) else v}" for name, v in values.items())
        sys.stdout.write(f"{self.desc}: {self.n} {', '.join(shown)}\n")

    def update(self, n: int = 1) -> None:
        self.n += n

    def close(self) -> None:
        pass


def trange(*bounds: int, **options: Any) -> tqdm:
    """tqdm over a range."""
    return tqdm(range(*bounds), **options)
