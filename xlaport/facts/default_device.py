"""Whether the project chooses a device for the tensors that name none."""

from __future__ import annotations

import re

from xlaport.facts.import_graph import reached
from xlaport.facts.program import Facts, Program
from xlaport.facts.vocabulary import DEFAULT_DEVICE_SETTERS

_CHOOSES = re.compile(
    rb"^[^#\n]*(set_default_tensor_type\([^)\n]*cuda|set_default_device\((?!\s*['\"]cpu))", re.MULTILINE
)


def is_chosen(facts: Facts) -> bool:
    """Whether this file, one that imports it or one that it imports calls ``torch.set_default_device(…)``."""
    return facts.once("default device", lambda: _is_chosen_here(facts) or _is_chosen_elsewhere(facts))


def _is_chosen_here(facts: Facts) -> bool:
    return any(facts.names.resolve(call.func) in DEFAULT_DEVICE_SETTERS for call in facts.module.calls)


def _is_chosen_elsewhere(facts: Facts) -> bool:
    program = facts.program
    others = program.saying(_CHOOSES, b"set_default_") - {facts.file}
    return bool(others) and facts.file in program.once(("connected with", others), lambda: _connected(program, others))


def _connected(program: Program, files: frozenset[str]) -> frozenset[str]:
    """The files that import some files, and those that these import, at any distance."""
    graph = program.graph
    return frozenset(reached(files, graph.imported_by) | reached(files, graph.imports))
