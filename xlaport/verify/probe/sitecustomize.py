"""Puts the probe into a Python process: found through PYTHONPATH, in the child and in every process it
starts.

It leaves no trace that a script could stumble over: its folder is taken off `sys.path` at once, and the
``sitecustomize`` that it shadows, if there is one, is run in its stead.
"""

import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def _arm() -> None:
    import importlib
    import types

    # A package whose path is xlaport/verify: `..events` resolves in it, and `import xlaport` still does not.
    package = types.ModuleType("_xlaport_verify")
    package.__path__ = [os.path.dirname(_HERE)]
    sys.modules["_xlaport_verify"] = package
    importlib.import_module("_xlaport_verify.probe.hook").arm()


def _run_shadowed() -> None:
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    spec = PathFinder.find_spec("sitecustomize")
    if spec is not None and spec.loader is not None and spec.origin != os.path.abspath(__file__):
        module = module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


sys.path[:] = [_entry for _entry in sys.path if os.path.abspath(_entry or ".") != _HERE]
if os.environ.get("XLAPORT_EVENTS"):
    try:
        _arm()
    except Exception as _error:  # whatever goes wrong here, the script must run
        sys.stderr.write(f"xlaport: the probe could not be installed: {_error!r}\n")
_run_shadowed()
