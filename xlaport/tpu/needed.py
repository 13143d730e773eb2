"""What compiling for a TPU needs: the very compiler that torch_xla uses on a TPU's machine, and jax to call it."""

from __future__ import annotations

from collections.abc import Mapping

NEEDED = {"jax": "0.7.1", "jaxlib": "0.7.1", "libtpu": "0.0.21"}
"""Packages and their versions: those of the extras of torch_xla 2.9 (``tpu`` and ``pallas``)."""
LIBTPU = NEEDED["libtpu"]
INSTALL = "pip install 'xlaport[tpu]'"
"""On Linux, with Python 3.11 or later."""


def lacking(versions: Mapping[str, str | None]) -> str:
    """What these versions lack, in words; empty where they are what is needed."""
    missing = [name for name in NEEDED if not versions.get(name)]
    if missing:
        return f"no {' and no '.join(missing)}"
    others = [f"{name} {versions[name]}, not {wanted}" for name, wanted in NEEDED.items() if versions[name] != wanted]
    return "; ".join(others)
