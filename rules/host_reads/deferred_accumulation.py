"""XP303: a sum of host reads."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.held import Kind
from xlaport.facts.loops import StepLoop
from xlaport.facts.names import Binding
from xlaport.facts.roles import Role, dotted
from xlaport.rule import (
    Applicability,
    Edit,
    Finding,
    Import,
    InsertStatement,
    MoveStatement,
    RemoveStatement,
    Replace,
    ReplaceStatement,
    Rule,
    Span,
)

from .. import host_only
from ..device import placing
from .accumulation import Deferral, Form, accumulations
from .device_values import is_cast, may_be_narrow, torch_name
from .lasting import lasts
from .late_work import LateWork, late_work
from .tracked import range_of, start_value

_POSITION = re.compile(r"\s*\[\s*-?\w+\s*\]")


class DeferredAccumulation(Rule):
    """Add up on the device, and read the sum once.

    ## What it does
    `total += loss.item()`, on every pass of a step loop, becomes `total += loss.detach()`. The sum begins as a
    tensor, in float32 for losses and in int64 for counts, and is read behind the loop or where it is logged, so
    that everything there gets the number that it got before. All uses of the sum have to be known: where one needs
    it on every pass (a progress bar), or at a time that is not known, nothing is changed, and XP301 says why.

    ## Why
    Each `.item()` makes the host wait until the device is done, in every step. The sum is only needed where it is
    shown.

    ## Example
        device = torch.device("xla")
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        loader = DataLoader(torch.zeros(8, 4))
        total = 0.0
        for x in loader:
            loss = model(x.to(device)).mean()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(total / len(loader))

    becomes

        device = torch.device("xla")
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        loader = DataLoader(torch.zeros(8, 4))
        total = torch.zeros((), device=device)
        for x in loader:
            loss = model(x.to(device)).mean()
            loss.backward()
            optimizer.step()
            total += loss.detach()
        print(total.item() / len(loader))

    ## When it is wrong
    Python adds in float64, the device in float32: of a hundred thousand losses, the sum differs in the third or
    fourth digit. Counts are exact. A loss of shape (1,) cannot be added to a sum without dimensions: PyTorch says so
    in the first step.
    """

    code = "XP303"
    name = "deferred-accumulation"
    summary = "a sum of host reads is kept on the device, and read once"
    applicability = Applicability.UNSAFE
    words = ("item", "float", "int", "cpu", "tolist", "numpy")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each sum that can wait."""
        if host_only.stays_on_host(context):
            return
        for found in accumulations(context):
            if isinstance(found, Deferral):
                yield self._deferred(context, found)
        for loop in context.loops.all():
            for late in late_work(context, loop):
                yield self._moved(context, late, loop)

    def _moved(self, context: Context, late: LateWork, loop: StepLoop) -> Finding:
        name = late.target.id
        statement, barrier = context.span(late.statement), context.span(late.barrier)
        message = (
            f"{name} is added to behind the step's barrier, so that this becomes a part of the next step's graph, and "
            "the first steps have graphs of their own: "
        )
        edit: Edit = MoveStatement(statement, barrier, before=True)
        if loop.cut_by_loader and not context.reads.within(loop.node.body):
            edit = RemoveStatement(barrier)
            message += "the barrier goes, since the loader cuts the graph at each batch"
        else:
            message += "it moves before the barrier"
        return self.finding(statement, message, edit, applicability=Applicability.SAFE)

    def _deferred(self, context: Context, found: Deferral) -> Finding:
        first = found.fillings[0]
        edits: list[Edit] = [*self._fillings(context, found)]
        imports: list[Import] = []
        for start in found.starts if found.form is Form.SUM else ():
            text, wanted = self._zeros(context, found, start, first.loop)
            edits.append(self._start(context, start, text))
            imports += wanted
        for use in found.reading.uses:
            edits.append(self._read_at(context, found, use))
        for loop in found.reading.behind:
            edits.append(InsertStatement(context.span(loop), f"{found.name} = {self._read(context, found)}"))
        span = context.span(first.addend.values[0].node)
        return self.finding(span, self._message(context, found), *edits, imports=tuple(imports))

    def _message(self, context: Context, found: Deferral) -> str:
        first = found.fillings[0]
        where = "behind the loop" if found.reading.behind else "where it is used"
        if found.reading.uses and found.reading.behind:
            where += " and where it is logged"
        if found.form is Form.METER:
            what = f"{found.name} holds the values on the device, and gives numbers where they are shown or used"
        elif found.form is Form.LIST:
            what = f"{found.name} keeps the values on the device and is read {where}"
        else:
            what = f"{found.name} is added up on the device and read {where}; "
            if found.kind is Kind.FLOAT:
                what += "there it is a float32, where Python's is a float64: the last digits may differ"
            else:
                what += "the count stays exact"
        return (
            f"{first.reads[0].how} fetches a value from the device in every pass of the loop in line "
            f"{context.line(first.loop.node)}, so the host waits instead of preparing the next step: {what}"
        )

    # -- the text --------------------------------------------------------------------------------------

    def _fillings(self, context: Context, found: Deferral) -> Iterator[Edit]:
        narrow = found.kind is Kind.FLOAT and may_be_narrow(context)
        for filling in found.fillings:
            for value in filling.addend.values:
                text = value.text
                is_float = value.held.kind is Kind.FLOAT and not is_cast(value.tensor)
                if narrow and filling.addend.is_computed and is_float:
                    text += ".float()"
                if found.form is not Form.SUM and not filling.addend.is_computed and not lasts(context, value.tensor):
                    text += ".clone()"  # what is only detached changes with the tensor
                yield Replace(context.span(value.node), text)

    def _read(self, context: Context, found: Deferral) -> str:
        if found.form is Form.LIST:
            value = self._element(context, found)
            return f"[{self._number(found, value)} for {value} in {found.name}]"
        return self._number(found, found.name)

    def _number(self, found: Deferral, name: str) -> str:
        """How a number of the sum or the list is read, as what it was before."""
        kinds = {value.held.kind for filling in found.fillings for value in filling.addend.values}
        is_plain = found.form is Form.LIST and not any(filling.addend.is_computed for filling in found.fillings)
        held = max((kind for kind in kinds if kind is not None), default=found.kind) if is_plain else found.kind
        if held is found.host_kind:
            return f"{name}.item()"
        return f"float({name})" if found.host_kind is Kind.FLOAT else f"int({name})"

    def _element(self, context: Context, found: Deferral) -> str:
        """The name for an element of a list: that of what is appended, if it has one."""
        value = found.fillings[0].addend.values[0]
        return value.tensor.id if isinstance(value.tensor, ast.Name) else "value"

    def _read_at(self, context: Context, found: Deferral, use: ast.Name) -> Edit:
        if found.form is Form.METER:
            value = context.module.parents[use]
            call = context.module.parents[value]
            if isinstance(call, ast.Call) and call.func is value:
                value = call
            return Replace(context.span(value), f"float({context.module.segment(value)})")
        place = range_of(context, use)
        assert place is not None
        if found.form is Form.LIST and isinstance(context.module.parents[use], ast.Subscript):
            element = _POSITION.match(context.module.text, place.end)
            if element is not None:
                place = Span(place.start, element.end())
                return Replace(place, self._number(found, context.module.text[place.start : place.end]))
        text = self._read(context, found)
        call = context.module.parents[use]
        if found.form is Form.LIST and isinstance(call, ast.Call) and len(call.args) == 1 and not call.keywords:
            called = context.resolve(call.func) or ""
            if called.startswith("builtins.") and called != "builtins.print":
                text = text[1:-1]
        return Replace(place, text)

    def _zeros(
        self, context: Context, found: Deferral, start: Binding, loop: StepLoop
    ) -> tuple[str, tuple[Import, ...]]:
        zeros, imports = torch_name(context, "zeros", start.node)
        device, more = _device(context, start.node, loop)
        dtype = ""
        if found.kind is Kind.INT:
            name, _ = torch_name(context, "int64", start.node)
            dtype = f"dtype={name}, "
        return f"{zeros}((), {dtype}device={device})", (*imports, *more)

    def _start(self, context: Context, start: Binding, text: str) -> Edit:
        statement = context.module.statement(start.node)
        value = start_value(start)
        assert value is not None
        if isinstance(statement, ast.AnnAssign):
            return ReplaceStatement(context.span(statement), f"{start.name} = {text}")
        if isinstance(statement, ast.Assign) and len(statement.targets) > 1:
            # a = b = 0: each has to have a tensor of its own.
            others = [context.module.segment(t) for t in statement.targets if t is not start.node]
            rest = " = ".join([*others, context.module.segment(statement.value)])
            return ReplaceStatement(context.span(statement), f"{start.name} = {text}\n{rest}")
        pairs = _pairs(statement)
        if pairs:
            segment = context.module.segment
            lines = [f"{segment(t)} = {text if v is value else segment(v)}" for t, v in pairs]
            return ReplaceStatement(context.span(statement), "\n".join(lines))
        return Replace(context.span(value), text)


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


