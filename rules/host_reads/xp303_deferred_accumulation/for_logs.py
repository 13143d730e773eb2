"""Numbers that a function reads to return them, and that its callers only log: they get the tensor, and read that."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.held import Kind
from xlaport.facts.names import How
from xlaport.facts.reads import HostRead
from xlaport.facts.role import Role
from xlaport.facts.structure import Function
from xlaport.rule import Edit, Replace

from ..._lib.host_reads.device_values import device_value
from ..._lib.host_reads.journals_here import kept_statements
from ..._lib.host_reads.lifetimes import lasts
from ..._lib.host_reads.mentions import mentions
from ..._lib.host_reads.refused import Refused
from ..._lib.parentheses import bare

_PLAIN = ast.Add | ast.Sub | ast.Mult | ast.Div
_ROOTS = frozenset({"numpy.sqrt", "math.sqrt"})


@dataclass(frozen=True)
class ForLogs:
    """A read in a ``return``, and what has to be written where, so that the callers read instead."""

    read: HostRead
    function: str
    edits: tuple[Edit, ...]


def for_logs(context: Context) -> Iterator[ForLogs]:
    """Those of a file that nobody waits for when the callers read them, since these log them beside the steps."""
    if "XP305" not in context.codes or not kept_statements(context):
        return
    for given in context.module.of_type(ast.Return):
        function = context.module.function(given)
        reads = context.reads.within([given]) if function is not None else []
        for read in reads if function is not None and context.step_code.runs_in_steps(function) else ():
            if (edits := _handed_on(context, given, read)) is not None:
                yield ForLogs(read, function.name if function is not None else "", tuple(edits))


def _handed_on(context: Context, given: ast.Return, read: HostRead) -> list[Edit] | None:
    """What to write where; None where a caller is out of sight, or each needs the number in the step itself."""
    value = device_value(context, context.tensors, read)
    if value is None or not isinstance(value.node, ast.Call) or value.held.kind not in (None, Kind.FLOAT):
        return None
    node, whole = _computed(context, value.node)
    if value.held.kind is None and whole is value.node and context.resolve(value.node.func) != "builtins.float":
        return None  # it may be a count, which `float()` would show as another
    parent = context.module.parents[node]
    place = parent.elts.index(node) if isinstance(parent, ast.Tuple) and node in parent.elts else None
    if (parent if place is None else context.module.parents[parent]) is not given or not context.editable(node):
        return None
    uses = _uses(context, given, place)
    needing = [use for use in uses or () if not isinstance(context.module.parents[use], ast.Expr)]
    if uses is None or not all(map(context.editable, needing)):
        return None
    kept = kept_statements(context)
    if not any(context.module.statement(use) in kept for use in needing):
        return None
    function = context.module.function(given)
    text = value.text
    if function is None or not lasts(context, value.tensor, function):
        text += ".clone()"  # the callers look at it when it may be another
    if whole is not value.node:
        text += " ** 0.5"
    elif not isinstance(context.module.parents[whole], ast.BinOp):
        text = bare(text)
    number = (Replace(context.span(use), f"float({context.module.segment(use)})") for use in needing)
    return [Replace(context.span(whole), text), *number]


def _computed(context: Context, number: ast.expr) -> tuple[ast.expr, ast.expr]:
    """The arithmetic around a number, and the root of it that this begins with, which takes no tensor; or itself."""
    parents, whole = context.module.parents, number
    root = parents[number]
    if isinstance(root, ast.Call) and root.args == [number] and not root.keywords:
        if context.resolve(root.func) in _ROOTS and _takes_power(parents[root]):
            whole = root
    node = whole
    while isinstance(parent := parents[node], ast.BinOp):
        other = parent.right if parent.left is node else parent.left
        if not context.roles.is_(other, Role.NUMBER) or not isinstance(parent.op, _PLAIN):
            break
        node = parent
    return node, whole


def _takes_power(around: ast.AST) -> bool:
    """Whether a power may stand in an expression as it is."""
    is_power = isinstance(around, ast.BinOp) and isinstance(around.op, ast.Pow)
    return not is_power and not isinstance(around, ast.UnaryOp | ast.Attribute | ast.Subscript)


def _uses(context: Context, given: ast.Return, place: int | None) -> list[ast.expr] | None:
    """What stands for an element of what a function returns, in all that call it; None where some are not seen."""
    module, names, own, structure = context.module, context.names, context.view.own, context.flow.structure
    function = module.function(given)
    if function is None or module.returns(function) != [given] or function.body[-1] is not given:
        return None
    if function.decorator_list or isinstance(function, ast.AsyncFunctionDef) or module.yields(function):
        return None
    sites = structure.calls_to(Function(own, function))
    try:
        called = {site.node.func for site in sites}
        is_seen = all(mention in called for mention in mentions(context, Function(own, function)))
    except Refused:
        return None
    if not is_seen or any(site.facts is not own or len(context.loops.run_by(site.node)) > 1 for site in sites):
        return None
    found: list[ast.expr] = []
    for site in sites:
        statement = module.parents[site.node]
        if place is None:
            found.append(site.node)
            continue
        target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
        name = target.elts[place] if isinstance(target, ast.Tuple) and place < len(target.elts) else None
        bound = names.bindings(name) if isinstance(name, ast.Name) else ()
        home = names.home(name) if isinstance(name, ast.Name) else None
        if not isinstance(name, ast.Name) or [b.how for b in bound] != [How.UNPACK] or home is None:
            return None
        uses = names.uses(home, name.id)
        if any(module.function(use) is not module.function(site.node) for use in uses):
            return None
        found += uses
    return found
