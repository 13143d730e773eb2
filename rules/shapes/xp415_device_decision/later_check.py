"""A check that does nothing but to raise, or to tell, is made beside the next step, in a step closure.

The device answers the question, as a part of the step's graph; the closure reads the answer when it is there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection

from xlaport.context import Context
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.module import FunctionNode, is_elif, names_in
from xlaport.facts.role import Role
from xlaport.rule import Edit

from ..._lib.host_reads.closure_text import handing, in_place_of, indented, is_code, text_in_closure
from ..._lib.host_reads.closures import handed
from ..._lib.numbered import numbered
from ..._lib.one_line import has_long_string, one_line
from ..._lib.shapes.decisions import Decision
from ..._lib.shapes.on_device import of_host, on_device
from ..._lib.shapes.where_placed import if_placed

_CONTROL = frozenset(
    f"builtins.{name}"
    for name in ("StopIteration", "StopAsyncIteration", "GeneratorExit", "KeyboardInterrupt", "SystemExit")
)
"""What is raised to lead somewhere, or ends the thread alone that raises it."""
Taken = set[tuple[FunctionNode | None, str]]
"""Names that a round has given to functions, with the function around them."""
_TELLING = frozenset({"builtins.print", "warnings.warn"})
_TRACING = "torch.compile"
_COPYING = ("detach", "clone")


def later_check(context: Context, decision: Decision, add: str, taken: Taken) -> Edit | None:
    """The edit by which a closure checks, called through `add`; None where something else depends on the check.

    Its name is none of those that are taken, and is taken then.
    """
    node = decision.node
    around = decision.body.function or (decision.body.loop.node if decision.body.loop is not None else None)
    if not isinstance(node, ast.If | ast.Assert) or around is None or has_long_string(context, node):
        return None
    if isinstance(node, ast.If) and is_elif(context.module, node):
        return None
    if not context.editable(node) or not _may_wait(context, node):
        return None
    # A process that loads data may run it, too, with tensors of the host: it must not start the TPU.
    if if_placed(context, decision.read.tensor) or _is_of_rows(context, node, around):
        return None
    if any(barrier.lineno < node.lineno for barrier in context.loops.effects(around.body).barriers):
        return None  # the answer would be a part of the next step's graph
    answer, known = on_device(context, node.test), of_host(context, node.test)
    if answer is None or (known is not None and isinstance(node, ast.Assert)) or _is_traced(context, node):
        return None
    asked = ast.parse(answer, mode="eval").body
    if not names_in(asked) <= names_in(node.test):
        return None  # NumPy, which takes no tensor of the TPU
    if ast.dump(asked) == ast.dump(node.test):
        answer = one_line(context, node.test)
    statements = [node] if isinstance(node, ast.Assert) else node.body
    given = handed(context, statements, around)
    if given is None or given.imports:
        return None
    if not all(_is_there(text, node.test) for text in given.names.values()):
        return None
    flag = _free("holds" if isinstance(node, ast.Assert) else "fails", names_in(node) | given.names.keys())
    text, test, start = text_in_closure(context, given, node), context.span(node.test), context.span(node).start
    body = f"{text[: test.start - start]}{flag}{text[test.end - start :]}"
    scope = context.module.function(node)
    name = next(name for name in numbered("check") if (scope, name) not in taken and context.names.is_free(name, node))
    taken.add((scope, name))
    column = node.col_offset + (4 if known is not None else 0)
    call = handing(add, name, [answer, *given.names.values()], column)
    code = f"def {name}({', '.join([flag, *given.names])}):\n{indented(body)}\n\n{call}"
    if known is not None:
        return in_place_of(context, node, f"if {known}:\n\n{indented(code)}", blank=False)
    is_below = context.module.block(node)[0] is not node and is_code(context, node.lineno - 1)
    return in_place_of(context, node, code, blank=is_below)


def _is_there(text: str, test: ast.expr) -> bool:
    """Whether a value can be handed over in each step: a name, an attribute, what the test computes, a copy of these.

    ``losses[-1]`` and other calls were computed where the check failed alone.
    """
    computed = {ast.dump(part) for part in ast.walk(test)}
    node = ast.parse(text, mode="eval").body
    while not isinstance(node, ast.Name) and ast.dump(node) not in computed:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _COPYING:
            node = node.func.value
        elif isinstance(node, ast.Attribute):
            node = node.value
        else:
            return False
    return True


def _free(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _may_wait(context: Context, node: ast.If | ast.Assert) -> bool:
    """Whether all that a check does may come later: it raises what nothing catches, or tells."""
    if isinstance(node, ast.Assert):
        return context.steps.ends_the_program(node)
    *_, last = node.body
    if isinstance(last, ast.Raise):
        raised = last.exc.func if isinstance(last.exc, ast.Call) else last.exc
        is_error = raised is not None and context.resolve(raised) not in _CONTROL
        return is_error and context.steps.ends_the_program(node)
    calls = [s.value for s in node.body if isinstance(s, ast.Expr) and isinstance(s.value, ast.Call)]
    tells = len(calls) == len(node.body) and all(context.resolve(call.func) in _TELLING for call in calls)
    return tells and not node.orelse and context.steps.only_asks(node)


def _is_of_rows(context: Context, node: ast.AST, around: ast.AST) -> bool:
    """Whether a loop over a tensor asks of each row: what is asked at once needs no closure for each."""
    for parent in context.module.ancestors(node):
        if parent is around:
            return False
        if isinstance(parent, ast.For) and any(
            isinstance(part, ast.expr) and context.roles.is_(part, Role.TENSOR) for part in ast.walk(parent.iter)
        ):
            return True
    return False


def _is_traced(context: Context, node: ast.AST) -> bool:
    """Whether what is around may run once, to be traced, and not in each step."""
    for parent in context.module.ancestors(node):
        if not isinstance(parent, FunctionNode):
            continue
        for decorator in parent.decorator_list:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if context.resolve(called) not in torch_api.GRAD_OFF:
                return True
    is_near = _TRACING in context.module.text
    return is_near or bool(context.view.own.program.saying(re.compile(re.escape(_TRACING).encode())))
