"""Whether the project chooses a device for the tensors that name none."""

from __future__ import annotations

import re

from xlaport.facts.import_graph import reached
from xlaport.facts.program import Facts
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
    choosing = program.once(
        "files that choose a default device",
        lambda: frozenset(f for f in program.files if _CHOOSES.search(program.data(f))),
    )
    others = choosing - {facts.file}
    graph = program.graph
    return bool(others) and any(
        not others.isdisjoint(reached([facts.file], edges)) for edges in (graph.imports, graph.imported_by)
    )
