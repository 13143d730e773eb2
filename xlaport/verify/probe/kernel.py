"""The names that the kernel of a notebook has: its cells run as a script, and find them."""

from __future__ import annotations

import builtins


def install() -> None:
    """Put them in place: what is shown is printed, and what a magic would give is None."""
    for name, value in (("display", print), ("get_ipython", _nothing), ("__nb_value__", _nothing)):
        setattr(builtins, name, value)


def _nothing(*given: object) -> None:
    """A shell, and the answer of a magic, are not there."""
