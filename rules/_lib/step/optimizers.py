"""Statements that build an optimizer, and the models whose parameters it gets."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import walk_block
from xlaport.facts.roles import Role, dotted

from . import loop_moves, parameter_takers

Building = ast.Assign | ast.AnnAssign

_OPTIMIZER = re.compile(rb"\boptim\b")
_LAZY = frozenset({"builtins.filter", "itertools.chain"})
_PARAMETERS = ("weight", "bias")
_BRANCHES = (ast.If, ast.With, ast.Try)
CHANGING_A_LIST = ("append", "extend", "insert", "add_param_group", "update")


def trains(context: Context) -> bool:
    """Whether the program has an optimizer, by its text."""
    own = _OPTIMIZER.search(context.module.text.encode("utf-8", "replace")) is not None
    return own or bool(context.view.program.saying(_OPTIMIZER, b"optim"))


def built(context: Context) -> list[Building]:
    """The statements that build an optimizer of a model's parameters, in source order."""
    return context.view.own.once("built optimizers", lambda: list(_built(context)))


def _built(context: Context) -> Iterator[Building]:
    candidates: dict[ast.stmt, None] = {}
    for taker in [*parameter_takers.takers(context), *_parameters_in_calls(context)]:
        statement = context.module.statement(taker)
        candidates[statement] = None
        kept = binds(statement) | changes(statement)
        if kept and not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            block = context.module.block(statement)
            for later in walk_block(block[block.index(statement) + 1 :]):
                if isinstance(later, Building) and kept & loads(later):
                    candidates[later] = None
    for statement in sorted(candidates, key=lambda s: (s.lineno, s.col_offset)):
        if isinstance(statement, Building) and is_optimizer(context, statement):
            yield statement


def _parameters_in_calls(context: Context) -> list[ast.Attribute]:
    """``net.head.weight`` in ``optimizer = SGD([net.head.weight], …)``."""
    return [
        node
        for node in context.module.of_type(ast.Attribute)
        if _is_listed(context, node)
        if isinstance(context.module.statement(node), Building)
    ]


def _is_listed(context: Context, node: ast.Attribute) -> bool:
    """A parameter by its name in a list or a group: ``[net.weight]``."""
    if node.attr not in _PARAMETERS or not isinstance(node.ctx, ast.Load):
        return False
    return isinstance(context.module.parents[node], ast.List | ast.Dict | ast.Tuple)


def is_optimizer(context: Context, statement: ast.stmt) -> bool:
    """Whether a statement gives a name to an optimizer that it builds."""
    if not isinstance(statement, Building) or statement.value is None:
        return False
    values = statement.value.elts if isinstance(statement.value, ast.Tuple) else [statement.value]
    if isinstance(statement.value, ast.ListComp | ast.DictComp):  # of several models
        values = [statement.value.elt if isinstance(statement.value, ast.ListComp) else statement.value.value]
    if not any(isinstance(value, ast.Call) for value in values):
        return False
    gives = parameter_takers.gives_optimizer
    if any(context.roles.is_(value, Role.OPTIMIZER) or gives(context, value) for value in values):
        return True
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    return isinstance(statement.value, ast.Call) and context.roles.is_(target, Role.OPTIMIZER)


def sources(context: Context, optimizer: Building) -> dict[str, ast.stmt]:
    """The models whose parameters an optimizer gets, each with the statement that first takes them."""
    found: dict[str, ast.stmt] = dict.fromkeys(models(context, optimizer), optimizer)
    assert optimizer.value is not None
    lists = {path for path in read(context, optimizer.value) if path not in found}
    # `params = [p for p in model.parameters() …]`, or a loop that appends to it, before the optimizer.
    for statement in _above(context, optimizer) if lists else ():
        if any(_fills(context, statement, path) for path in lists):
            for model in models(context, statement):
                at = optimizer if _is_lazy(context, statement) else _taking(context, statement, model)
                found.setdefault(model, at)
    return found


def _is_lazy(context: Context, statement: ast.stmt) -> bool:
    """``params = net.parameters()``: nothing is taken before the optimizer goes through it (measured, torch 2.9)."""
    value = statement.value if isinstance(statement, ast.Assign) else None
    if not isinstance(value, ast.Call):
        return False
    is_method = isinstance(value.func, ast.Attribute) and value.func.attr in ("parameters", "named_parameters")
    return is_method or context.resolve(value.func) in _LAZY


def _taking(context: Context, statement: ast.stmt, model: str) -> ast.stmt:
    """The statement in a branch that takes the parameters of a model: it may have been made there."""
    inner = (s for s in ast.walk(statement) if isinstance(s, ast.stmt) and not isinstance(s, _BRANCHES))
    return next((s for s in inner if model in models(context, s)), statement)


