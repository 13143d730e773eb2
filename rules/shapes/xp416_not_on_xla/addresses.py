"""What becomes of ``x.data_ptr()``: whether it tells tensors apart, or is an address at which somebody looks."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.views import without_gradient
from xlaport.wording import Text

from ..._lib.one_line import one_line
from ..._lib.shapes.saying import say

_CASTS = frozenset({"builtins.int", "builtins.hex", "builtins.str", "builtins.abs"})
_TELLING = frozenset(
    f"builtins.{name}" for name in "set frozenset hash id print repr format len sorted max min dict any all".split()
)
_COLLECTING = frozenset("add remove discard get index count pop setdefault format info debug".split())
"""Methods of containers and of logs, which ask an address for nothing but what it is."""
_STORAGES = frozenset({"untyped_storage", "storage"})
_THROUGH = (ast.keyword, ast.Tuple, ast.List, ast.BinOp, ast.IfExp, ast.ListComp, ast.GeneratorExp, ast.Starred)
"""What an address goes through as it is, or as a part."""
_MAX_DEPTH = 4


def as_address(context: Context, call: ast.Call, name: str, what: str, tensor: str) -> Text | None:
    """What is said of ``x.data_ptr()``, or of that of ``x.untyped_storage()``; None for what needs no address."""
    if name in _STORAGES:
        method = context.module.parents[call]
        asked = context.module.parents[method]
        if not isinstance(method, ast.Attribute) or method.attr != "data_ptr" or not isinstance(asked, ast.Call):
            return None
        is_told = any(_tells_apart(context, *end) for end in _ends(context, asked, 0))
        return say("XP416.address", what=what, tensor=_told(call)) if is_told else None
    return _of_tensor(context, call, what, tensor) if name == "data_ptr" else None


def _of_tensor(context: Context, call: ast.Call, what: str, tensor: str) -> Text:
    ends = list(_ends(context, call, 0))
    if any(_tells_apart(context, *end) for end in ends):
        return say("XP416.address", what=what, tensor=_told(call))
    for child, end in ends:
        if isinstance(end, ast.Call) and _is_of_a_library(context, end, child):
            return say("XP416.library", what=what, tensor=tensor, taker=one_line(context, end.func))
    return say("XP416.zero", what=what, tensor=tensor)


def _told(call: ast.Call) -> str:
    """The object that tells a tensor apart, which nothing else does on XLA."""
    tensor = call.func.value if isinstance(call.func, ast.Attribute) else call
    return ast.unparse(without_gradient(tensor))  # each `x.data` is another object


def _ends(context: Context, node: ast.AST, depth: int) -> Iterator[tuple[ast.AST, ast.AST]]:
    """What a value gets to in the end, behind casts, tuples and names: each with the part of it that it comes by."""
    child, parent = node, context.module.parents[node]
    while isinstance(parent, _THROUGH) or _is_cast(context, parent, child):
        child, parent = parent, context.module.parents[parent]
    if isinstance(parent, ast.Assign | ast.NamedExpr | ast.AnnAssign) and depth < _MAX_DEPTH:
        targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
        for target in targets:
            for use in context.names.uses_of(target):
                yield from _ends(context, use, depth + 1)
    yield child, parent


def _is_cast(context: Context, parent: ast.AST, child: ast.AST) -> bool:
    return isinstance(parent, ast.Call) and parent.func is not child and context.resolve(parent.func) in _CASTS


def _tells_apart(context: Context, child: ast.AST, end: ast.AST) -> bool:
    """Whether a place compares addresses, keeps them as keys or in a set, or shows them."""
    if isinstance(end, ast.Compare | ast.Set | ast.SetComp | ast.FormattedValue):
        return True
    if isinstance(end, ast.Dict):
        return child in end.keys
    if isinstance(end, ast.DictComp):
        return child is end.key
    if isinstance(end, ast.Subscript):
        return child is end.slice
    if not isinstance(end, ast.Call) or end.func is child:
        return False
    if context.resolve(end.func) in _TELLING:
        return True
    return isinstance(end.func, ast.Attribute) and end.func.attr in _COLLECTING


def _is_of_a_library(context: Context, taker: ast.Call, given: ast.AST) -> bool:
    """Whether a call runs what is not of the project, nor of Python, nor of torch."""
    if taker.func is given or (context.resolve(taker.func) or "").startswith(("builtins.", "torch.", "collections.")):
        return False
    if isinstance(taker.func, ast.Attribute) and taker.func.attr in ("append", "extend", "insert", "update", "put"):
        return False
    if isinstance(taker.func, ast.Name) and context.resolve(taker.func) is None:
        return False  # a name of this file: a function, a class, or a tuple with names
    structure, own = context.flow.structure, context.view.own
    return structure.run_by(own, taker) is None and structure.class_named(own, taker.func) is None
