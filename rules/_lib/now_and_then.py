"""What a step does may be enough in every 100th step: what counts the steps, and the edits that go by it."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.module import FunctionNode, LoopNode
from xlaport.facts.program import Facts
from xlaport.facts.structure import Function
from xlaport.rule import Edit, Replace, ReplaceStatement

from .one_line import has_long_string

EVERY = 100
_WITH_STEP = 3
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


def is_begun_once(context: Context, loop: LoopNode) -> bool:
    """Whether what counts the passes of a loop does not begin anew in another one, as far as callers are seen."""
    return _is_begun_once(context.view.own, context, loop, frozenset())


def _is_begun_once(facts: Facts, context: Context, node: ast.AST, seen: frozenset[ast.AST]) -> bool:
    for parent in facts.module.ancestors(node):
        if isinstance(parent, LoopNode | ast.Lambda):
            return False
        if isinstance(parent, FunctionNode):
            if parent in seen:
                return False
            sites = context.flow.structure.calls_to(Function(facts, parent))
            return all(_is_begun_once(site.facts, context, site.node, seen | {parent}) for site in sites)
    return True


def most_passes(context: Context, loop: LoopNode) -> int | None:
    """How many passes ``for n in range(9)`` has, where that is written."""
    counted = _counting(context, loop)
    if counted is None or context.resolve(counted.func) != "builtins.range" or len(counted.args) != 1:
        return None
    return _written(counted.args[0])


def counter_of(context: Context, node: ast.AST) -> str | None:
    """What counts the steps around a place: ``n`` of ``for n in range(…)`` and of ``enumerate(…)``."""
    loop = _step_loop(context, node)
    return passes_of(context, loop) if loop is not None else None


def counted_by(context: Context, loop: LoopNode) -> ast.Name | None:
    """``n`` of ``for n in range(…)`` and ``for n, x in enumerate(…)``, under ``tqdm``, too."""
    counted = _counting(context, loop)
    if counted is None or not isinstance(loop, ast.For):
        return None
    target = loop.target
    if context.resolve(counted.func) == "builtins.enumerate":
        target = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else target
    return target if isinstance(target, ast.Name) and target.id != "_" else None


def passes_of(context: Context, loop: LoopNode) -> str | None:
    """What is one more in each pass: ``n`` of ``range(9)``, ``n // 2`` of ``range(0, 9, 2)``."""
    name, counted = counted_by(context, loop), _counting(context, loop)
    if name is None or counted is None:
        return None
    step = counted.args[2] if len(counted.args) >= _WITH_STEP else None
    if step is None or ast.unparse(step) == "1":
        return name.id
    text = ast.unparse(step)
    return f"{name.id} // {text if isinstance(step, ast.Name | ast.Attribute | ast.Constant) else f'({text})'}"


def _counting(context: Context, loop: LoopNode) -> ast.Call | None:
    """``range(…)`` or ``enumerate(…)``, which a loop goes through, under what hands its elements on."""
    node = loop.iter if isinstance(loop, ast.For) else None
    while node is not None:
        node = context.names.assigned(node) if isinstance(node, ast.Name) else node
        if not isinstance(node, ast.Call):
            return None
        called = context.resolve(node.func)
        if called == "builtins.enumerate" or called in torch_api.COUNTERS:
            return node
        node = node.args[0] if called in torch_api.PASSING_WRAPPERS and node.args else None
    return None


def _step_loop(context: Context, node: ast.AST) -> LoopNode | None:
    """The step loop that a place stands in, in its own function."""
    for parent in context.module.ancestors(node):
        if isinstance(parent, FunctionNode | ast.Lambda):
            return None
        if isinstance(parent, LoopNode) and context.loops.step_loop(parent) is not None:
            return parent
    return None


def _counter(context: Context, node: ast.AST) -> _Counter | None:
    """What an edit may go by that stands at the place of a node."""
    loop = _step_loop(context, node)
    if loop is None:
        return None
    if _is_reached_by_count(context, loop, node):
        return None
    name = counted_by(context, loop)
    text = passes_of(context, loop)
    if name is not None and text is not None and _bound_in(loop, name.id) == [name]:
        first = _first_of(context, loop)
        if first == 0 or (first is not None and text == name.id):
            return _Counter(text, first=first)
    else:
        for statement in loop.body:
            if isinstance(statement, ast.AugAssign) and is_one_more(statement):
                target = statement.target
                if isinstance(target, ast.Name) and _bound_in(loop, target.id) == [target]:
                    return _Counter(target.id, first=_first_after(context, loop, statement, node))
    return _numbered(context, loop)


def _first_of(context: Context, loop: LoopNode) -> int | None:
    """The number that a loop begins with: 1 of ``range(1, 9)`` and of ``enumerate(batches, 1)``; None: not known.

    A loop that begins with ``args.start`` may be short, and have no number that 100 divides.
    """
    counted = _counting(context, loop)
    if counted is None:
        return 0
    is_range = context.resolve(counted.func) != "builtins.enumerate"
    given = counted.args[0] if is_range and len(counted.args) > 1 else None
    if not is_range:
        given = next((keyword.value for keyword in counted.keywords if keyword.arg == "start"), None)
        given = counted.args[1] if len(counted.args) > 1 else given
    return 0 if given is None else _written(given)


def _written(node: ast.expr | None) -> int | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else None


def _first_after(context: Context, loop: LoopNode, counting: ast.AugAssign, node: ast.AST) -> int:
    """What ``n += 1`` has made of ``n = 0`` in the first pass, where a statement asks."""
    assert isinstance(counting.target, ast.Name)
    begun = [b.value for b in context.names.reaching(counting.target) if b.node is not counting.target]
    first = next((number for value in begun if (number := _written(value)) is not None), 0)
    place = context.module.place_in(loop.body, context.module.statement(node))
    return first + (place is not None and place > loop.body.index(counting))


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


def is_one_more(statement: ast.AugAssign) -> bool:
    """``n += 1``."""
    one = statement.value
    return isinstance(statement.op, ast.Add) and isinstance(one, ast.Constant) and one.value == 1


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


def _bound_in(loop: LoopNode, name: str) -> list[ast.Name]:
    """Where a loop binds a name, in its target and in its body."""
    parts = [loop.target, *loop.body] if isinstance(loop, ast.For | ast.AsyncFor) else loop.body
    return [
        node
        for part in parts
        for node in ast.walk(part)
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
    ]
