"""What is known of one line, for people: what each expression in it may be, and why; and in which steps it runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.analysis.analysis import Analysis
from xlaport.analysis.definitions import Class, Function, OfLibrary
from xlaport.analysis.events import Event, Kind
from xlaport.analysis.library import role_of
from xlaport.analysis.value import (
    MODULE,
    NUMBER,
    TENSOR,
    TEXT,
    UNKNOWN,
    Bound,
    Certainty,
    Definition,
    Device,
    Partial,
    Refers,
    Site,
    Value,
)
from xlaport.facts.module import LoopNode, Module
from xlaport.facts.role import Role
from xlaport.facts.step_code import StepCode

_LIES = {
    Device.HOST: "on the host",
    Device.ACCELERATOR: "on the TPU",
    Device.EITHER: "on the host or the TPU",
    Device.UNKNOWN: "taken to be on the TPU",
}
_DOES = {
    Kind.MOVE: "moves a module to the TPU",
    Kind.TAKE: "gives parameters to an optimizer",
    Kind.KEEP: "keeps parameters",
    Kind.MARK: "puts something on a parameter",
    Kind.USE: "uses or changes parameters",
    Kind.TIE: "gives a module the parameter of another one",
    Kind.COPY: "copies the weights of a module",
    Kind.PREPARE: "has a library move modules",
    Kind.RUN: "runs a module",
    Kind.CUT: "is a barrier, or steps an optimizer",
}


@dataclass(frozen=True)
class KnownExpression:
    """An expression; lines and columns count from 1."""

    line: int
    column: int
    text: str
    what: str
    """What it may be; empty: that is not known."""
    because: str
    evidence: int
    """The line of the evidence; 0: there is none."""
    details: tuple[str, ...]
    """What else is known: which object it is, where the device that it is was named, what happens there."""


@dataclass(frozen=True)
class LineAccount:
    """All of that for one line."""

    line: int
    steps: str
    """Whether it runs in each step, and of which loop."""
    expressions: tuple[KnownExpression, ...]


def line_account(code: StepCode, line: int) -> LineAccount | None:
    """What is known of the expressions that begin in a line; None where there is nothing."""
    module, analysis = code.module, code.structure.analysis(code.facts)
    nodes = [n for n in module.nodes if isinstance(n, ast.expr) and n.lineno == line and not _is_plain(module, n)]
    statements = [n for n in module.nodes if isinstance(n, ast.stmt) and n.lineno <= line <= (n.end_lineno or 0)]
    if not nodes or not statements:
        return None
    events = _events(analysis, code.facts.file)
    nodes.sort(key=lambda node: (node.col_offset, -(node.end_lineno or 0), -(node.end_col_offset or 0)))
    found = [_expression(code, analysis, node, events.get(node, [])) for node in nodes]
    return LineAccount(line, _steps(code, nodes[0]), tuple(found))


def _is_plain(module: Module, node: ast.expr) -> bool:
    """What says of itself what it is, or is told of by what is around it."""
    parent = module.parents[node]
    is_called = isinstance(parent, ast.Call) and parent.func is node and isinstance(node, ast.Attribute)
    return is_called or isinstance(node, ast.Constant | ast.Starred | ast.Slice | ast.JoinedStr | ast.FormattedValue)


def _events(analysis: Analysis, file: str) -> dict[ast.AST, list[Event]]:
    found: dict[ast.AST, list[Event]] = {}
    for function in analysis.functions_in(file):
        for event in analysis.events_of(function):
            found.setdefault(event.node, []).append(event)
    return found


def _expression(code: StepCode, analysis: Analysis, node: ast.expr, events: list[Event]) -> KnownExpression:
    value = analysis.value_at(node) or UNKNOWN
    text = " ".join(code.module.segment(node).split())
    details = (*_details(code.facts.file, value), *dict.fromkeys(_runs(code, analysis, node, events)))
    what = _what(value)
    because = value.because if what else ""
    return KnownExpression(node.lineno, node.col_offset + 1, text, what, because, value.line if because else 0, details)


def _what(value: Value) -> str:
    """A value in words."""
    if value.alternatives:
        return " or ".join(dict.fromkeys(_what(one) or "something unknown" for one in value.alternatives))
    if value.type in (NUMBER, TEXT) and value.constant is not None:
        return f"always {value.constant!r}"
    if isinstance(value.type, Class):
        return f"an instance of {value.type.node.name}"
    if value.type is None and (refers := _referred(value.refers)):
        return refers
    if value.type == TENSOR:
        return f"a tensor {_LIES[value.device]}"
    role = role_of(value)
    if role is None or role is Role.OTHER:
        has_parts = value.elements is not None or value.element is not None
        return "of another kind" if role is Role.OTHER else "a row" if has_parts else ""
    return f"{'an' if role.value[0] in 'aeio' else 'a'} {role.value}"


def _referred(refers: Refers) -> str:
    """What a name stands for."""
    if isinstance(refers, Partial):
        return f"a partial of {_referred(refers.function.refers) or 'something'}"
    if isinstance(refers, Bound):
        return f"a method: {_named(refers.definition)}"
    return refers if isinstance(refers, str) else _named(refers) if refers is not None else ""


def _named(definition: Definition) -> str:
    if isinstance(definition, Function | Class):
        name = definition.name if isinstance(definition, Function) else definition.node.name
        return f"{name} of line {getattr(definition.node, 'lineno', 1)}"
    return definition.name if isinstance(definition, OfLibrary) else ""


def _details(file: str, value: Value) -> Iterator[str]:
    """What else is known of a value."""
    if value.certainty is Certainty.ASSUMED and value.type == TENSOR:
        yield "only assumed"
    if value.objects and value.type != TEXT:
        yield f"its object is made in {_lines(file, value.objects)}"
    if value.type == MODULE and value.elements is not None:
        yield f"holds {len(value.elements)} modules"
    if value.places:
        yield f"a device that is named in {_lines(file, value.places)}"
    if value.turns:
        yield f"changes in {_lines(file, frozenset(turn.site for turn in value.turns))}"
    if value.detached and value.type == TENSOR and value.device is not Device.HOST:
        yield "no gradient comes to what it was made of"


def _lines(file: str, sites: frozenset[Site]) -> str:
    """Places, by their files and lines."""
    here = sorted({site.line for site in sites if site.file == file})
    others = sorted({(site.file.rpartition("/")[2], site.line) for site in sites if site.file != file})
    found = [str(line) for line in here] + [f"{name}:{line}" for name, line in others]
    return f"line{'s' if len(here) > 1 else ''} {', '.join(found)}" if here else ", ".join(found)


def _runs(code: StepCode, analysis: Analysis, node: ast.expr, events: list[Event]) -> Iterator[str]:
    """What happens at an expression."""
    called = list(analysis.run_by(node)) if isinstance(node, ast.Call) else []
    for function in (*called, *analysis.going_on(node)):
        where = "" if function.file == code.facts.file else f" of {function.file.rpartition('/')[2]}"
        yield f"runs {function.name}(){where} in line {getattr(function.node, 'lineno', 1)}"
    yield from (_DOES[event.kind] for event in events if event.kind in _DOES)


def _steps(code: StepCode, node: ast.expr) -> str:
    """In which steps a node runs."""
    statement = code.module.statement(node)
    if isinstance(statement, LoopNode) and (begun := code.loops.step_loop(statement)) is not None:
        line = getattr(begun.evidence, "lineno", statement.lineno)
        return f"begins a loop of steps ({begun.kind.value}), since line {line} {begun.because}"
    loop = code.loops.around(node)
    if loop is None:
        function = code.module.function(node)
        body = next((body for body in code.bodies if body.function is function and function is not None), None)
        loop = body.loop if body is not None else None
    if code.in_step(node):
        if loop is None:
            return "runs in each step of a loop of another file, or of a library"
        return f"runs in each step of the {loop.kind.value} loop in line {loop.node.lineno}"
    around = next((p for p in code.module.ancestors(node) if isinstance(p, LoopNode) and code.counts_steps(p)), None)
    if around is not None:
        return f"runs between steps, in the loop in line {around.lineno}"
    return "runs between the steps of another place" if code.with_steps(node) else "runs in no step"
