"""The methods of a program's own classes that operators, builtins and f-strings run: ``__add__``, ``__str__`` …"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from xlaport.analysis.applying import Applying
from xlaport.analysis.definitions import Class
from xlaport.analysis.value import Value, each_alternative, joined

SHOWN = ("__format__", "__str__", "__repr__")
_OPERATORS = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.MatMult: "matmul", ast.LShift: "lshift", ast.RShift: "rshift", ast.BitAnd: "and",
    ast.BitOr: "or", ast.BitXor: "xor", ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt",
    ast.GtE: "ge",
}  # fmt: skip
_BUILTINS = {
    **{f"builtins.{name}": (f"__{name}__",) for name in ("len", "float", "int", "bool", "abs", "round")},
    **dict.fromkeys(("builtins.print", "builtins.str", "builtins.repr"), SHOWN[1:]),
    "builtins.format": SHOWN,
}


class Special:
    """Answers for one frame."""

    def __init__(self, applying: Applying) -> None:
        self.applying = applying

    def run(self, base: Value, names: Sequence[str], given: Sequence[Value], at: ast.AST) -> Value | None:
        """What the first method gives that an object has of some; None where it is none of the program's, or has none.

        Nothing calls it in words: a node asks for it.
        """
        if not base.alternatives and not isinstance(base.type, Class):
            return None
        return joined([self._run(one, names, given, at) for one in each_alternative(base)])

    def _run(self, base: Value, names: Sequence[str], given: Sequence[Value], at: ast.AST) -> Value | None:
        kind = base.type
        methods = (kind.method(name) for name in names) if isinstance(kind, Class) else ()
        method = next((method for method in methods if method is not None), None)
        return self.applying.apply(method, [base, *given], {}, None, at) if method is not None else None

    def operator(
        self, operator: ast.operator | ast.cmpop, sides: Sequence[Value], at: ast.AST, is_augmented: bool = False
    ) -> Value | None:
        """What an operator gives that an object on one of its sides has a method for."""
        if isinstance(operator, ast.In | ast.NotIn):
            return self.run(sides[1], ("__contains__",), sides[:1], at)
        name = _OPERATORS.get(type(operator), "")
        own = (f"__i{name}__", f"__{name}__") if is_augmented else (f"__{name}__",)
        found = self.run(sides[0], own, sides[1:], at)
        return self.run(sides[1], (f"__r{name}__",), sides[:1], at) if found is None else found

    def builtin(self, name: str, arguments: Sequence[Value], at: ast.AST) -> Value | None:
        """What a function of Python's gives that asks the objects which it gets."""
        asked = _BUILTINS.get(name)
        return joined([self.run(one, asked, (), at) for one in arguments]) if asked is not None else None
