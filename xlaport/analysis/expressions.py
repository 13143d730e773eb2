"""What expressions give, kind by kind; calls have a module of their own."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from typing import Any

from xlaport.analysis import library, names, passing
from xlaport.analysis import value as types
from xlaport.analysis.applying import part_of
from xlaport.analysis.attributes import SIZE
from xlaport.analysis.calls import Calls
from xlaport.analysis.certain import is_proven
from xlaport.analysis.containers import chained, merged, of_default, row, under, with_key
from xlaport.analysis.definitions import Class, File, Function, Going, variable_of
from xlaport.analysis.events import objects_in
from xlaport.analysis.folding import compared, either, is_plain, truth
from xlaport.analysis.frame import Frame
from xlaport.analysis.gradless import without_gradient
from xlaport.analysis.holding import by_operator, indexed, rank_of
from xlaport.analysis.lookups import assumed, unsure
from xlaport.analysis.narrowing import either_side
from xlaport.analysis.observing import Observing
from xlaport.analysis.operators import met
from xlaport.analysis.places import note_setting, of_numbers, of_operation, of_text
from xlaport.analysis.plain import constant
from xlaport.analysis.special import SHOWN
from xlaport.analysis.targets import path_of, unpacked
from xlaport.analysis.tensors import device_of, is_fetched
from xlaport.analysis.uses import by_use, known_loss
from xlaport.analysis.value import A_LIST, A_NAMED_TUPLE, NOTHING, PENDING, UNKNOWN, Device, Value, each, held, joined
from xlaport.facts.held import ONE_INTEGER, Held, Kind
from xlaport.facts.module import indices

_ACCELERATOR = re.compile(r"cuda|gpu|avail|cpu|device|xla|tpu|mps|accel", re.IGNORECASE)
"""Words of a question about the machine, or about the user's choice of a device."""
_OBJECT = Value(types.OBJECT, because="a display")
_SIZES = Value(types.NUMBER, element=SIZE, because="a size")
_TRUTH = Value(types.NUMBER, holds=Held(Kind.BOOL, 0), because="a truth value")


