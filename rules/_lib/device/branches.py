"""An ``if`` statement whose condition is known: the side that runs, written without the ``if``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import Module, is_elif
from xlaport.facts.roles import dotted
from xlaport.rule import Edit, RemoveStatement, Replace, Span

from ..blocks import end_of_block, lifted
from ..removal import with_comments
from . import cuda

_PRINTS = frozenset({"builtins.print", "warnings.warn", "sys.exit", "builtins.exit", "builtins.quit", "os._exit"})
_LOG_METHODS = frozenset({"info", "warning", "warn", "error", "debug", "critical"})
_OTHERS = re.compile(r"(^|_)(mps|npu|xpu|hpu|mlu|musa)(_|$)")
_JUMPS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def taken(context: Context, statement: ast.If, truth: bool) -> tuple[Edit, ...] | None:
    """The edits that leave only the side of the ``if`` that runs; None where the other one cannot just go."""
    module = context.module
    kept, dead = sides(statement, truth)
    if is_elif(module, statement):
        if shapes_function(dead):
            return None
        return _as_else(context, statement) if truth else _without(context, statement)
    never = _never(module, statement, kept)
    if shapes_function([*dead, *never]):
        return None
    edits: list[Edit] = [RemoveStatement(context.span(s)) for s in never]
    if not kept or all(isinstance(s, ast.Pass) for s in kept):
        return tuple(with_comments(context, [RemoveStatement(context.span(statement)), *edits]))
    if isinstance(kept[0], ast.If) and is_elif(module, kept[0]):
        start = context.span(kept[0]).start
        return Replace(Span(context.span(statement).start, start + len("elif")), "if"), *edits
    return *_set_again(context, statement, kept), lifted(context, statement, kept), *edits


def _set_again(context: Context, statement: ast.If, kept: list[ast.stmt]) -> Iterator[RemoveStatement]:
    """``device = "cpu"`` directly above an ``if`` of which ``device = …`` is left first."""
    block, first = context.module.block(statement), kept[0]
    above = block[block.index(statement) - 1] if block[0] is not statement else None
    if not isinstance(above, ast.Assign) or not isinstance(first, ast.Assign):
        return
    path = dotted(above.targets[0])
    is_same = path is not None and [dotted(t) for t in above.targets] == [path] == [dotted(t) for t in first.targets]
    is_plain = isinstance(above.value, ast.Constant) or cuda.is_cpu_device(context, above.value)
    asked = (node for part in (statement.test, first.value) for node in ast.walk(part))
    if is_same and is_plain and not any(isinstance(n, ast.expr) and dotted(n) == path for n in asked):
        yield RemoveStatement(context.span(above))


def missed(context: Context, node: ast.expr, truth: bool) -> ast.stmt | None:
    """The first statement that would go with an answered ``if`` and does more than the CPU's counterpart would.

    `node` is the whole condition; None where it is none of an ``if``.
    """
    statement = context.module.parents[node]
    if not isinstance(statement, ast.If) or statement.test is not node:
        return None
    kept, dead = sides(statement, truth)
    side = _Side(context, statement, kept)
    never = [] if is_elif(context.module, statement) else _never(context.module, statement, kept)
    return next((s for s in [*dead, *never] if not side.replaces(s)), None)


def says_again(context: Context, statement: ast.stmt, setting: ast.stmt, value: ast.expr) -> ast.If | None:
    """The ``if device == "cuda":`` around a statement of which ``device = "cuda"`` is left: it does nothing then."""
    outer = context.module.parents[statement]
    if not isinstance(outer, ast.If) or outer.body != [statement] or outer.orelse or is_elif(context.module, outer):
        return None
    asked, targets = outer.test, setting.targets if isinstance(setting, ast.Assign) else []
    if not isinstance(asked, ast.Compare) or len(asked.ops) != 1 or not isinstance(asked.ops[0], ast.Eq):
        return None
    name, said = dotted(asked.left), asked.comparators[0]
    if name is None or [dotted(target) for target in targets] != [name]:
        return None
    kind = context.target.device_type
    is_same = all(
        isinstance(node, ast.Constant) and (cuda.is_cuda_string(node) or node.value == kind) for node in (said, value)
    )
    return outer if is_same else None


def sides(statement: ast.If, truth: bool) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """The side of an ``if`` that runs, and the other one."""
    return (statement.body, statement.orelse) if truth else (statement.orelse, statement.body)


def _never(module: Module, statement: ast.If, kept: list[ast.stmt]) -> list[ast.stmt]:
    """What comes behind an ``if`` whose remaining side leaves."""
    if not kept or not isinstance(kept[-1], _JUMPS):
        return []
    block = module.block(statement)
    return block[block.index(statement) + 1 :]


def shapes_function(dead: list[ast.stmt]) -> bool:
    """Whether code that never runs still makes its function what it is: ``yield``, ``global``."""
    shapes = ast.Yield | ast.YieldFrom | ast.Global | ast.Nonlocal
    return any(isinstance(node, shapes) for statement in dead for node in ast.walk(statement))


# -- what would be missed ------------------------------------------------------------------------------


class _Side:
    """The side of an ``if`` that stays, which the other one may be the CPU's counterpart of."""

    def __init__(self, context: Context, statement: ast.If, kept: list[ast.stmt]) -> None:
        self.context = context
        nodes = [node for statement in kept for node in ast.walk(statement)]
        stored = [n for n in nodes if isinstance(n, ast.Name | ast.Attribute) and isinstance(n.ctx, ast.Store)]
        self.assigned = {path for node in stored if (path := dotted(node)) is not None}
        self.called = {path for node in nodes if (path := _called(node)) is not None}
        last = kept or context.module.block(statement)  # without a side of its own, the program goes on behind it
        self.returns = isinstance(last[-1], ast.Return)
        self.seeds = any(_seeds(context, statement) for statement in kept)

    def replaces(self, statement: ast.stmt) -> bool:
        """Whether a statement of the other side would not be missed."""
        if isinstance(statement, ast.Pass | ast.Raise | ast.Continue | ast.Break):
            return True
        if isinstance(statement, ast.Return):
            # The counterpart of what this side returns, or nothing that is computed.
            return self.returns or not any(isinstance(n, ast.Call | ast.Await) for n in ast.walk(statement))
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            return _is_setting(self.context, statement.value, alone=not self.assigned) or all(
                dotted(target) in self.assigned for target in targets
            )
        if isinstance(statement, ast.If):
            rest = statement.orelse if _is_other_accelerator(statement.test) else [*statement.body, *statement.orelse]
            return all(self.replaces(s) for s in rest)
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            is_counterpart = _called(statement) in self.called or (self.seeds and _seeds(self.context, statement))
            return is_counterpart or says_something(self.context, statement.value)
        return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _called(statement: ast.AST) -> str | None:
    """What a statement that is a mere call calls, as it is written."""
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return None
    return dotted(statement.value.func)


