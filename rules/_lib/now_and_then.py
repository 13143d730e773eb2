"""What a step does may be enough in every 100th step: what counts the steps, and the edits that go by it."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.module import LoopNode
from xlaport.rule import Edit, Replace, ReplaceStatement

from .counting import bound_in, counted_by, first_number, first_number_behind, is_one_more, passes_of, step_loop
from .one_line import has_long_string

EVERY = 100
_FREE = ("step", "batch_idx", "step_number")


@dataclass(frozen=True)
class _Counter:
    """What is one more in each pass of a loop, and the edits that bring it about where nothing counts yet."""

    text: str
    edits: tuple[Edit, ...] = ()
    first: int = 0
    """What it is in the first pass, as far as that is written."""

    def asked(self, every: int) -> str:
        """The question for every n-th pass, the first among them: a short loop has no other."""
        return f"{self.text} % {every} == {self.first % every}"


def asked_now_and_then(context: Context, node: ast.If | ast.Assert, every: int = EVERY) -> tuple[Edit, ...]:
    """The edits by which a check looks in every n-th step only; none where nothing can count."""
    if isinstance(node, ast.Assert):
        return done_now_and_then(context, node)
    counter = _counter(context, node)
    if counter is None or not context.editable(node.test):
        return ()
    text = context.module.segment(node.test)
    if isinstance(node.test, ast.BoolOp | ast.IfExp | ast.Lambda | ast.NamedExpr):
        text = f"({text})"
    return (*counter.edits, Replace(context.span(node.test), f"{counter.asked(every)} and {text}"))


def done_now_and_then(context: Context, statement: ast.stmt) -> tuple[Edit, ...]:
    """The edits by which a statement runs in every 100th step only; none where nothing can count."""
    counter = _counter(context, statement)
    if counter is None or has_long_string(context, statement):
        return ()
    lines = context.module.segment(statement).split("\n")
    body = "".join(f"\n    {line}" if line.strip() else "\n" for line in lines)
    return (*counter.edits, ReplaceStatement(context.span(statement), f"if {counter.asked(EVERY)}:{body}"))


def _counter(context: Context, node: ast.AST) -> _Counter | None:
    """What an edit may go by that stands at the place of a node."""
    loop = step_loop(context, node)
    if loop is None:
        return None
    if _is_reached_by_count(context, loop, node):
        return None
    name = counted_by(context, loop)
    text = passes_of(context, loop)
    if name is not None and text is not None and bound_in(loop, name.id) == [name]:
        first = first_number(context, loop)
        if first == 0 or (first is not None and text == name.id):
            return _Counter(text, first=first)
    else:
        for statement in loop.body:
            if isinstance(statement, ast.AugAssign) and is_one_more(statement):
                target = statement.target
                if isinstance(target, ast.Name) and bound_in(loop, target.id) == [target]:
                    return _Counter(target.id, first=first_number_behind(context, loop, statement, node))
    return _numbered(context, loop)


def _is_reached_by_count(context: Context, loop: LoopNode, node: ast.AST) -> bool:
    """Whether only some passes come to a place, by their number: behind ``if (i + 1) % 4: continue``.

    Those of another count, every 100th, may be none of them.
    """
    child: ast.AST = node
    for parent in context.module.ancestors(node):
        if isinstance(child, ast.stmt):
            block = context.module.block(child)
            leaving = (s for s in block[: block.index(child)] if any(isinstance(n, ast.Continue) for n in ast.walk(s)))
            asked = [n.test for s in leaving for n in ast.walk(s) if isinstance(n, ast.If | ast.While)]
            if isinstance(parent, ast.If):
                asked.append(parent.test)
            if any(isinstance(n, ast.Mod) for test in asked for n in ast.walk(test)):
                return True
        if parent is loop:
            return False
        child = parent
    return False


def _numbered(context: Context, loop: LoopNode) -> _Counter | None:
    """``for step, x in enumerate(batches)`` for ``for x in batches``."""
    if not isinstance(loop, ast.For) or not (context.editable(loop.iter) and context.editable(loop.target)):
        return None
    name = next((name for name in _FREE if context.names.is_free(name, loop)), None)
    if name is None:
        return None
    target = context.module.segment(loop.target)
    if isinstance(loop.target, ast.Tuple) and not target.startswith("("):
        target = f"({target})"
    elif isinstance(loop.target, ast.Starred):
        return None
    iterated = context.module.segment(loop.iter)
    if isinstance(loop.iter, ast.Tuple) and not iterated.startswith("("):
        iterated = f"({iterated})"
    edits = (
        Replace(context.span(loop.target), f"{name}, {target}"),
        Replace(context.span(loop.iter), f"enumerate({iterated})"),
    )
    return _Counter(name, edits)