class Expressions:
    """Evaluates expressions in a frame, and notes what each of them may be."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.around = frame.around
        self.calls = Calls(frame)
        self.attributes = self.calls.attributes
        self.special = self.calls.special
        self._observing = Observing(frame)

    def of(self, node: ast.expr | None) -> Value:
        """What an expression may be."""
        if node is None:
            return NOTHING
        kind = _KINDS.get(type(node))
        value = without_gradient(self.frame, node, kind(self, node) if kind is not None else UNKNOWN)
        if self._observing.seen:
            value = self._observing.with_seen(node, value)
        self.around.values[node] = value
        return value

    def all_of(self, nodes: Iterable[ast.expr]) -> list[Value]:
        """The same, of several."""
        return [self.of(node) for node in nodes]

    def _name(self, node: ast.Name) -> Value:
        found = self.attributes.led(self.frame.look_up(node.id), node)
        return known_loss(self.frame, node, by_use(self.frame, node, found))

    # -- operators ---------------------------------------------------------------------------------------

    def _operation(self, node: ast.BinOp) -> Value:
        """``a + b + c …`` from the left: some programs have hundreds of these in a row."""
        chain = [node]
        while isinstance(chain[-1].left, ast.BinOp):
            chain.append(chain[-1].left)
        value = self.of(chain[-1].left)
        for operation in reversed(chain):
            sides, nodes = [value, self.of(operation.right)], [operation.left, operation.right]
            self.frame.note_used(operation, *sides)
            own = self.special.operator(operation.op, sides, operation)
            value = own or chained(sides) or met(sides, operation.lineno, nodes, operation.op)
            if own is None and value.type in (types.TENSOR, types.NUMBER):
                turns = passing.computed(value, operation.op, *sides)
                value = value._replace(holds=by_operator(operation.op, *sides), turns=turns)
                if not isinstance(operation.op, ast.Add | ast.Mult) or any(map(is_proven, sides)):
                    value = value._replace(certainty=types.Certainty.PROVEN)  # lists have no other operators
            value = value.or_at(of_operation(operation, self.frame, value, sides))
            self.around.values[operation] = value
        return value

    def _unary(self, node: ast.UnaryOp) -> Value:
        value = self.of(node.operand)
        if value is PENDING:
            return value
        if isinstance(node.op, ast.Not):
            known = truth(value)
            return _TRUTH._replace(line=node.lineno, constant=None if known is None else not known)
        if isinstance(node.op, ast.USub) and isinstance(value.constant, int | float):
            return value._replace(constant=-value.constant)
        certainty = types.Certainty.PROVEN if value.type == types.TENSOR else value.certainty
        return value._replace(constant=None, certainty=certainty)

    def _compare(self, node: ast.Compare) -> Value:
        sides = self.all_of([node.left, *node.comparators])
        known = compared(node.ops, sides)
        pairs = zip(node.ops, sides, sides[1:], strict=False)
        own = joined([self.special.operator(op, [left, right], node) for op, left, right in pairs])
        if own is not None and known is None:
            return own
        if known is not None or any(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in node.ops):
            return _TRUTH._replace(line=node.lineno, constant=known)
        found = met(sides, node.lineno, [node.left, *node.comparators], node.ops[0])
        is_of_numbers = found.type in (types.TENSOR, types.NUMBER)
        held_so = Held(Kind.BOOL, rank_of(sides))
        return found._replace(holds=held_so, certainty=types.Certainty.PROVEN) if is_of_numbers else found

    def _either(self, node: ast.BoolOp) -> Value:
        *first, last = self.all_of(node.values)
        return joined(either(isinstance(node.op, ast.Or), first, last)) or UNKNOWN

    def _chosen(self, node: ast.IfExp) -> Value:
        test = self.of(node.test)
        holds = truth(test) if is_plain(node.test) else None
        sides = either_side(self.frame, self.of, node)
        if holds is not None:
            return sides[not holds]
        if test is PENDING and not self.around.is_over:
            return PENDING
        found = joined(sides) or UNKNOWN
        by_choice = set(map(device_of, sides)) == {Device.HOST, Device.ACCELERATOR}
        if by_choice and found.type in (types.TEXT, types.DEVICE) and not _ACCELERATOR.search(ast.unparse(node.test)):
            return found._replace(device=Device.EITHER)
        return found

    # -- displays ----------------------------------------------------------------------------------------

    def _display(self, node: ast.Tuple | ast.List | ast.Set, kind: str) -> Value:
        values = self.all_of(node.elts)
        starred = any(isinstance(part, ast.Starred) for part in node.elts)
        if starred:
            values = [each(v) if isinstance(p, ast.Starred) else v for v, p in zip(values, node.elts, strict=True)]
        elements, element = (None, joined(values)) if starred else row(values)
        found = Value(kind or None, elements=elements, element=element, because="a display", line=node.lineno)
        return found if node.elts or not kind else found._replace(objects=self.frame.site(node))

    def _dict(self, node: ast.Dict) -> Value:
        self.all_of(key for key in node.keys if key is not None)
        values = self.all_of(node.values)
        made = _OBJECT if node.keys else _OBJECT._replace(objects=self.frame.site(node))
        found = made._replace(elements=(), line=node.lineno)
        for key, part, value in zip(node.keys, node.values, values, strict=True):
            if key is not None:
                func = part.func if isinstance(part, ast.Call) and value.is_unknown else None
                model = self.around.values[func.value] if isinstance(func, ast.Attribute) else UNKNOWN
                value = library.group_of(model, self.around.values[key], part) or value
                found = with_key(found, self.around.values[key].constant, value)
            else:
                found = merged(found, value)
        return found

    def _text(self, node: ast.JoinedStr) -> Value:
        self.all_of(node.values)
        return Value(types.TEXT, because="an f-string", line=node.lineno, places=of_text(node, self.frame))

    def _formatted(self, node: ast.FormattedValue) -> Value:
        self.special.run(self.of(node.value), SHOWN[1:] if node.conversion >= 0 else SHOWN, (), node)
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
        first = node.generators[0]
        is_one = kind is not None and len(node.generators) == 1
        if of_names := names.gone_through(self.frame, self.of(first.iter)) if is_one else ():
            by_name = names.comprehended(self.frame, node, of_names, parts, self.assign, self.all_of)
            self.frame.variables = before
            return by_name
        for generator in node.generators:
            element = self.calls.applying.gone_through(self.of(generator.iter), generator.iter.lineno, generator)
            self.assign(generator.target, element, inner=True)
            self.all_of(generator.ifs)
        found = self.all_of(parts)
        element = found[-1] if kind is None else self.frame.kept(found[-1], node, node.generators[0].iter)
        self.frame.variables = before
        return Value(kind, element=element, because="a display", line=node.lineno)

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
        function, given = self.frame.function, passing.yielded(value, self.frame, node)
        self.frame.write(function.result, Value(refers=Going(function), element=given))
        return self.frame.read(function.sent)

    def _yield_from(self, node: ast.YieldFrom) -> Value:
        function, element = self.frame.function, self.calls.applying.gone_through(self.of(node.value), at=node)
        self.frame.write(function.result, Value(refers=Going(function), element=element))
        return UNKNOWN

    def _slice(self, node: ast.Slice) -> Value:
        for part in (node.lower, node.upper, node.step):
            if part is not None:
                self.of(part)
        return UNKNOWN

    # -- attributes and places ---------------------------------------------------------------------------

    def _attribute(self, node: ast.Attribute) -> Value:
        base = self.frame.filled(self.of(node.value))
        stored = self.frame.variables.get(path_of(node) or "")
        if base.type == types.TENSOR and (node.attr in ("grad", "data") or node.attr.endswith("_")):
            self.frame.note_used(node, base)
        found = self.attributes.attribute(base, node.attr, node) if stored is None else stored
        return known_loss(self.frame, node, by_use(self.frame, node, found))

    def _subscript(self, node: ast.Subscript) -> Value:
        base = self.frame.filled(self.of(node.value))
        place = self.of(node.slice)
        stored = self.frame.variables.get(path_of(node) or "")
        if stored is not None or base is PENDING:
            return PENDING if stored is None else stored
        if (own := self.special.run(base, ("__getitem__",), [place], node)) is not None:
            return own
        if base.type == types.TENSOR and base.elements is None:
            parts = [self.around.values.get(part, UNKNOWN) for part in indices(node)]
            holds = indexed(base, node, parts)
            sure = types.Certainty.PROVEN if isinstance(node.slice, ast.Tuple) else base.certainty  # as no list
            return passing.by_place(base._replace(line=node.lineno, constant=None, holds=holds, certainty=sure))
        if base.type == types.NUMBER:
            return base._replace(line=node.lineno, constant=None, holds=ONE_INTEGER)
        if (base.type == types.ARRAY and base.element is None) or is_fetched(base):
            return base._replace(line=node.lineno)
        if (field := under(base, place.constant) or of_default(base, place.constant)) is not None:
            return assumed(field, place)
        if (found := self.calls.lookups.item(base, place, node)) is not None:
            return found
        if isinstance(node.slice, ast.Slice):
            if held(base) == SIZE:
                return _SIZES
            return Value(base.type, element=each(base) if base.elements or base.element else None)
        index = place.constant
        if (
            base.elements is not None
            and (not base.keys or base.because == A_NAMED_TUPLE)
            and isinstance(index, int)
            and -len(base.elements) <= index < len(base.elements)
        ):
            return base.elements[index]
        if base.type == types.MODULE:
            return part_of(base, node.lineno)
        found = unsure(passing.by_place(each(base)))
        return found._replace(places=frozenset()) if base.keys and isinstance(index, str) else found

    # -- targets -----------------------------------------------------------------------------------------

    def assign(self, target: ast.expr, value: Value, inner: bool = False) -> None:
        """Give a target its value; `inner`: the target of a comprehension, which is no variable outside of it."""
        is_named = isinstance(target, ast.Name | ast.Attribute)
        self.around.values[target] = by_use(self.frame, target, value) if is_named else value
        if isinstance(target, ast.Name):
            if inner:
                self.frame.variables[target.id] = value
            else:
                self.frame.bind(target.id, value)
        elif isinstance(target, ast.Tuple | ast.List):
            value = self.frame.filled(value)
            for place, part in enumerate(target.elts):
                self.assign(part, unpacked(value, place, target), inner)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, Value(types.OBJECT, element=each(value)), inner)
        elif isinstance(target, ast.Attribute):
            base = self.of(target.value)
            self.frame.store(path_of(target), value)
            self._set(target, base, target.value, target.attr, value)
        elif isinstance(target, ast.Subscript):
            base = self.calls.applying.with_gradient(target.value, self.of(target.value), value)
            under_key = self.of(target.slice)
            key = under_key.constant
            self.special.run(base, ("__setitem__",), [under_key, value], target)
            if isinstance(target.value, ast.Attribute) and target.value.attr == "_parameters" and isinstance(key, str):
                self._set(target, self.of(target.value.value), target.value.value, key, value)
            elif base.type == types.OBJECT:
                self.calls.applying.put(target.value, base, key, value)
            elif base.type == types.MODULE:
                self.frame.hold_value(base.objects, value)
                if base.elements is not None:  # a ModuleDict
                    self.calls.applying.grow(target.value, with_key(base, key, value))
            self.frame.store(path_of(target), value)

    def _set(self, node: ast.AST, base: Value, place: ast.expr, name: str, value: Value) -> None:
        """Give an attribute of something its value."""
        if library.is_module(base):
            self.frame.note_tied(node, name, base, value)
        if base.type == types.TENSOR and name not in ("data", "grad", "requires_grad"):
            self.frame.note_marked(node, base)
        elif name == "requires_grad":
            self.calls.applying.with_gradient(place, base, UNKNOWN)
        if isinstance(base.type, Class) and (setter := base.type.setter(name)) is not None:
            self.calls.applying.apply(setter, [base, value], {}, None, node)
        elif isinstance(base.type, Class):
            base.type.stored.add(name)
            self.frame.write(base.type.attribute(name), value)
            if library.is_module(base):
                self.frame.hold(base.objects, objects_in(value))
        elif isinstance(base.refers, Class):
            base.refers.stored.add(name)
            self.frame.write(base.refers.attribute(name), value)
        elif base.type == types.OBJECT and base.elements is not None:  # a namespace
            self.calls.applying.grow(place, with_key(base, name, value))
        elif isinstance(base.refers, File | Function):
            self.frame.write(variable_of(base.refers, name), value)
        else:
            note_setting(self.frame, base, place, name, value.places)

    # -- calls -------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Value:
        function = self.of(node.func)
        receiver = self.around.values[node.func.value] if isinstance(node.func, ast.Attribute) else None
        arguments = self.all_of(node.args)
        keywords: dict[str | None, Value] = {}
        for keyword in node.keywords:
            value = self.of(keyword.value)
            if keyword.arg is None and value.elements is not None and all(isinstance(k, str) for k in value.keys or ()):
                keywords |= {str(key): part for key, part in zip(value.keys or (), value.elements, strict=False)}
            else:
                keywords[keyword.arg] = value
        if function.refers == "builtins.setattr" and len(arguments) == 3:
            name = arguments[1].constant
            if isinstance(name, str):
                self._set(node, arguments[0], node.args[0], name, arguments[2])
        return self.calls.result(node, function, receiver, arguments, keywords)


_KINDS: dict[type[ast.AST], Callable[[Expressions, Any], Value]] = {
    ast.Constant: lambda here, node: constant(node, here.frame),
    ast.Name: Expressions._name,
    ast.Attribute: Expressions._attribute,
    ast.Call: Expressions._call,
    ast.BinOp: Expressions._operation,
    ast.UnaryOp: Expressions._unary,
    ast.Compare: lambda here, node: here._compare(node).or_at(of_numbers(node, here.frame)),
    ast.BoolOp: Expressions._either,
    ast.IfExp: Expressions._chosen,
    ast.Subscript: Expressions._subscript,
    ast.Tuple: lambda here, node: here._display(node, ""),
    ast.List: lambda here, node: here._display(node, types.OBJECT)._replace(because=A_LIST),
    ast.Set: lambda here, node: here._display(node, types.OBJECT),
    ast.Dict: Expressions._dict,
    ast.JoinedStr: Expressions._text,
    ast.FormattedValue: Expressions._formatted,
    ast.ListComp: lambda here, node: here._comprehension(node, [node.elt], types.OBJECT)._replace(because=A_LIST),
    ast.SetComp: lambda here, node: here._comprehension(node, [node.elt], types.OBJECT),
    ast.GeneratorExp: lambda here, node: here._comprehension(node, [node.elt], None),
    ast.DictComp: lambda here, node: here._comprehension(node, [node.key, node.value], types.OBJECT),
    ast.Lambda: Expressions._lambda,
    ast.Starred: lambda here, node: here.of(node.value),
    ast.Await: lambda here, node: here.of(node.value),
    ast.NamedExpr: Expressions._named,
    ast.Yield: Expressions._yield,
    ast.YieldFrom: Expressions._yield_from,
    ast.Slice: Expressions._slice,
}
