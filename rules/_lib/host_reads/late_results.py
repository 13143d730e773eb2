"""Numbers that a function reads in each step only to return them, to callers of other files that look at them seldom.

The function returns tensors, and its callers read them where they look. All files are read as they are on disk, so
that the function and its callers come to the same answer. A look may read a number, too, where the function stays.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.held import Kind
from xlaport.facts.module import LoopNode
from xlaport.facts.structure import CallSite, Function

from ..parentheses import bare
from .containers import TAKING, TAKING_PACKAGES, is_empty_list
from .device_values import DeviceValue, device_value
from .lifetimes import lasts
from .mentions import mentions
from .outputs import shown
from .refused import Refused
from .sums_in_step import SumInStep, sum_in_step

_LOOKING = TAKING | {f"builtins.{name}" for name in ("len", "enumerate", "zip", "map", "reversed", "any", "all", "str")}
WORDS = ("item", "float", "int", "cpu", "tolist", "numpy")
"""One of these stands in a file that reads, or looks at what others have read."""


@dataclass(frozen=True)
class Result:
    """What a function returns, as a whole or as an element of a tuple: one number, or a list of such."""

    place: int | None
    is_list: bool
    values: tuple[tuple[DeviceValue, str], ...]
    """The reads, each with what is returned in its place; none of a sum that another rule leaves on the device."""


@dataclass(frozen=True)
class Look:
    """Where a caller uses what such a function has returned, and how it reads it there."""

    name: ast.Name
    text: str


def late_looks(context: Context) -> Iterator[Look]:
    """The looks of a file at what functions of other files return."""
    structure, own = context.flow.structure, context.view.own
    functions = {f for call in context.module.calls for f in structure.runs(own, call) if f.facts is not own}
    seen: set[ast.Name] = set()
    for function in sorted(functions, key=lambda f: (f.facts.file, f.node.lineno)):
        sites = [site for site in structure.calls_to(function) if site.facts is own]
        for result in _late(context.of(function.facts), function):
            for look in (look for site in sites for look in _looks(context, site, result) or ()):
                if look.name not in seen and not _is_read(context, look):
                    seen.add(look.name)
                    yield look


def _is_read(context: Context, look: Look) -> bool:
    """Whether a look has become a read already."""
    around = [context.module.parents[look.name]]
    around.append(context.module.parents[around[0]])
    return any(isinstance(node, ast.expr) and ast.unparse(node) == look.text for node in around)


def late_results(context: Context) -> Iterator[tuple[Function, Result]]:
    """What functions of a file read, and need not."""
    own = context.view.own
    for node in context.module.of_type(ast.FunctionDef):
        assert isinstance(node, ast.FunctionDef)
        if context.reads.within(node.body) and context.step_code.runs_in_steps(node):
            yield from ((Function(own, node), result) for result in _late(context, Function(own, node)))


def _late(context: Context, function: Function) -> list[Result]:
    """The results of a function that all of its callers look at now and then; `context` is that of its file."""
    found = list(_results(context, function))
    if not found:
        return []
    sites = context.flow.structure.calls_to(function)
    called = {site.node.func for site in sites}
    try:
        if any(use not in called for use in mentions(context, function)):
            return []
    except Refused:
        return []
    if all(site.facts is function.facts for site in sites):
        return []  # what one file does alone is known better
    contexts = [context.of(site.facts) for site in sites]
    if not all("torch" in there.module.text and any(word in there.module.text for word in WORDS) for there in contexts):
        return []  # that file is not shown to the rule
    pairs = list(zip(contexts, sites, strict=True))
    return [result for result in found if all(_looks(there, site, result) is not None for there, site in pairs)]


# -- the function --------------------------------------------------------------------------------------------


def _results(context: Context, function: Function) -> Iterator[Result]:
    node = function.node
    returns = context.module.returns(node)
    is_plain = isinstance(node, ast.FunctionDef) and not context.module.yields(node)
    if not is_plain or len(returns) != 1 or returns[0] is not node.body[-1] or returns[0].value is None:
        return
    for decorator in node.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if context.resolve(called) not in torch_api.GRAD_OFF:
            return
    value = returns[0].value
    is_tuple = isinstance(value, ast.Tuple)
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    if any(isinstance(part, ast.Starred) for part in parts):
        return
    for index, part in enumerate(parts):
        place = index if is_tuple else None
        if (read := _number(context, part, function)) is not None:
            yield Result(place, is_list=False, values=(read,))
        elif isinstance(part, ast.Name) and (listed := _listed(context, part, function)):
            yield Result(place, is_list=True, values=tuple(listed))
        elif _becomes_number(context, part, function):
            yield Result(place, is_list=False, values=())


def _number(context: Context, node: ast.expr, function: Function) -> tuple[DeviceValue, str] | None:
    """A float that is read from the device, and nothing else."""
    reads = context.reads.of_expression(node)
    value = device_value(context, context.tensors, reads[0]) if len(reads) == 1 else None
    if value is None or value.node is not node or value.held.kind is not Kind.FLOAT or not value.held.is_scalar:
        return None
    if not context.editable(node):
        return None
    loops = (p for p in context.module.ancestors(node) if isinstance(p, LoopNode))
    is_kept = lasts(context, value.tensor, next(loops, function.node))
    return value, bare(value.text) if is_kept else f"{value.text}.clone()"


def _listed(context: Context, name: ast.Name, function: Function) -> list[tuple[DeviceValue, str]] | None:
    """What is appended to a list that is empty at first, and else only returned."""
    bound = context.names.reaching(name)
    start = context.names.assigned(name)
    if start is None or not is_empty_list(context, start) or not isinstance(bound[0].node, ast.Name):
        return None
    found: list[tuple[DeviceValue, str]] = []
    for use in context.names.only_uses_of(bound[0].node) or ():
        if use is name:
            continue
        method = context.module.parents[use]
        call = context.module.parents[method]
        appends = isinstance(method, ast.Attribute) and method.attr == "append" and isinstance(call, ast.Call)
        if not appends or not isinstance(call, ast.Call) or len(call.args) != 1 or call.func is not method:
            return None
        read = _number(context, call.args[0], function)
        if read is None or not isinstance(context.module.parents[call], ast.Expr):
            return None
        found.append(read)
    return found


def _becomes_number(context: Context, node: ast.expr, function: Function) -> bool:
    """Whether a sum of reads, which XP306 leaves on the device, is made a number where it is returned."""
    if "XP306" not in context.codes or not context.editable(node):
        return False
    span = context.span(node)
    for read in context.reads.within(function.node.body):
        inner = next((p for p in context.module.ancestors(read.node) if isinstance(p, LoopNode)), None)
        found = sum_in_step(context, read, inner) if inner is not None else None
        if isinstance(found, SumInStep) and any(place == span for place, _ in found.edits):
            return True
    return False


# -- the callers ---------------------------------------------------------------------------------------------


def _looks(context: Context, site: CallSite, result: Result) -> list[Look] | None:
    """The places where a caller uses a result, all of them now and then; None where some step needs it."""
    assigns = context.module.parents[site.node]
    if isinstance(assigns, ast.Expr):
        return []
    if not isinstance(assigns, ast.Assign) or len(assigns.targets) != 1:
        return None
    target = assigns.targets[0]
    if result.place is not None:
        is_unpacked = isinstance(target, ast.Tuple | ast.List) and not any(
            isinstance(part, ast.Starred) for part in target.elts
        )
        if not is_unpacked or not isinstance(target, ast.Tuple | ast.List) or result.place >= len(target.elts):
            return None
        target = target.elts[result.place]
    uses = context.names.only_uses_of(target) if isinstance(target, ast.Name) else None
    if uses is None or not isinstance(target, ast.Name) or _is_shared(context, target):
        return None
    name = target.id
    text = f"[float(value) for value in {name}]" if result.is_list else f"float({name})"
    for use in uses:
        seldom = context.step_code.is_now_and_then(use) or not context.step_code.in_step(use)
        if not seldom or not context.editable(use) or not isinstance(use.ctx, ast.Load):
            return None
        if result.is_list and not _only_looks(context, use):
            return None
    return [Look(use, text) for use in uses]


def _only_looks(context: Context, use: ast.Name) -> bool:
    """Whether a new list with the same numbers does as well: this one is neither changed there nor kept."""
    parent = context.module.parents[use]
    match parent:
        case ast.Subscript():
            return parent.value is use and isinstance(parent.ctx, ast.Load)
        case ast.For() | ast.comprehension():
            return parent.iter is use
        case ast.Compare():
            return not any(isinstance(operator, ast.Is | ast.IsNot) for operator in parent.ops)
        case ast.Call():
            called, statement = context.resolve(parent.func) or "", context.module.parents[parent]
            is_log = isinstance(statement, ast.Expr) and shown(context, statement) is parent
            return use in parent.args and (called in _LOOKING or called.startswith(TAKING_PACKAGES) or is_log)
    return isinstance(parent, ast.FormattedValue | ast.BinOp | ast.Starred)


def _is_shared(context: Context, name: ast.Name) -> bool:
    """Whether others see what a name is bound to: of a module, or declared global."""
    function = context.module.function(name)
    home = context.names.home(name)
    return function is None or home is None or home is not context.names.scope(function.body[0])
