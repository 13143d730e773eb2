"""What holds values that were read, as the code spells it."""

from __future__ import annotations

import ast

from xlaport.context import Context

Shape = str
"""What an expression gives: a value ``""``, a list ``"l"`` or a dict ``"d"`` of values, a dict of lists ``"dl"``."""

_NEW_DICTS = frozenset({"builtins.dict", "collections.defaultdict", "collections.OrderedDict"})
_NEW_LISTS = frozenset({"builtins.list", "collections.deque"})


def is_number(context: Context, node: ast.expr | None) -> bool:
    """A plain number."""
    if isinstance(node, ast.UnaryOp):
        return is_number(context, node.operand)
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def is_len(call: ast.Call) -> bool:
    """``len(values)``."""
    return isinstance(call.func, ast.Name) and call.func.id == "len"


def is_new(context: Context, value: ast.expr, shape: Shape) -> bool:
    """``{}``, ``[]``, ``defaultdict(float)``, ``{name: 0.0 for name in names}``: new, with nothing but zeros in it."""
    inner: list[ast.expr] = []
    match value:
        case ast.Call() if context.resolve(value.func) == "builtins.dict.fromkeys" and shape == "d":
            inner = value.args[1:]
            return bool(inner) and is_number(context, inner[0])
        case ast.Call():
            return context.resolve(value.func) in (_NEW_DICTS if shape[0] == "d" else _NEW_LISTS) and not any(
                isinstance(given, ast.Dict | ast.List | ast.Starred) for given in value.args
            )
        case ast.Dict() | ast.List() if isinstance(value, ast.Dict) is (shape[0] == "d"):
            inner = value.values if isinstance(value, ast.Dict) else value.elts
        case ast.DictComp() if shape[0] == "d":
            inner = [value.value]
        case _:
            return False
    return all(is_new(context, part, shape[1:]) if shape[1:] else is_number(context, part) for part in inner)


def call_of(context: Context, parent: ast.AST) -> ast.Call | None:
    """The call that an argument is given to."""
    call = context.module.parents[parent] if isinstance(parent, ast.keyword) and parent.arg is not None else parent
    return call if isinstance(call, ast.Call) else None


def key_of(node: ast.expr) -> str:
    """What holds a value: ``.running`` of ``self.running[key]``."""
    while isinstance(node, ast.Subscript | ast.Call):
        node = node.value if isinstance(node, ast.Subscript) else node.func
        if isinstance(node, ast.Attribute) and node.attr in ("get", "pop", "copy"):
            node = node.value
    return f".{node.attr}" if isinstance(node, ast.Attribute) else getattr(node, "id", "")
