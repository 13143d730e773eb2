"""NumPy arrays of what is computed in low precision: NumPy has float16, and no bfloat16."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.derived import Derived
from xlaport.facts.held import Kind
from xlaport.facts.module import FunctionNode, last_name, walk_block
from xlaport.facts.program import Facts
from xlaport.facts.structure import Function
from xlaport.rule import Replace, Span

from ..parentheses import ATOMS

_WIDENING = frozenset({"float", "double", "long", "int", "bool", "item", "tolist"})
_TAKING = frozenset({"numpy.array", "numpy.asarray"})
_DECIDING = frozenset({"argmax", "argmin", "argsort"})
"""What gives whole numbers of any dtype."""
_NO_FLOATS = torch_api.MODULE_KEEPING_METHODS | torch_api.MODULE_HOST_METHODS | {"generate"}
"""Methods of a model that compute nothing, or whole numbers."""
_MAX_DEPTH = 5


def arrays_under(context: Context, autocast: ast.Call) -> Iterator[ast.expr]:
    """What NumPy gets as it is, and is computed in the block of an autocast."""
    found = (taken for value in _computed(context, autocast) for taken in arrays_of(context, value))
    yield from dict.fromkeys(found)


def arrays_of(context: Context, source: ast.expr) -> Iterator[ast.expr]:
    """What NumPy gets as it is, and is computed from a value: ``y.cpu()`` of ``y.cpu().numpy()``."""
    derived = Derived(context.view.own, source)
    for call in context.module.calls:
        taken = _array(context, call)
        if taken is None or not context.editable(taken) or not derived.has(taken) or _was_widened(context, taken, 0):
            continue
        if context.tensors.held(context.view.own, taken).kind not in (Kind.BOOL, Kind.INT):
            yield taken


def widened(context: Context, array: ast.expr) -> Replace:
    """The edit that makes float32 of what NumPy gets: ``y.cpu().float()``."""
    span = context.span(array)
    if isinstance(array, ATOMS):
        return Replace(Span(span.end, span.end), ".float()")
    return Replace(span, f"({context.module.segment(array)}).float()")


def computed_by(context: Context, model: ast.expr) -> Iterator[ast.Call]:
    """The calls of a model that an expression places or casts: ``model(x)`` for ``model`` of ``model.half()``."""
    called = named(context, model)
    if called is not None:
        for call in context.module.calls:
            is_same = type(call.func) is type(called) and ast.unparse(call.func) == ast.unparse(called)
            if is_same and context.module.class_of(call) is context.module.class_of(model):
                yield call


def given_by(context: Context, model: ast.expr) -> Iterator[ast.Call]:
    """The calls of a model's own methods: ``vocoder.infer(mel)``, which may give low precision, or whole numbers."""
    called = named(context, model)
    if called is None:
        return
    for call in context.module.calls:
        func = call.func
        if not isinstance(func, ast.Attribute) or func.attr in _NO_FLOATS:
            continue
        is_same = ast.unparse(func.value) == ast.unparse(called)
        if is_same and context.module.class_of(call) is context.module.class_of(model):
            yield call


def named(context: Context, model: ast.expr) -> ast.expr | None:
    """The name that a model has, or gets: ``model`` of ``model.half()`` and ``model = Net().half()``."""
    below: ast.AST = model
    while isinstance(model, ast.Call) and isinstance(model.func, ast.Attribute) and context.resolve(model.func) is None:
        model = model.func.value
    if isinstance(model, ast.Name | ast.Attribute):
        return model
    for parent in context.module.ancestors(below):
        if isinstance(parent, ast.Assign):
            target = parent.targets[0]
            return target if isinstance(target, ast.Name | ast.Attribute) else None
        if not isinstance(parent, ast.Attribute | ast.Call | ast.keyword):
            return None
    return None


def array_within(context: Context, model: ast.expr) -> tuple[Facts, ast.expr] | None:
    """What NumPy gets as it is in the methods of a model, or in the functions of the project that they call."""
    structure = context.flow.structure
    owner = structure.instance_of(context.view.own, model)
    todo = [
        Function(base.facts, method)
        for base in (structure.bases(owner) if owner is not None else [])
        for method in base.node.body
        if isinstance(method, FunctionNode)
    ]
    seen: set[FunctionNode] = set()
    while todo:
        function = todo.pop()
        if function.node in seen:
            continue
        seen.add(function.node)
        there = context.of(function.facts)
        for call in there.module.that_run(function.node.body, ast.Call):
            taken = _array(there, call) if isinstance(call.func, ast.Attribute) and call.func.attr == "numpy" else None
            if taken is not None and not _was_widened(there, taken, 0):
                if there.tensors.held(function.facts, taken).kind not in (Kind.BOOL, Kind.INT):
                    return function.facts, taken
            called = structure.run_by(function.facts, call)
            todo += [called] if called is not None else []
    return None


def _computed(context: Context, autocast: ast.Call) -> Iterator[ast.expr]:
    """The values that the statements of the block assign: ``y`` of ``with autocast(): y = model(x)``."""
    block = next((p for p in context.module.ancestors(autocast) if isinstance(p, ast.With | FunctionNode)), None)
    if isinstance(block, ast.With) and any(item.context_expr is autocast for item in block.items):
        yield from (s.value for s in walk_block(block.body) if isinstance(s, ast.Assign))


def _array(context: Context, node: ast.AST) -> ast.expr | None:
    """``y`` of ``y.numpy()`` and ``np.asarray(y)``."""
    if not isinstance(node, ast.Call):
        return None
    if isinstance(node.func, ast.Attribute) and node.func.attr == "numpy" and context.resolve(node.func) is None:
        return node.func.value
    return node.args[0] if context.resolve(node.func) in _TAKING and node.args else None


def _was_widened(context: Context, value: ast.expr, depth: int) -> bool:
    """Whether something on the way to a value makes float32 of it, whole numbers or truth values.

    The way goes through names and methods, and not through what a model is given.
    """
    while isinstance(value, ast.Call | ast.Attribute | ast.Subscript):
        if isinstance(value, ast.Call):
            name = last_name(value.func)
            if name in _WIDENING | _DECIDING:
                return True
            is_function = context.resolve(value.func) is not None
            value = value.args[0] if is_function and value.args else value.func
        else:
            value = value.value
    if isinstance(value, ast.BinOp):
        return _was_widened(context, value.left, depth) or _was_widened(context, value.right, depth)
    if isinstance(value, ast.Name) and depth < _MAX_DEPTH:
        found = (binding.value for binding in context.names.reaching(value))
        return any(v is not None and _was_widened(context, v, depth + 1) for v in found)
    return isinstance(value, ast.Compare)
