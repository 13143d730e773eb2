"""What the analysis finds where small programs say ``mark(…)``."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tests.facts.project import path, program
from xlaport.analysis.analysis import Analysis
from xlaport.analysis.library import role_of
from xlaport.analysis.value import Value

HEAD = """\
import torch, copy, functools
import torch.nn as nn
from torch.utils.data import DataLoader
"""


def marked(sources: Mapping[str, str], reverse: bool = False) -> list[Value]:
    """The values of all arguments of ``mark(…)``, in the order of the files and of their lines."""
    program_ = program(**{name: HEAD + source for name, source in sources.items()})
    files = [path(name) for name in sources]
    own = program_.facts(files[0])
    assert own is not None
    analysis = Analysis(own.program, own)
    analysis.run(reversed(files) if reverse else files)
    found = []
    for file in files:
        facts = program_.facts(file)
        assert facts is not None
        for call in facts.module.calls:
            if isinstance(call.func, ast.Name) and call.func.id == "mark":
                found += [analysis.values[argument] for argument in call.args]
    return found


def role(source: str, **others: str) -> str | None:
    """The role of the first thing that is marked in a program, whose other files may be given."""
    found = role_of(marked({"main": source, **others})[0])
    return found.value if found is not None else None