def _device(context: Context, node: ast.AST, loop: StepLoop) -> tuple[str, tuple[Import, ...]]:
    """How to write the device at a node: as the loop itself does, where that means the same there."""
    for call in (n for n in ast.walk(loop.node) if isinstance(n, ast.Call)):
        given = _destination(context, call)
        path = dotted(given) if given is not None else None
        if given is not None and path is not None and _means_the_same(context, given, node):
            return path, ()
    return placing.device(context, node)


def _destination(context: Context, call: ast.Call) -> ast.expr | None:
    """The device in ``x.to(device)`` and ``MpDeviceLoader(loader, device)``."""
    if context.resolve(call.func) in context.target.loaders:
        return call.args[1] if len(call.args) > 1 else None
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "to":
        return None
    given = next(iter([*call.args[:1], *(k.value for k in call.keywords if k.arg == "device")]), None)
    return given if given is not None and context.roles.is_(given, Role.DEVICE) else None


def _means_the_same(context: Context, device: ast.expr, node: ast.AST) -> bool:
    """Whether the root of a device's path is bound before a node runs, and to nothing else than at its own place."""
    root = device
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name):
        return False
    found = context.names.bindings(root)
    if tuple(context.names.visible(root.id, node)) != tuple(found) or not found:
        return False
    here = context.module.function(node)
    return all(
        context.module.function(b.node) is not here or getattr(b.node, "lineno", 0) < getattr(node, "lineno", 0)
        for b in found
    )
