"""What a run has shown of an expression, as a value: where the analysis itself does not know it."""

from __future__ import annotations

import ast

from xlaport.analysis import value as types
from xlaport.analysis.definitions import Class, Function
from xlaport.analysis.frame import Frame
from xlaport.analysis.value import NOTHING, PENDING, UNKNOWN, Certainty, Device, How, Site, Turn, Value, joined
from xlaport.facts.held import Held, Kind
from xlaport.facts.program import Facts, Program
from xlaport.observed.placing import files_of, makers_of, observed_in
from xlaport.observed.record import Expression, Sort

BY_RUN = "seen in a run"
_TYPES = {
    "module": types.MODULE,
    "optimizer": types.OPTIMIZER,
    "scheduler": types.SCHEDULER,
    "scaler": types.SCALER,
    "loader": types.LOADER,
    "dataset": types.DATASET,
    "array": types.ARRAY,
    "device": types.DEVICE,
    "row": types.OBJECT,
    "table": types.OBJECT,
}
_KINDS = {"bool": Kind.BOOL, "int": Kind.INT, "float": Kind.FLOAT, "complex": Kind.COMPLEX}


class Observing:
    """What was seen of the expressions of one function's file."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        facts = frame.around.facts(frame.function.file)
        self.seen = observed_in(facts) if facts is not None else {}

    def with_seen(self, node: ast.expr, value: Value) -> Value:
        """What an expression may be, with what was seen of it. What the analysis has proven stays."""
        expression = self.seen.get(node)
        if expression is None:
            return value
        if value is PENDING:  # what is called is to be known before it is run as if nobody called it
            is_called = any(sort.kind in ("function", "class") for sort in expression.sorts)
            return self._value(expression, node) if is_called else value
        is_open = value.type == types.TENSOR and (
            value.device is Device.UNKNOWN or value.holds.rank is None or value.certainty is Certainty.ASSUMED
        )
        is_any = (
            value.type is not None and not value.objects and any(sort.made is not None for sort in expression.sorts)
        )
        if not is_open and not value.is_unknown and not is_any:
            return value
        found = self._value(expression, node)
        if is_any:
            return value._replace(objects=found.objects) if found is not PENDING else value
        if found is UNKNOWN or found is PENDING or value.is_unknown:
            return found.or_at(value.places)
        if found.type != types.TENSOR:
            return found if value.certainty is Certainty.ASSUMED else value
        is_assumed = value.device is Device.UNKNOWN or value.certainty is Certainty.ASSUMED
        device = found.device if is_assumed else value.device
        holds = Held(value.holds.kind if value.holds.kind is not None else found.holds.kind, found.holds.rank)
        return value._replace(device=device, holds=holds, certainty=Certainty.PROVEN)

    def _value(self, expression: Expression, node: ast.expr) -> Value:
        parts = [self._of(sort, node) for sort in expression.sorts]
        kinds = {part.type for part in parts if part is not NOTHING and part.type in (types.TENSOR, types.NUMBER)}
        if any(part is UNKNOWN for part in parts) or all(part is NOTHING for part in parts) or len(kinds) > 1:
            return UNKNOWN
        found = joined(parts) or UNKNOWN
        if found.type == types.NUMBER and expression.changes:
            site = Site.of(self.frame.function.file, node)
            found = found._replace(turns=frozenset({Turn(site, How.EACH_TIME)}))
        return found

    def _of(self, sort: Sort, node: ast.expr) -> Value:
        """The value of one sort; `UNKNOWN` where nothing can be told of it."""
        shown = Value(because=BY_RUN, line=node.lineno)
        device = Device.HOST if sort.device == "cpu" else Device.ACCELERATOR
        holds = Held(_KINDS.get(sort.holds), sort.rank)
        if sort.kind == "none":
            return NOTHING
        if sort.kind == "tensor":
            return shown._replace(type=types.TENSOR, device=device, holds=holds)
        if sort.kind == "number":
            return shown._replace(type=types.NUMBER, holds=Held(_KINDS.get(sort.holds), 0))
        if sort.kind == "text":
            return shown._replace(type=types.TEXT)
        if sort.kind in ("function", "class"):
            refers = self._defined(sort) if sort.file else sort.name or None
            return refers if isinstance(refers, Value) else shown._replace(refers=refers) if refers else UNKNOWN
        if sort.file and sort.kind != "dataset":
            kind = self._defined(sort)
            if isinstance(kind, Value):
                return kind
            return shown._replace(type=kind, objects=self._objects(sort)) if isinstance(kind, Class) else UNKNOWN
        if sort.kind not in _TYPES:
            return UNKNOWN
        element = self._of(sort.element, node) if sort.element is not None else UNKNOWN
        own = shown._replace(type=_TYPES[sort.kind], objects=self._objects(sort))
        if sort.kind == "device":
            return own._replace(device=device)
        return own._replace(element=element) if element is not UNKNOWN and element is not NOTHING else own

    def _objects(self, sort: Sort) -> frozenset[Site]:
        """The object: what was given first by an expression that is still there."""
        made = makers_of(self._program).get(sort.made) if sort.made is not None else None
        if made is None:
            return frozenset()
        file, (line, column, end_line, end_column) = made
        return frozenset({self.frame.around.moved_site(Site(file, line, column - 1, end_line, end_column - 1))})

    def _defined(self, sort: Sort) -> Function | Class | Value:
        """The program's own function or class; `PENDING` as long as it may still be met, then `UNKNOWN`."""
        file = files_of(self._program).get(sort.file)
        return self.frame.around.defined_by(file, sort.name, self.frame.function) if file is not None else UNKNOWN

    @property
    def _program(self) -> Program:
        facts = self.frame.around.facts(self.frame.function.file)
        assert facts is not None  # something of it was seen
        return facts.program


def qualified(facts: Facts, definition: Function | Class) -> str:
    """The names of a definition and of those around it, as a run tells them."""
    around = (definition.node, *facts.module.ancestors(definition.node))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    return ".".join(reversed([getattr(each, "name", "<lambda>") for each in around if isinstance(each, kinds)]))
