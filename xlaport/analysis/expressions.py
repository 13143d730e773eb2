"""What expressions give, kind by kind; calls have a module of their own."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from xlaport.analysis import library
from xlaport.analysis import value as types
from xlaport.analysis.calls import Calls
from xlaport.analysis.definitions import Class, File, Super
from xlaport.analysis.events import objects_in
from xlaport.analysis.frame import Frame
from xlaport.analysis.operators import met
from xlaport.analysis.scopes import dotted
from xlaport.analysis.uses import shown_by
from xlaport.analysis.value import NOTHING, PENDING, UNKNOWN, Bound, Value, each, held, join, joined
from xlaport.facts import vocabulary

_NUMBERS = (bool, int, float, complex)
_OBJECT = Value(types.OBJECT, because="a display")
_NUMBER = Value(types.NUMBER, because="a number")
_SIZE = Value(types.NUMBER, because="a size")
_TRUTH = Value(types.NUMBER, because="a truth value")


class Expressions:
    """Evaluates expressions in a frame, and notes what each of them may be."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.around = frame.around
        self.calls = Calls(frame)
        self._kinds: dict[type[ast.AST], Callable[[Any], Value]] = {
            ast.Constant: constant,
            ast.Name: lambda node: self._by_use(node, frame.look_up(node.id)),
            ast.Attribute: self._attribute,
            ast.Call: self._call,
            ast.BinOp: self._operation,
            ast.UnaryOp: self._unary,
            ast.Compare: self._compare,
            ast.BoolOp: lambda node: joined([self.of(part) for part in node.values]) or UNKNOWN,
            ast.IfExp: self._chosen,
            ast.Subscript: self._subscript,
            ast.Tuple: lambda node: self._display(node, ""),
            ast.List: lambda node: self._display(node, types.OBJECT),
            ast.Set: lambda node: self._display(node, types.OBJECT),
            ast.Dict: self._dict,
            ast.JoinedStr: self._text,
            ast.FormattedValue: self._formatted,
            ast.ListComp: lambda node: self._comprehension(node, [node.elt], types.OBJECT),
            ast.SetComp: lambda node: self._comprehension(node, [node.elt], types.OBJECT),
            ast.GeneratorExp: lambda node: self._comprehension(node, [node.elt], None),
            ast.DictComp: lambda node: self._comprehension(node, [node.key, node.value], types.OBJECT),
            ast.Lambda: self._lambda,
            ast.Starred: lambda node: self.of(node.value),
            ast.Await: lambda node: self.of(node.value),
            ast.NamedExpr: self._named,
            ast.Yield: self._yield,
            ast.YieldFrom: self._yield_from,
            ast.Slice: self._slice,
        }

    def of(self, node: ast.expr | None) -> Value:
        """What an expression may be."""
        if node is None:
            return NOTHING
        kind = self._kinds.get(type(node))
        value = kind(node) if kind is not None else UNKNOWN
        self.around.values[node] = value
        return value

    def all_of(self, nodes: Iterable[ast.expr]) -> list[Value]:
        """The same, of several."""
        return [self.of(node) for node in nodes]

    # -- operators ---------------------------------------------------------------------------------------

    def _operation(self, node: ast.BinOp) -> Value:
        """``a + b + c …`` from the left: some programs have hundreds of these in a row."""
        chain = [node]
        while isinstance(chain[-1].left, ast.BinOp):
            chain.append(chain[-1].left)
        value = self.of(chain[-1].left)
        for operation in reversed(chain):
            value = self.around.values[operation] = met([value, self.of(operation.right)], operation.lineno)
        return value

    def _unary(self, node: ast.UnaryOp) -> Value:
        value = self.of(node.operand)
        if isinstance(node.op, ast.Not):
            return _TRUTH._replace(line=node.lineno)
        return value if value is PENDING else value._replace(constant=None)

    def _compare(self, node: ast.Compare) -> Value:
        sides = self.all_of([node.left, *node.comparators])
        if any(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in node.ops):
            return _TRUTH._replace(line=node.lineno)
        return met(sides, node.lineno, is_comparison=True)

    def _chosen(self, node: ast.IfExp) -> Value:
        self.of(node.test)
        return join(self.of(node.body), self.of(node.orelse)) or UNKNOWN

    # -- displays ----------------------------------------------------------------------------------------

    def _display(self, node: ast.Tuple | ast.List | ast.Set, kind: str) -> Value:
        values = self.all_of(node.elts)
        starred = any(isinstance(part, ast.Starred) for part in node.elts)
        elements, element = (None, joined(values)) if starred else (tuple(values), None)
        return Value(kind or None, elements=elements, element=element, because="a display", line=node.lineno)

    def _dict(self, node: ast.Dict) -> Value:
        for key in node.keys:
            if key is not None:
                self.of(key)
        return _OBJECT._replace(element=joined(self.all_of(node.values)), line=node.lineno)

    def _text(self, node: ast.JoinedStr) -> Value:
        self.all_of(node.values)
        return Value(types.TEXT, because="an f-string", line=node.lineno)

    def _formatted(self, node: ast.FormattedValue) -> Value:
        self.of(node.value)
        if node.format_spec is not None:
            self.of(node.format_spec)
        return UNKNOWN

    def _comprehension(
        self,
        node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp,
        parts: list[ast.expr],
        kind: str | None,
    ) -> Value:
        before = self.frame.variables
        self.frame.variables = dict(before)
        for generator in node.generators:
            self.assign(generator.target, self.calls.gone_through(self.of(generator.iter)), inner=True)
            self.all_of(generator.ifs)
        found = self.all_of(parts)
        self.frame.variables = before
        return Value(kind, element=found[-1], because="a display", line=node.lineno)

    def _lambda(self, node: ast.Lambda) -> Value:
        function = self.around.function(node, None, self.frame.function)
        self.all_of([*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)])
        return Value(types.OBJECT, refers=function, because="a display", line=node.lineno)

    def _named(self, node: ast.NamedExpr) -> Value:
        value = self.of(node.value)
        self.assign(node.target, value)
        return value

    def _yield(self, node: ast.Yield) -> Value:
        value = self.of(node.value)
        self.frame.write(self.frame.function.result, Value(element=value))
        return UNKNOWN

    def _yield_from(self, node: ast.YieldFrom) -> Value:
        value = self.of(node.value)
        self.frame.write(self.frame.function.result, Value(element=self.calls.gone_through(value)))
        return UNKNOWN

    def _slice(self, node: ast.Slice) -> Value:
        for part in (node.lower, node.upper, node.step):
            if part is not None:
                self.of(part)
        return UNKNOWN

    # -- attributes and places ---------------------------------------------------------------------------

    def _attribute(self, node: ast.Attribute) -> Value:
        base = self.of(node.value)
        stored = self.frame.variables.get(dotted(node) or "")
        return self._by_use(node, self.attribute(base, node.attr, node) if stored is None else stored)

    def _by_use(self, node: ast.Name | ast.Attribute, value: Value) -> Value:
        """What a name or an attribute is; where nothing else tells, by how it is used."""
        if value != UNKNOWN or not isinstance(node.ctx, ast.Load):
            return value
        path = dotted(node)
        if path is None:
            return value
        function = self.frame.function
        owner = function.owner if path.startswith("self.") else None
        uses = (function.scope if owner is None else owner.scope).uses
        return (shown_by(uses[path], path, node.lineno) if path in uses else None) or value

    def attribute(self, base: Value, name: str, node: ast.AST) -> Value:
        """An attribute of a value."""
        if base is PENDING:
            return PENDING
        refers = base.refers
        if isinstance(refers, str) and base.type is None:
            return self.imported(f"{refers}.{name}", node)
        if isinstance(refers, File):
            return self.frame.attribute_of(refers, name)
        if isinstance(refers, Super):
            method = refers.method(name)
            return Value(refers=Bound(method, refers.receiver)) if method is not None else UNKNOWN
        if isinstance(base.type, Class):
            return self._of_instance(base, base.type, name, node)
        if isinstance(refers, Class):
            return self._of_class(refers, name)
        if base.type == types.TENSOR:
            return _of_tensor(base, name)
        if base.type == types.MODULE:
            return Value(types.NUMBER, because=f"a layer's .{name}") if name in vocabulary.LAYER_SIZES else UNKNOWN
        return Value(element=_SIZE) if name == "shape" and base == UNKNOWN else UNKNOWN

    def imported(self, qualified: str, node: ast.AST) -> Value:
        """What a name stands for that this file imports."""
        found = self.around.leads(self.frame.function.file, qualified)
        if isinstance(found, str):
            return _NUMBER if found in vocabulary.NUMBERS else Value(refers=found)
        value = Value(refers=found[0])
        for name in found[1]:
            value = self.attribute(value, name, node)
        return value

    def _of_instance(self, base: Value, kind: Class, name: str, node: ast.AST) -> Value:
        method = kind.method(name)
        cells = [each.attributes[name] for each in kind.line() if name in each.attributes]
        if cells or method is None:
            if name in vocabulary.LAYER_SIZES and library.is_module(base):
                stored = joined(self.frame.read(cell) for cell in cells)
                return stored if stored is not None and stored != UNKNOWN else _NUMBER
            if any(cell.value is not None for cell in cells):
                return joined(self.frame.read(cell) for cell in cells if cell.value is not None) or UNKNOWN
            if method is None:
                return joined([self.frame.read(each.attribute(name)) for each in kind.line()]) or PENDING
        bound = Value(refers=Bound(method, base))
        if method.decorators & {"property", "cached_property"}:
            return self.calls.apply(method, [base], {}, node)
        return bound

    def _of_class(self, kind: Class, name: str) -> Value:
        method = kind.method(name)
        if method is not None:
            if "classmethod" in method.decorators:
                return Value(refers=Bound(method, Value(refers=kind)))
            return Value(refers=method)
        cells = [each.attributes[name] for each in kind.line() if name in each.attributes]
        return joined(self.frame.read(cell) for cell in cells) or (PENDING if cells else UNKNOWN)

    def _subscript(self, node: ast.Subscript) -> Value:
        base = self.of(node.value)
        place = self.of(node.slice)
        if base is PENDING:
            return PENDING
        if base.type in (types.TENSOR, types.NUMBER):
            return base._replace(line=node.lineno, constant=None)
        if isinstance(node.slice, ast.Slice):
            return Value(base.type, element=each(base) if base.elements or base.element else None)
        index = place.constant
        if base.elements is not None and isinstance(index, int) and -len(base.elements) <= index < len(base.elements):
            return base.elements[index]
        if base.type == types.MODULE:
            return Value(types.MODULE, because="a part of a module", line=node.lineno)
        return each(base)

    # -- targets -----------------------------------------------------------------------------------------

    def assign(self, target: ast.expr, value: Value, inner: bool = False) -> None:
        """Give a target its value; `inner`: the target of a comprehension, which is no variable outside of it."""
        if isinstance(target, ast.Name):
            if inner:
                self.frame.variables[target.id] = value
            else:
                self.frame.bind(target.id, value)
        elif isinstance(target, ast.Tuple | ast.List):
            for place, part in enumerate(target.elts):
                self.assign(part, _part(value, place, target), inner)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, Value(types.OBJECT, element=each(value)), inner)
        elif isinstance(target, ast.Attribute):
            base = self.of(target.value)
            path = dotted(target)
            if path is not None and path.partition(".")[0] in self.frame.variables:
                self.frame.variables[path] = value
            if isinstance(base.type, Class):
                self.frame.write(base.type.attribute(target.attr), value)
                if library.is_module(base):
                    self.frame.hold(base.objects, objects_in(value))
            elif isinstance(base.refers, Class):
                self.frame.write(base.refers.attribute(target.attr), value)
            elif isinstance(base.refers, File):
                self.frame.write(base.refers.body.variable(target.attr), value)
        elif isinstance(target, ast.Subscript):
            base = self.of(target.value)
            self.of(target.slice)
            if isinstance(target.value, ast.Name) and base.type == types.OBJECT:
                grown = base._replace(elements=None, element=join(held(base), value))
                self.frame.bind(target.value.id, grown)

    # -- calls -------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Value:
        function = self.of(node.func)
        receiver = self.around.values[node.func.value] if isinstance(node.func, ast.Attribute) else None
        arguments = self.all_of(node.args)
        keywords = {keyword.arg: self.of(keyword.value) for keyword in node.keywords}
        return self.calls.result(node, function, receiver, arguments, keywords)


def constant(node: ast.Constant) -> Value:
    """A number, a text, None."""
    if isinstance(node.value, _NUMBERS):
        return Value(types.NUMBER, constant=node.value, because="a number", line=node.lineno)
    if isinstance(node.value, str):
        return Value(types.TEXT, constant=node.value, because="a string", line=node.lineno)
    return NOTHING if node.value is None else Value(types.OBJECT, because="a constant", line=node.lineno)


def _of_tensor(base: Value, name: str) -> Value:
    if name == "shape":
        return Value(types.OBJECT, element=_SIZE, because="a tensor's .shape")
    if name in vocabulary.HOST_ATTRIBUTES:
        return Value(types.DEVICE if name == "device" else types.OBJECT, because=f"a tensor's .{name}")
    return base if name in vocabulary.VIEW_METHODS or name == "grad" else UNKNOWN


def _part(value: Value, place: int, target: ast.Tuple | ast.List) -> Value:
    """What a target gets of a value that is unpacked; of a tensor, each part is one."""
    if value.type == types.TENSOR:
        return value
    starred = next((i for i, part in enumerate(target.elts) if isinstance(part, ast.Starred)), None)
    if value.elements is not None and starred is None and place < len(value.elements):
        return value.elements[place]
    return each(value)
