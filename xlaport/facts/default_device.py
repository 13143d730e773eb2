"""Whether the project chooses a device for the tensors that name none."""

from __future__ import annotations

import re
from collections.abc import Iterator

from xlaport.facts.import_graph import reached
from xlaport.facts.program import Facts, Program
from xlaport.facts.vocabulary import DEFAULT_DEVICE_SETTERS

_TYPE_SETTER = rb"^[^#\n]*set_default_tensor_type\([^)\n]*cuda\.(\w*Tensor)"
_BY_TYPE = re.compile(_TYPE_SETTER, re.MULTILINE)
_CHOOSES = re.compile(_TYPE_SETTER + rb"|^[^#\n]*set_default_device\((?!\s*['\"]cpu)", re.MULTILINE)
_XLA = re.compile(rb"^[^#\n]*set_default_device\([^)\n]*xla", re.MULTILINE)


def is_xla(facts: Facts) -> bool:
    """Whether they choose the XLA device by ``torch.set_default_device(…)``, as a conversion of the type leaves it."""
    return facts.once("default XLA", lambda: bool(_XLA.search(_text(facts))) or _is_said_elsewhere(facts, _XLA))


def is_chosen(facts: Facts) -> bool:
    """Whether this file, one that imports it or one that it imports calls ``torch.set_default_device(…)``."""
    return facts.once("default device", lambda: _is_chosen_here(facts) or _is_said_elsewhere(facts, _CHOOSES))


def types_of(facts: Facts) -> frozenset[str]:
    """The types of CUDA by which they choose it, ``FloatTensor`` …: those that ``torch.Tensor(…)`` follows."""
    return facts.once("default types", lambda: frozenset(_types_of(facts)))


def _types_of(facts: Facts) -> Iterator[str]:
    others = facts.program.saying(_BY_TYPE, b"set_default_") - {facts.file}
    near = others if others and _is_connected(facts, others) else ()
    for text in (_text(facts), *map(facts.program.data, sorted(near))):
        yield from (match[1].decode() for match in _BY_TYPE.finditer(text))


def _text(facts: Facts) -> bytes:
    return facts.module.text.encode("utf-8", "surrogatepass")


def _is_chosen_here(facts: Facts) -> bool:
    if "set_default_" not in facts.module.text:  # as each of them is called
        return False
    return any(facts.names.resolve(call.func) in DEFAULT_DEVICE_SETTERS for call in facts.module.calls)


def _is_said_elsewhere(facts: Facts, pattern: re.Pattern[bytes]) -> bool:
    others = facts.program.saying(pattern, b"set_default_") - {facts.file}
    return bool(others) and _is_connected(facts, others)


def _is_connected(facts: Facts, others: frozenset[str]) -> bool:
    program = facts.program
    return facts.file in program.once(("connected with", others), lambda: _connected(program, others))


def _connected(program: Program, files: frozenset[str]) -> frozenset[str]:
    """The files that import some files, and those that these import, at any distance."""
    graph = program.graph
    return frozenset(reached(files, graph.imported_by) | reached(files, graph.imports))
