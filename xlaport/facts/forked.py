"""What runs in processes of Python's own that a program starts beside it: each time, or some of the times."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from xlaport.facts.module import FunctionNode
from xlaport.facts.program import Facts, View
from xlaport.facts.structure import Function, structure_of

_PROCESSES = frozenset(
    {"multiprocessing.Process", "multiprocessing.context.Process", "torch.multiprocessing.Process",
     "multiprocess.Process"}
)  # fmt: skip
_CONTEXTS = frozenset({"multiprocessing.get_context", "torch.multiprocessing.get_context"})
_WORD = re.compile(rb"\bProcess\(")
_MAX_DEPTH = 8


@dataclass(frozen=True)
class Forked:
    """A function that runs in a process which is started by ``Process(target=…)``."""

    target: Function
    """What the process is started with."""
    place: Facts
    start: ast.Call
    """The call that starts it, and its file."""
    always: bool = True
    """Whether the program runs the function nowhere else. What a process is started with counts as run there alone."""


def forked(view: View, function: FunctionNode) -> Forked | None:
    """Which processes run a function of the file that is looked at; None where none is seen to."""
    targets = view.once("targets of processes", lambda: _targets(view))
    return _of(view, targets, Function(view.own, function), frozenset()) if targets else None


def _of(view: View, targets: dict[Function, Forked], function: Function, seen: frozenset[Function]) -> Forked | None:
    if function in targets:
        return targets[function]
    if len(seen) > _MAX_DEPTH or function in seen:
        return None
    callers = [(site.facts, site.facts.module.function(site.node)) for site in structure_of(view).calls_to(function)]
    answers = [
        _of(view, targets, Function(facts, node), seen | {function}) if node is not None else None
        for facts, node in callers
    ]
    found = [answer for answer in answers if answer is not None]
    if not found:
        return None
    one = found[0]
    always = len(found) == len(answers) and all(answer.always for answer in found)
    return Forked(one.target, one.place, one.start, always)


def _targets(view: View) -> dict[Function, Forked]:
    """The functions that processes are started with."""
    structure = structure_of(view)
    others = [] if view.is_alone else sorted(view.program.saying(_WORD, b"Process(") - {view.own.file})
    found: dict[Function, Forked] = {}
    for facts in [view.own, *(f for file in others if (f := view.facts(file)) is not None)]:
        for call in facts.module.calls:
            named = target_of(facts, call)
            function = structure.function_named(facts, named) if named is not None else None
            if function is not None:
                found.setdefault(function, Forked(function, facts, call))
    return found


def target_of(facts: Facts, call: ast.Call) -> ast.expr | None:
    """``f`` of ``Process(target=f)``."""
    if not isinstance(call.func, ast.Name | ast.Attribute) or not _starts(facts, call.func):
        return None
    given = next((k.value for k in call.keywords if k.arg == "target"), None)
    return given if given is not None else call.args[1] if len(call.args) > 1 else None


def arguments_of(call: ast.Call) -> list[ast.expr]:
    """What such a call hands to the function: of ``args=(net, 3)`` and ``kwargs={"steps": 3}``."""
    found: list[ast.expr] = []
    for keyword in call.keywords:
        if keyword.arg == "args" and isinstance(keyword.value, ast.Tuple | ast.List):
            found += keyword.value.elts
        if keyword.arg == "kwargs" and isinstance(keyword.value, ast.Dict):
            found += keyword.value.values
    return found


def _starts(facts: Facts, func: ast.Name | ast.Attribute) -> bool:
    if facts.names.resolve(func) in _PROCESSES:
        return True
    if not isinstance(func, ast.Attribute) or func.attr != "Process":
        return False
    made = func.value if isinstance(func.value, ast.Call) else facts.names.assigned(func.value)
    return isinstance(made, ast.Call) and facts.names.resolve(made.func) in _CONTEXTS
