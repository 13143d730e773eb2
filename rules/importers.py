"""Functions that import a module by a text."""

IMPORTERS = frozenset({"importlib.import_module", "builtins.__import__", "pytest.importorskip"})
