"""Where XLA writes the graphs that this process compiles: a folder of its own, for replicas compile side by side."""

from __future__ import annotations

import os
import re

_folder: str | None = None


def choose() -> None:
    """Set the folder; XLA reads its flags when torch_xla is loaded, so this comes before that."""
    global _folder
    shared = os.environ.get("XLAPORT_DUMP")
    if not shared:
        return
    own = os.path.join(shared, str(os.getpid()))
    # The process that started this one has put its own folder there.
    ours = re.compile(rf"(--xla_dump_to={re.escape(shared)})(/\d+)?(?!\S)")
    flags, count = ours.subn(lambda match: f"--xla_dump_to={own}", os.environ.get("XLA_FLAGS", ""))
    if count:
        os.makedirs(own, exist_ok=True)
        os.environ["XLA_FLAGS"] = flags
        _folder = own


def folder() -> str | None:
    """The folder; None where there are no dumps."""
    return _folder
