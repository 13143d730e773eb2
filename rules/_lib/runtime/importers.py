"""Functions that import a module by a text."""

from __future__ import annotations

IMPORTERS = frozenset({"importlib.import_module", "builtins.__import__", "pytest.importorskip"})