def says_something(context: Context, call: ast.Call) -> bool:
    """``print(…)``, a logger's method, or the end of the program."""
    is_log = isinstance(call.func, ast.Attribute) and call.func.attr in _LOG_METHODS
    return is_log or context.resolve(call.func) in _PRINTS


def _is_other_accelerator(test: ast.expr) -> bool:
    """``torch.backends.mps.is_available()``, ``is_torch_npu_available()``: of no concern where this one is there."""
    names = [
        n.id if isinstance(n, ast.Name) else n.attr for n in ast.walk(test) if isinstance(n, ast.Name | ast.Attribute)
    ]
    return any(_OTHERS.search(name) for name in names)


def _seeds(context: Context, statement: ast.stmt) -> bool:
    """``torch.manual_seed(…)``, and the same of a device."""
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    called = context.resolve(statement.value.func) or ""
    return called.startswith("torch") and called.rpartition(".")[2] in ("manual_seed", "manual_seed_all")


def _is_setting(context: Context, value: ast.expr | None, alone: bool) -> bool:
    """What a run without a GPU would be told: ``args.device = "cpu"``, ``use_gpu = False``, ``args.gpu = -1``.

    Where it is all that the ``if`` does (`alone`), any constant: ``args.workers = 1``.
    """
    if value is None or cuda.is_cpu_device(context, value):
        return True
    if isinstance(value, ast.UnaryOp):
        return isinstance(value.operand, ast.Constant)
    return isinstance(value, ast.Constant) and (alone or value.value is None or value.value is False)


# -- text ----------------------------------------------------------------------------------------------


def _as_else(context: Context, statement: ast.If) -> tuple[Edit, ...] | None:
    """``elif`` that always runs becomes ``else``, and what came after it goes."""
    module = context.module
    span = context.span(statement)
    colon = re.compile(r"[\s)\\]*:").match(module.text, context.span(statement.test).end)
    if colon is None:
        return None
    edits: list[Edit] = [Replace(Span(span.start, colon.end()), "else:")]
    if statement.orelse:
        edits.append(
            Replace(Span(end_of_block(module, statement.body, span), end_of_block(module, statement.orelse, span)), "")
        )
    return tuple(edits)


def _without(context: Context, statement: ast.If) -> tuple[Edit, ...] | None:
    """The ``if`` around an ``elif`` that never runs, without it and the comments above it."""
    module = context.module
    span = context.span(statement)
    before = module.parents[statement]
    assert isinstance(before, ast.If)
    if not statement.orelse:
        return (Replace(Span(end_of_block(module, before.body, span), end_of_block(module, statement.body, span)), ""),)
    start = _comments_above(module, span.start)
    if isinstance(statement.orelse[0], ast.If) and is_elif(module, statement.orelse[0]):
        return (Replace(Span(start, _comments_above(module, context.span(statement.orelse[0]).start)), ""),)
    end = end_of_block(module, statement.body, span)
    keyword = re.compile(r"^[ \t]*(else[ \t]*:)", re.MULTILINE).search(
        module.text, end, context.span(statement.orelse[0]).start
    )
    return (Replace(Span(start, _comments_above(module, keyword.start(1))), ""),) if keyword is not None else None


def _comments_above(module: Module, keyword: int) -> int:
    """The start of the line of an ``elif`` or ``else``, or of the comment lines directly above it that go with it."""
    line = module.position(keyword)[0]
    indent = keyword - module.line_start(line)
    while line > 1:
        above = module.text[module.line_start(line - 1) : module.line_end(line - 1)]
        if not above.lstrip().startswith("#") or len(above) - len(above.lstrip()) != indent:
            break
        line -= 1
    return module.line_start(line)