def read(context: Context, value: ast.AST) -> set[str]:
    """The names that are read in an expression, and the parts of objects: ``params``, ``self.params``."""
    found: set[str] = set()
    for node in ast.walk(value):
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
            continue
        whole: ast.expr = node
        while isinstance(parent := context.module.parents[whole], ast.Attribute):
            called = context.module.parents[parent]
            if isinstance(called, ast.Call) and called.func is parent:
                break
            whole = parent
        found.add(dotted(whole) or node.id)
    return found


def _fills(context: Context, statement: ast.stmt, path: str) -> bool:
    """Whether a statement binds or changes what a path stands for."""
    if "." not in path:  # asked of the same statements for each optimizer
        return path in context.view.own.once(("fills", statement), lambda: binds(statement) | changes(statement))
    return path in context.view.own.once(("fills parts", statement), lambda: _filled(context, statement))


def _filled(context: Context, statement: ast.stmt) -> frozenset[str | None]:
    """The parts of objects that a statement sets, or whose lists it changes: ``self.params``."""
    found: list[ast.expr] = []
    for node in context.module.inside(statement, ast.Attribute, ast.Call):
        if isinstance(node, ast.Call):
            is_change = isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING_A_LIST
            found += [node.func.value] if is_change and isinstance(node.func, ast.Attribute) else []
        elif not isinstance(node.ctx, ast.Load):
            found.append(node)
    return frozenset(map(dotted, found))


def _above(context: Context, statement: ast.stmt) -> list[ast.stmt]:
    """The statements above one, in its block and in those of the branches around it."""
    found: list[ast.stmt] = []
    while True:
        block = context.module.block(statement)
        found = [*block[: block.index(statement)], *found]
        parent = context.module.parents[statement]
        if not isinstance(parent, _BRANCHES):
            return found
        statement = parent


def models(context: Context, statement: ast.AST) -> list[str]:
    """The dotted names whose parameters a statement takes: `net` for ``net[0].parameters()``."""
    found: list[str] = []
    for node in ast.walk(statement):
        if isinstance(node, ast.Attribute) and _is_listed(context, node):
            bases = [node.value]
        else:
            bases = parameter_takers.taken_by(context, node)
        for base in bases:
            while isinstance(base, ast.Subscript):
                base = base.value
            within = context.module.statement(base)
            paths: list[str | None] = [dotted(base)]
            if isinstance(base, ast.Name) and (several := loop_moves.models_of(context, base, within)):
                paths = [*several]
            found += [path for path in paths if path is not None and path not in found]
    return found


def containers(context: Context, statement: ast.stmt) -> list[str]:
    """Those of `models` that hold several: ``nets`` of ``[SGD(net.parameters()) for net in nets]``."""
    names = [n for n in ast.walk(statement) if isinstance(n, ast.Name)]
    found = [path for name in names for path in loop_moves.models_of(context, name, statement)]
    shown = [dotted(e) for n in ast.walk(statement) if isinstance(n, ast.Tuple | ast.List) for e in n.elts]
    indexed = [dotted(n.value) for n in ast.walk(statement) if isinstance(n, ast.Subscript)]
    return [*(path for path in found if path not in shown), *(path for path in indexed if path is not None)]


def name_of(optimizer: Building) -> str:
    """What an optimizer is called, for a message."""
    target = optimizer.targets[0] if isinstance(optimizer, ast.Assign) else optimizer.target
    return dotted(target) or ast.unparse(target)


# -- what statements do with names -----------------------------------------------------------------


def mentions(statement: ast.AST, path: str) -> bool:
    """Whether a dotted name occurs."""
    return any(dotted(n) == path for n in ast.walk(statement) if isinstance(n, ast.Name | ast.Attribute))


def loads(statement: ast.stmt) -> set[str]:
    """The names that are read."""
    return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def binds(statement: ast.stmt) -> set[str]:
    """The names that are bound."""
    return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)} | {
        n.name for n in ast.walk(statement) if isinstance(n, ast.FunctionDef | ast.ClassDef)
    }


def changes(statement: ast.stmt) -> set[str]:
    """The names whose objects a statement changes: ``net.fc = …``, ``params.append(…)``, ``params += …``."""
    found: set[str] = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            changed: ast.expr = node.func.value if node.func.attr in CHANGING_A_LIST else node
        elif isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            changed = node
        else:
            continue
        while isinstance(changed, ast.Attribute | ast.Subscript):
            changed = changed.value
        if isinstance(changed, ast.Name):
            found.add(changed.id)
    return found
