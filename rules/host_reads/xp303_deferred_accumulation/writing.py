"""What becomes of the text where a step loop leaves values on the device: of sums, lists, names and functions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from xlaport.context import Context
from xlaport.facts.held import Kind
from xlaport.facts.loops import StepLoop
from xlaport.facts.names import Binding
from xlaport.rule import Edit, Import, InsertStatement, Replace, ReplaceStatement, Span

from ..._lib.host_reads.accumulation import Deferral
from ..._lib.host_reads.addends import Addend
from ..._lib.host_reads.behind_loops import block_end
from ..._lib.host_reads.containers import is_display
from ..._lib.host_reads.device_values import KIND_OF, DeviceValue, is_cast, may_be_narrow, spelled, torch_name
from ..._lib.host_reads.fillings import Filling, Form
from ..._lib.host_reads.keepers import Keeping
from ..._lib.host_reads.lifetimes import lasts
from ..._lib.host_reads.sources import Definition, Source, Use, may_be_none
from .bound_device import Device
from .renewing import Renewal

_READING = {
    "": ("float(", ")"),
    "l": ("[float(value) for value in ", "]"),
    "d": ("{name: float(value) for name, value in ", ".items()}"),
}
"""What makes numbers of what code of the project keeps."""
_POSITION = re.compile(r"\s*\[\s*-?\w+\s*\]")


class Writing:
    """Writes edits for a file."""

    def __init__(self, context: Context, devices: Mapping[ast.AST, Device]) -> None:
        """`devices`: where sums begin, by the places of that."""
        self.context = context
        self.devices = devices
        self.module = context.module

    def begun(self, found: Deferral) -> tuple[list[tuple[Binding, str]], list[Import]]:
        """As what a sum or an array begins."""
        begun: list[tuple[Binding, str]] = []
        imports: list[Import] = []
        for start in found.starts:
            if found.form in (Form.SUM, Form.MEAN):
                text, wanted = self._zeros(found, start)
                begun.append((start, text))
                imports += wanted
            elif found.form is Form.ARRAY:
                begun.append((start, self._empty(found, start)))
        return begun, imports

    def deferral(self, found: Deferral) -> tuple[list[Edit], list[Import]]:
        """The edits by which a sum or a list holds what is on the device; without those of `begun`."""
        context = self.context
        edits: list[Edit] = [*self._fillings(found)]
        imports: list[Import] = []
        for use in found.reading.uses:
            edits += self._read_at(found, use)
        for loop in found.reading.behind:
            text, wanted = self._read_behind(found)
            edits.append(InsertStatement(context.span(block_end(context, loop)), text))
            imports += wanted
        return edits, imports

    def definition(self, found: Definition) -> list[Edit]:
        """The edits by which a name is given, or a function returns, what is on the device."""
        addend, context = found.addend, self.context
        if addend.extremes:
            return [Replace(context.span(addend.node), self._computed(addend, addend.node))]
        edits: list[Edit] = []
        for value in addend.values:
            text = self._value(addend, value.node)
            if not addend.is_computed and not value.deferred and not self._lasts(value, found.loop):
                text += ".clone()"  # what is only detached changes with the tensor
            if text != self.module.segment(value.node):
                edits.append(Replace(context.span(value.node), text))
        return edits

    def _lasts(self, value: DeviceValue, loop: StepLoop) -> bool:
        here = self.module.function(value.node)
        is_outside = here is None or here is self.module.function(loop.node)
        return lasts(self.context, value.tensor, loop.node if is_outside or here is None else here)

    def _value(self, addend: Addend, node: ast.expr) -> str:
        value = next(value for value in addend.values if value.node is node)
        is_float = value.held.kind is not Kind.INT and value.held.kind is not Kind.BOOL and not is_cast(value.tensor)
        made_by = self.context.resolve(node.func) if isinstance(node, ast.Call) else None
        if not is_float and made_by == "builtins.float" and not is_cast(value.tensor):
            return f"{value.text}.float()"  # a count that was made a float
        if addend.kind is Kind.FLOAT and may_be_narrow(self.context) and is_float:
            return value.text if value.deferred else f"{value.text}.float()"
        return value.text

    def _computed(self, addend: Addend, node: ast.expr) -> str:
        """The text of an expression on the device, where more than its values becomes another."""
        if any(value.node is node for value in addend.values):
            return self._value(addend, node)
        if node in addend.extremes and isinstance(node, ast.Call):
            bound = "min" if self.context.resolve(node.func) == "builtins.max" else "max"
            one, other = (self._computed(addend, part) for part in node.args)
            if not isinstance(node.args[1], ast.Name | ast.Call | ast.Attribute):
                other = f"({other})"
            return f"{other}.clamp({bound}={one})"
        whole = self.context.span(node)
        text, at = "", whole.start
        for child in self.module.children[node]:
            if isinstance(child, ast.expr):
                span = self.context.span(child)
                text += self.module.text[at : span.start] + self._computed(addend, child)
                at = span.end
        return text + self.module.text[at : whole.end]

    def use(self, use: Use) -> Edit:
        """The edit by which a use that needs the number reads it."""
        text, place = self.module.segment(use.node), self.context.span(use.node)
        if use.reading is not None:
            return Replace(place, text.join(use.reading))
        number = {Kind.INT: "int", Kind.BOOL: "bool"}.get(use.held.kind or Kind.FLOAT, "float")
        is_number_at_first = use.source.begins
        read = f"{number}({text})" if is_number_at_first else f"{text}.item()"
        if may_be_none(use):
            read = f"None if {text} is None else {text}.item()"
            if isinstance(
                self.module.parents[use.node], ast.BinOp | ast.UnaryOp | ast.Compare | ast.BoolOp | ast.IfExp
            ):
                read = f"({read})"
        return Replace(place, read)

    def kept(self, found: Keeping) -> Iterator[Edit]:
        """The edits by which the code that keeps a dict reads it."""
        for node, shape in found.reads:
            yield Replace(self.context.span(node), self.module.segment(node).join(_READING[shape]))

    def begun_beside(self, zero: ast.expr, value: ast.expr) -> tuple[Edit, tuple[Import, ...]]:
        """The edit by which a sum begins as data, where a value is: a plain 0.0 takes another graph for the first."""
        tensor, imports = torch_name(self.context, "tensor", zero)
        text = f"{tensor}([0.0], device={self.module.segment(value)}.device)"
        return Replace(self.context.span(zero), text), imports

    def renewed(self, record: Source, found: Renewal) -> Edit:
        """The statement that makes numbers of a dict."""
        text = record.name.join(record.reading)
        origin = self.context.span(found.uses[0].node)
        return InsertStatement(self.context.span(found.anchor), f"{record.name} = {text}", before=True, origin=origin)

    def gathered(self, source: Source) -> Iterator[Edit]:
        """The statements that read what a function handed back, behind those that gather it."""
        for found in source.gathered.values():
            lines = [f"{name} = tuple(value.item() for value in {name})" for name in found.names.values()]
            yield InsertStatement(self.context.span(found.statement), "\n".join(lines))

    def _fillings(self, found: Deferral) -> Iterator[Edit]:
        context = self.context
        narrow = found.kind is Kind.FLOAT and may_be_narrow(context)
        for filling in found.fillings:
            for value in filling.addend.values:
                text = value.text
                is_float = value.held.kind is Kind.FLOAT and not is_cast(value.tensor)
                # A sum that begins as a tensor is one of 32 bits; others become what is added to them first.
                adds = filling.addend.is_computed or found.form in (Form.SUMS, Form.METER)
                if narrow and adds and is_float and not value.deferred:
                    text += ".float()"
                is_kept = found.form not in (Form.SUM, Form.SUMS, Form.MEAN) and not filling.addend.is_computed
                if is_kept and not value.deferred and not lasts(context, value.tensor, filling.loop.node):
                    text += ".clone()"  # what is only detached changes with the tensor
                if found.form is Form.MEAN and isinstance(filling.statement, ast.Assign):
                    target = context.span(filling.statement.targets[0])
                    equals = self.module.text.index("=", target.end)
                    yield Replace(target, found.name)
                    yield Replace(Span(equals, equals + 1), "+=")
                if (
                    found.form in (Form.LIST, Form.EXTENDED, Form.MEAN)
                    and text == f"({context.module.segment(value.tensor)})"
                ):
                    text = text[1:-1]
                if found.form is Form.EXTENDED and isinstance(filling.statement, ast.AugAssign):
                    yield ReplaceStatement(context.span(filling.statement), f"{found.name}.append({text})")
                    continue
                if found.form is Form.EXTENDED:
                    name = context.span(filling.before)
                    end = context.span(context.module.parents[filling.before]).end
                    yield Replace(Span(name.start, end), f"{found.name}.append")
                if text != context.module.segment(value.node):
                    yield Replace(context.span(value.node), text)

    def _read(self, found: Deferral) -> str:
        if found.form is Form.LIST:
            value = self._element(found)
            return f"[{self._number(found, value)} for {value} in {found.name}]"
        if found.form is Form.EXTENDED:
            part = self._element(found)
            part = "batch" if part == "value" else part
            return f"[value for {part} in {found.name} for value in {self._number(found, part)}]"
        return self._number(found, found.name)

    def _read_behind(self, found: Deferral) -> tuple[str, tuple[Import, ...]]:
        """The statement that reads it behind a loop."""
        name = found.name
        if found.form is Form.ARRAY:
            value = self._element(found)
            made, imports = self._array(found.starts[0])
            number = _number_of(found.host_kind)
            return f"{name} = {made[0]}[{number}({value}) for {value} in {name}]{made[1]}", imports
        if found.form is Form.MEAN:
            made, imports = self._array(found.starts[0])
            count = self.module.segment(_given(found.starts[0]).args[0])
            return f"{name} = {made[0]}{name}.item(){made[1]} / {count}", imports
        if found.form is Form.SUMS:
            number = _number_of(found.host_kind)
            values = f"{{name: {number}(value) for name, value in {name}.items()}}"
            is_plain = all(is_display(start.given) for start in found.starts)
            return f"{name} = {values}" if is_plain else f"{name}.update({values})", ()
        if found.form is Form.LISTS:
            return "\n".join(dict.fromkeys(self._listed(filling) for filling in found.fillings)), ()
        return f"{name} = {self._read(found)}", ()

    def _listed(self, filling: Filling) -> str:
        """``history["loss"] = [loss.item() for loss in history["loss"]]``."""
        items = self.module.segment(self.module.parents[filling.before])
        read = filling.addend.values[0]
        value = read.tensor.id if isinstance(read.tensor, ast.Name) else "value"
        made_by = self.context.resolve(read.node.func) if isinstance(read.node, ast.Call) else None
        number = f"{value}.item()" if made_by not in KIND_OF else f"{(made_by or '').rpartition('.')[2]}({value})"
        return f"{items} = [{number} for {value} in {items}]"

    def _number(self, found: Deferral, name: str) -> str:
        """How a number of the sum or the list is read, as what it was before; or a tensor, as it was fetched."""
        fetched = found.fillings[0].addend.reading
        if fetched is not None:
            return name.join(fetched)
        kinds = {value.held.kind for filling in found.fillings for value in filling.addend.values}
        is_plain = found.form is Form.LIST and not any(filling.addend.is_computed for filling in found.fillings)
        held = max((kind for kind in kinds if kind is not None), default=found.kind) if is_plain else found.kind
        if held is found.host_kind or any(filling.addend.guessed for filling in found.fillings):
            return f"{name}.item()"
        return f"{_number_of(found.host_kind)}({name})"

    def _element(self, found: Deferral) -> str:
        """The name for an element of a list: that of what is appended, if it has one."""
        value = found.fillings[0].addend.values[0]
        if isinstance(value.tensor, ast.Name):
            return value.tensor.id
        return "metrics" if "value" in "".join(value.reading or ()) else "value"

    def _array(self, start: Binding) -> tuple[tuple[str, str], tuple[Import, ...]]:
        """What stands before and behind the numbers in a call that makes an array of them."""
        context = self.context
        call = _given(start)
        assert isinstance(call.func, ast.Attribute)
        options = "".join(f", {context.module.segment(keyword)}" for keyword in call.keywords)
        if (context.resolve(call.func) or "").startswith("numpy."):
            return (f"{context.module.segment(call.func.value)}.array(", f"{options})"), ()
        name, imports = torch_name(context, "tensor", start.node)
        return (f"{name}(", f"{options})"), imports

    def _empty(self, found: Deferral, start: Binding) -> str:
        """The list of zeros in the place of an array."""
        call = _given(start)
        zero = "0.0" if found.host_kind is Kind.FLOAT else "0"
        return f"[{zero}] * {spelled(self.context, call.args[0])}"

    def _read_at(self, found: Deferral, use: ast.Name) -> list[Edit]:
        """The edit by which a use reads; none where it does so by itself."""
        context = self.context
        if found.form is Form.METER:
            value = context.module.parents[use]
            call = context.module.parents[value]
            if isinstance(call, ast.Call) and call.func is value:
                value = call
            outer = context.module.parents[value]
            if isinstance(outer, ast.Call) and context.resolve(outer.func) == "builtins.float":
                return []
            return [Replace(context.span(value), f"float({context.module.segment(value)})")]
        place = context.span(use)
        if found.form is Form.SUMS:
            whole = context.module.parents[use]
            number = _number_of(found.host_kind)
            return [Replace(context.span(whole), f"{number}({context.module.segment(whole)})")]
        if found.form is Form.LIST and isinstance(context.module.parents[use], ast.Subscript):
            element = _POSITION.match(context.module.text, place.end)
            if element is not None:
                place = Span(place.start, element.end())
                return [Replace(place, self._number(found, context.module.text[place.start : place.end]))]
        text = self._read(found)
        call = context.module.parents[use]
        if found.form is Form.LIST and isinstance(call, ast.Call) and len(call.args) == 1 and not call.keywords:
            called = context.resolve(call.func) or ""
            if called.startswith("builtins.") and called != "builtins.print":
                text = text[1:-1]
        return [Replace(place, text)]

    def _zeros(self, found: Deferral, start: Binding) -> tuple[str, tuple[Import, ...]]:
        """A sum's start, which is data as the sum is later.

        zeros(), and a tensor of no dimension that holds 0, are constants of the first pass's graph: one more.
        """
        tensor, imports = torch_name(self.context, "tensor", start.node)
        device = self.devices[start.node]
        zero = "[0]" if found.kind is Kind.INT else "[0.0]"
        return f"{tensor}({zero}, device={device.text})", (*imports, *device.imports)

    def starts(self, begun: Sequence[tuple[Binding, str]]) -> list[Edit]:
        """The edits by which names begin as something else."""
        groups: dict[ast.stmt, dict[ast.AST, tuple[Binding, str]]] = {}
        for start, text in begun:
            groups.setdefault(self.module.statement(start.node), {})[start.node] = start, text
        named = [self.devices[start.node].edit for start, _ in begun if start.node in self.devices]
        edits: list[Edit] = [edit for edit in dict.fromkeys(named) if edit is not None]
        return edits + [edit for statement, group in groups.items() for edit in self._begun(statement, group)]

    def _begun(self, statement: ast.stmt, group: Mapping[ast.AST, tuple[Binding, str]]) -> list[Edit]:
        segment = self.module.segment
        span = self.context.span(statement)
        new = [f"{start.name} = {text}" for start, text in group.values()]
        if isinstance(statement, ast.AnnAssign):
            return [ReplaceStatement(span, new[0])]
        if isinstance(statement, ast.Assign) and len(statement.targets) > 1:
            # a = b = 0: each has to have a tensor of its own.
            others = [segment(target) for target in statement.targets if target not in group]
            rest = [" = ".join([*others, segment(statement.value)])] if others else []
            return [ReplaceStatement(span, "\n".join([*new, *rest]))]
        pairs = _pairs(statement)
        if pairs:
            lines = [f"{segment(t)} = {group[t][1] if t in group else segment(v)}" for t, v in pairs]
            return [ReplaceStatement(span, "\n".join(lines))]
        values = [(start.given, text) for start, text in group.values()]
        return [Replace(self.context.span(value), text) for value, text in values if value is not None]


def _given(start: Binding) -> ast.Call:
    """The call that makes an array."""
    assert isinstance(start.given, ast.Call)
    return start.given


def _number_of(kind: Kind) -> str:
    """What makes a number of a value on the device, where a boolean was counted, too."""
    return "float" if kind is Kind.FLOAT else "int"


def _pairs(statement: ast.stmt) -> list[tuple[ast.expr, ast.expr]]:
    """The targets and values of ``a, b = 0, x``, where each could as well be assigned on a line of its own."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Tuple | ast.List):
        return []
    targets = statement.targets[0].elts
    values = statement.value.elts if isinstance(statement.value, ast.Tuple | ast.List) else []
    names = {target.id for target in targets if isinstance(target, ast.Name)}
    used = {node.id for node in ast.walk(statement.value) if isinstance(node, ast.Name)}
    is_plain = len(names) == len(targets) == len(values) and names.isdisjoint(used)
    return list(zip(targets, values, strict=True)) if is_plain else []
