"""XP954: what torch_xla runs when the step is done."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from xlaport.context import Context
from xlaport.facts.module import FunctionNode, LoopNode, last_name
from xlaport.facts.structure import CallSite, Function
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule, Trait

from .._lib.arguments import given
from .._lib.parentheses import ATOMS
from .._lib.removal import is_effect_free
from .._lib.successor.answers import uses
from .._lib.successor.saying import say
from .._lib.uses import Use

_PARAMETERS = ("closure", "args", "run_async")
_GIVING = frozenset({"detach", "clone", "cpu", "item"})
"""Methods of tensors that do nothing but give something."""


class StepClosure(Rule):
    """Call what torch_xla runs behind the step.

    ## What it does
    Turns `xm.add_step_closure(function, args=(a, b))` into `function(a, b)`; of a `lambda`, its body is written.

    ## Why
    Under torch_xla, a closure waits until the graph of the step has run. torch_tpu runs each operation at once: the
    values are there.

    ## Example
        import torch_xla.core.xla_model as xm
        for step, loss in enumerate(losses):
            xm.add_step_closure(lambda step, loss: print(step, loss.item()), args=(step, loss))

    becomes

        for step, loss in enumerate(losses):
            print(step, loss.item())

    ## When it is wrong
    Where the closure counts on running later than the statements behind it in the step: it is only called with
    `--unsafe` where something but a barrier follows it there.

    ## When it is left alone
    Arguments behind a `*`, and a call that is part of an expression: these are reported.

    ## Sources
    - Measured on PyTorch 2.13 and torch_tpu 0.2.0, on the CPU plugin of OpenXLA.

    ## Related
    XP952, XP305.
    """

    code = "XP954"
    name = "step-closure"
    summary = "xm.add_step_closure(function, args=(a,)) becomes function(a)"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    traits = (Trait.SUCCEEDS_XLA,)
    words = ("add_step_closure",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each closure."""
        for use in uses(context):
            if use.entry.rule == self.code:
                yield self._finding(context, use)

    def _finding(self, context: Context, use: Use) -> Finding:
        call = use.call
        text = self._call(context, call) if call is not None and context.editable(call) else None
        if call is None or text is None:
            return self.finding(context.place(use.node), say("XP954.elsewhere"))
        is_lambda = isinstance(call.args[0] if call.args else None, ast.Lambda)
        said = say("XP954.body" if is_lambda else "XP954.call")
        is_last = _is_last(context, context.module.statement(call), frozenset())
        applicability = Applicability.SAFE if is_last else Applicability.UNSAFE
        return self.finding(context.span(call), said, Replace(context.span(call), text), applicability=applicability)

    def _call(self, context: Context, call: ast.Call) -> str | None:
        passed = given(call, _PARAMETERS) or {}
        closure, arguments = passed.get("closure"), passed.get("args")
        if closure is None or not isinstance(context.module.parents[call], ast.Expr):
            return None
        if not isinstance(arguments, ast.Tuple | ast.List | None):
            return None
        values = list(arguments.elts) if arguments is not None else []
        if isinstance(closure, ast.Lambda):
            body = self._body(context, closure, values)
            if body is not None:
                return body
        text = context.module.segment(closure)
        function = text if isinstance(closure, ATOMS) else f"({text})"
        return f"{function}({', '.join(context.module.segment(value) for value in values)})"

    def _body(self, context: Context, closure: ast.Lambda, values: list[ast.expr]) -> str | None:
        """The body with the arguments in the place of the parameters; None where that says something else."""
        parameters = [parameter.arg for parameter in closure.args.args]
        others = (closure.args.vararg, closure.args.kwarg, *closure.args.kwonlyargs, *closure.args.defaults)
        if any(others) or len(parameters) != len(values) or not isinstance(closure.body, ast.Call):
            return None
        replaced = dict(zip(parameters, values, strict=True))
        inner = [n for n in ast.walk(closure.body) if isinstance(n, ast.Lambda | ast.comprehension | ast.NamedExpr)]
        edits: list[tuple[int, int, str]] = []
        start = context.span(closure.body).start
        for node in ast.walk(closure.body):
            value = replaced.get(node.id) if isinstance(node, ast.Name) else None
            if value is None or (isinstance(value, ast.Name) and value.id == getattr(node, "id", None)):
                continue
            if inner or not context.module.is_placed(node) or not self._can_move(context, closure, value, node):
                return None
            span, text = context.span(node), context.module.segment(value)
            edits.append((span.start - start, span.end - start, text if isinstance(value, ATOMS) else f"({text})"))
        body = context.module.segment(closure.body)
        for begin, end, text in sorted(edits, reverse=True):
            body = body[:begin] + text + body[end:]
        return body

    def _can_move(self, context: Context, closure: ast.Lambda, value: ast.expr, node: ast.AST) -> bool:
        """Whether an argument may be evaluated in the body: it has no effect, or stands there once."""
        name = getattr(node, "id", "")
        once = sum(isinstance(n, ast.Name) and n.id == name for n in ast.walk(closure.body)) == 1
        return once or is_effect_free(context, value)


