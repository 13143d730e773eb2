"""What a statement binds and reads by dotted names, ``self.device``, itself and in the code that it runs.

A part of an object is another thing than the object, and than its other parts: ``self.device`` is not ``self.net``.
What is hung on a module belongs to it, if it has parameters of its own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from xlaport.analysis.of_file import analysis_of
from xlaport.analysis.value import UNKNOWN
from xlaport.context import Context
from xlaport.facts.program import Facts
from xlaport.facts.role import MADE_PARAMETER
from xlaport.facts.roles import TENSORS, Role, dotted
from xlaport.facts.running import all_run

from .optimizers import CHANGING_A_LIST

_WITHOUT_PARAMETERS = (
    *TENSORS, Role.NUMBER, Role.TEXT, Role.DEVICE, Role.OPTIMIZER, Role.SCHEDULER, Role.SCALER, Role.LOADER,
    Role.DEVICE_LOADER, Role.DATASET, Role.OTHER,
)  # fmt: skip
_EMPTY_MODULES = re.compile(
    r"torch\.nn\.(\w+(?<!AdaptiveLogSoftmaxWith)Loss|ReLU6?|GELU|ELU|SiLU|LeakyReLU|Tanh|Sigmoid|Softplus|Identity|"
    r"(Log)?Softmax|Dropout|Flatten)"
)
"""Modules with neither parameters nor buffers, if they get numbers alone."""
_LIBRARIES = ("numpy.", "collections.", "math.", "random.", "time.")
"""What gives no module of torch."""
_HANGING = frozenset({"add_module", "register_module", "register_parameter", "setattr", "append", "extend", "insert"})


def is_part(path: str, whole: str) -> bool:
    """Whether a dotted name is another one, or stands for a part of it."""
    return path == whole or path.startswith(f"{whole}.")


def bound(statement: ast.stmt) -> dict[str, ast.expr | None]:
    """The dotted names that a statement binds, each with the value where it is seen; ``d`` of ``d["a"] = 1`` and
    ``d.append(1)``.
    """
    values: dict[ast.expr, ast.expr | None] = {}
    for node in ast.walk(statement):
        if isinstance(node, ast.Assign):
            values.update(dict.fromkeys(node.targets, node.value))
        elif isinstance(node, ast.AnnAssign):
            values[node.target] = node.value
    found: dict[str, ast.expr | None] = {}
    for node in ast.walk(statement):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = None
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING_A_LIST:
            if (path := dotted(node.func.value)) is not None:
                found[path] = None
        elif isinstance(node, ast.Name | ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            base: ast.expr = node
            while isinstance(base, ast.Subscript):
                base = base.value
            if (path := dotted(base)) is not None:
                found[path] = values.get(node)
    return found


def rebinds_one(context: Context, statement: ast.stmt, needed: Iterable[str], models: Iterable[str]) -> bool:
    """Whether a statement gives something that is needed another value, or a model among it other parameters."""
    return any(
        is_part(path, given) or (is_part(given, path) and (path not in models or not is_empty(context, value)))
        for given, value in bound(statement).items()
        for path in needed
    )


def only_asked_for_parameters(value: ast.expr) -> set[str]:
    """The models whose parameters an expression takes, and nothing else: what else they hold is nothing to it."""
    asked, other = set[str](), set[str]()
    for node in ast.walk(value):
        if isinstance(node, ast.Call):
            func = node.func
            path = dotted(func.value) if isinstance(func, ast.Attribute) else None
            if path is not None and isinstance(func, ast.Attribute):
                (asked if func.attr in ("parameters", "named_parameters") else other).add(path)
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            other |= {path for argument in given if (path := dotted(argument)) is not None}
    return asked - other


def is_empty(context: Context, value: ast.expr | None) -> bool:
    """Whether a value that is hung on a module has no parameters, nor anything else that moves with the module."""
    if value is None:
        return False
    fact, called = context.roles.of(value), context.resolve(value.func) if isinstance(value, ast.Call) else None
    if fact is not None and fact.role in _WITHOUT_PARAMETERS:
        return fact.because != MADE_PARAMETER
    if isinstance(value, ast.Call) and called is not None and _EMPTY_MODULES.fullmatch(called):
        given = [*value.args, *(keyword.value for keyword in value.keywords)]
        return all(isinstance(argument, ast.Constant) for argument in given)
    return called is not None and called.startswith(_LIBRARIES)


def code_run(context: Context, statement: ast.stmt) -> Iterator[tuple[Facts, ast.AST]]:
    """The nodes of the project's functions that a statement runs."""
    own = context.view.own
    for facts, node in all_run(context.flow.structure, own, [statement]):
        if facts is not own or statement not in (node, *context.module.ancestors(node)):
            yield facts, node


def is_met(context: Context, statement: ast.stmt, target: ast.expr) -> bool:
    """Whether a statement, or code that it runs, has to do with what has a dotted name, or that code may."""
    path, analysis = dotted(target), analysis_of(context.view.own)
    if any(dotted(node) == path for node in ast.walk(statement) if isinstance(node, ast.Name | ast.Attribute)):
        return True
    own = (analysis.value_at(target) or UNKNOWN).objects
    for facts, node in code_run(context, statement):
        if isinstance(target, ast.Name) and isinstance(node, ast.Name) and node.id == target.id:
            if facts is context.view.own and facts.names.home(node) is context.names.home(target):
                return True
        elif isinstance(target, ast.Attribute) and isinstance(node, ast.Attribute) and node.attr == target.attr:
            there = (analysis.value_at(node) or UNKNOWN).objects
            if not own or not there or not own.isdisjoint(there):
                return True
    return False


def may_hang_parameters(context: Context, statement: ast.stmt) -> bool:
    """Whether code that a statement runs may hang a module or a parameter on an object."""
    return any(
        (
            isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and not _is_empty_there(context, facts, node)
        )
        or (isinstance(node, ast.Call) and _called(node) in _HANGING)
        for facts, node in code_run(context, statement)
    )


def _is_empty_there(context: Context, facts: Facts, target: ast.Attribute) -> bool:
    statement = facts.module.statement(target)
    return is_empty(context.of(facts), bound(statement).get(dotted(target) or ""))


def _called(call: ast.Call) -> str | None:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", None)


def touches(context: Context, statement: ast.stmt, model: str) -> bool:
    """Whether a statement has to do with a model, other than with parts of it that never move: ``self.optimizer``."""
    for node in ast.walk(statement):
        if not isinstance(node, ast.Name | ast.Attribute) or (path := dotted(node)) is None:
            continue
        above = context.module.parents[node]
        if is_part(model, path) and not (isinstance(above, ast.Attribute) and above.value is node):
            return True  # the model, or what holds it, as a whole
        if path == model and not (isinstance(above, ast.Attribute) and _is_apart(context, above)):
            return True
    if "." not in model:
        return False
    last = model.rpartition(".")[2]
    return any(isinstance(node, ast.Attribute) and node.attr == last for _, node in code_run(context, statement))


def _is_apart(context: Context, part: ast.Attribute) -> bool:
    """Whether a part of a module stays as it is where the module moves: its optimizer, the name of its device."""
    if isinstance(part.ctx, ast.Load):
        return is_empty(context, part)
    return is_empty(context, bound(context.module.statement(part)).get(dotted(part) or ""))
