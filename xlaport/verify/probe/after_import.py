"""Runs a function right after a module has been imported for the first time, without importing it."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Sequence
from types import ModuleType

from .wrapping import wrap


class AfterImport(importlib.abc.MetaPathFinder):
    """Calls `then[name]` once the module `name` has been executed; a module not named there is none of its
    business.
    """

    def __init__(self, then: dict[str, Callable[[], None]]) -> None:
        self.then = then

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The ordinary spec of a module that is waited for, with its loader's `exec_module` extended."""
        call = self.then.pop(fullname, None)
        if call is None:
            return None
        if not self.then and self in sys.meta_path:
            sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is None or spec.loader is None:
            return spec

        def execute(original: Callable[[ModuleType], None], module: ModuleType) -> None:
            original(module)
            call()

        wrap(spec.loader, "exec_module", execute)
        return spec