def _is_last(context: Context, statement: ast.stmt, seen: frozenset[ast.AST]) -> bool:
    """Whether nothing is done between a statement and the barrier, or the end of the step, but to add closures."""
    child: ast.AST = statement
    for parent in context.module.ancestors(statement):
        for block in (getattr(parent, name, None) for name in ("body", "orelse", "finalbody")):
            for behind in block[block.index(child) + 1 :] if isinstance(block, list) and child in block else ():
                if _is_call_of(context, behind, context.target.barriers):
                    return True
                if not _adds(context, behind):
                    return False
        if isinstance(parent, ast.Try) and child not in parent.finalbody and parent.finalbody:
            return False
        if isinstance(parent, ast.Try) and child in parent.body and not _all_add(context, parent.orelse):
            return False
        if isinstance(parent, ast.Module):
            return True
        if isinstance(parent, LoopNode) and child in parent.body:
            if not _is_part_of_step(context, parent):
                return True
            if not _all_add(context, parent.body):
                return False  # the next pass follows in the same step
        if isinstance(parent, FunctionNode):
            sites = context.flow.structure.calls_to(Function(context.view.own, parent))
            return bool(sites) and parent not in seen and all(_ends(context, site, seen | {parent}) for site in sites)
        child = parent
    return False


def _is_part_of_step(context: Context, loop: LoopNode) -> bool:
    """Whether the passes of a loop are no steps, but belong to one that goes on behind it."""
    if context.loops.step_loop(loop) is not None:
        return False
    function = context.module.function(loop)
    return context.loops.around(loop) is not None or (
        function is not None and context.step_code.runs_in_steps(function)
    )


def _ends(context: Context, site: CallSite, seen: frozenset[ast.AST]) -> bool:
    there = context.of(site.facts)
    statement = there.module.statement(site.node)
    return isinstance(statement, ast.Expr) and statement.value is site.node and _is_last(there, statement, seen)


def _all_add(context: Context, statements: Sequence[ast.stmt]) -> bool:
    return all(_adds(context, statement) for statement in statements)


def _adds(context: Context, statement: ast.stmt) -> bool:
    """What may stand between a closure and its barrier: other closures, ``if done: break``."""
    if isinstance(statement, ast.If):
        return is_effect_free(context, statement.test) and _all_add(context, [*statement.body, *statement.orelse])
    if isinstance(statement, ast.Pass | ast.Break | ast.Continue):
        return True
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or context.resolve(call.func) not in context.target.spellings["add_step_closure"]:
        return False
    passed = (*call.args, *(keyword.value for keyword in call.keywords))
    calls = (part for value in passed if not isinstance(value, ast.Lambda) for part in ast.walk(value))
    return all(_only_gives(context, part) for part in calls if isinstance(part, ast.Call))


def _only_gives(context: Context, call: ast.Call) -> bool:
    return last_name(call.func) in _GIVING or is_effect_free(context, call)


def _is_call_of(context: Context, statement: ast.stmt, names: Collection[str]) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and context.resolve(call.func) in names
