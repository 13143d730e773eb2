"""Parameters of a module that are one until it moves, told by the analysis, in the words of who moves it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from xlaport.analysis.analysis import Analysis
from xlaport.analysis.call_graph import Passed
from xlaport.analysis.definitions import Class, Function
from xlaport.analysis.events import Kind, Objects
from xlaport.analysis.of_file import analysis_of
from xlaport.analysis.order import entered
from xlaport.analysis.tied import Tied, tied
from xlaport.analysis.value import UNKNOWN, Refers, Site, Value
from xlaport.context import Context
from xlaport.facts.classes import default
from xlaport.facts.module import FunctionNode, walk_block
from xlaport.facts.names import How
from xlaport.facts.program import Facts

from ..._lib.step.asked_moves import guards, is_asked
from .ways import Way, ways

_ASSIGNS = re.compile(r"\bassign\s*=\s*True")
"""What has ``load_state_dict()`` put other parameters into a module."""
_OWN_WAYS = ("_apply", "to")
"""Methods by which a module does something of its own when it moves."""


class Untied(NamedTuple):
    """Two parameters of what moves, of which a move makes two."""

    facts: Facts
    node: ast.AST
    """What ties them."""
    target: str
    source: str
    """The ways to both: ``.decoder.weight``; none where no attributes lead there."""
    is_sure: bool
    """Whether they are one whenever the module moves."""
    is_there: bool = True
    """Whether all such modules have both."""


def may_tie(analysis: Analysis) -> bool:
    """Whether anything ties parameters at all."""
    return analysis.once(may_tie, lambda: any(Kind.TIE in kinds for kinds in analysis.done.values()))


def all_tied(context: Context) -> list[Tied]:
    """What the program ties, with the moves that part it."""
    analysis = analysis_of(context.view.own)
    entrances = entered(analysis, {Kind.TIE, Kind.MOVE})
    return analysis.once(tied, lambda: [one for each, then in entrances for one in _tied(context, each, then)])


def _tied(context: Context, function: Function, then: Iterable[Function] = ()) -> list[Tied]:
    analysis = analysis_of(context.view.own)
    return tied(function, analysis, then, lambda nodes: _is_sure(context, analysis, nodes))


def untied(context: Context) -> dict[ast.Call, list[Untied]]:
    """The moves of this file that part parameters, each with these, in the order in which they are tied."""
    analysis = analysis_of(context.view.own)
    found: dict[ast.Call, dict[tuple[str, str], Untied]] = {}
    for one in all_tied(context) if may_tie(analysis) and analysis.does(context.view.own.file, {Kind.MOVE}) else ():
        move = one.move.node if one.move is not None else None
        if isinstance(move, ast.Call) and move in context.module.parents and isinstance(move.func, ast.Attribute):
            told = _of_each(context, one, analysis.value_at(move.func.value) or UNKNOWN)
            if told is not None:
                others = found.setdefault(move, {})
                other = others.setdefault((told.target, told.source), told)
                others[told.target, told.source] = other._replace(is_sure=other.is_sure and told.is_sure)
    return {move: list(every.values()) for move, every in found.items()}


def _of_each(context: Context, one: Tied, moved: Value) -> Untied | None:
    """What is tied, as seen from what moves; None where that may be something else, or ties itself again."""
    every = [_untied(context, one, each) for each in moved.alternatives or (moved,) if not _moves_by_itself(each)]
    if not every or every[0] is None or any(each is None or each.target != every[0].target for each in every):
        return None
    return every[0]


def perhaps_untied(context: Context, move: ast.Call) -> tuple[Class, list[Untied]] | None:
    """What a move parts if it moves an object of a class of the program, which nobody has seen being made."""
    analysis = analysis_of(context.view.own)
    for kind, making in perhaps_of(context, move):
        init = kind.method("__init__")
        made = _tied(context, analysis.now(init)) if init is not None and not _moves_by_itself(Value(kind)) else []
        itself = Value(kind, objects=_own(analysis, kind))
        told = [_untied(context, one._replace(making=one.making or making), itself) for one in made]
        every = [one for one in told if one is not None and one.target]
        if every and not _is_tied_behind(context, analysis, move, made):
            return kind, every
    return None


def perhaps_of(context: Context, move: ast.Call) -> Iterator[tuple[Class, tuple[ast.AST, ...]]]:
    """The classes of the program one of which a moved thing may be of, with the call that makes it, if one does."""
    assert isinstance(move.func, ast.Attribute)
    analysis, base = analysis_of(context.view.own), move.func.value
    value = analysis.value_at(base) or UNKNOWN
    yield from ((one.type, ()) for one in value.alternatives or (value,) if isinstance(one.type, Class))
    for binding in context.names.bindings(base) if isinstance(base, ast.Name) else ():
        made = binding.value if binding.how is How.ASSIGN else None
        if isinstance(made, ast.Call):
            refers = (analysis.value_at(made.func) or UNKNOWN).refers or _imported(context, analysis, made.func)
            yield from ((refers, (made,)),) if isinstance(refers, Class) else ()


def _imported(context: Context, analysis: Analysis, node: ast.expr) -> Refers:
    """What ``model.Net`` is, of a module whose name becomes that of a model, too."""
    root = node.value if isinstance(node, ast.Attribute) else node
    found = [b for b in context.names.reaching(root) if b.how is How.IMPORT] if isinstance(root, ast.Name) else []
    if len(found) != 1 or found[0].qualified is None or not isinstance(node, ast.Attribute):
        return None
    led = analysis.leads(context.view.own.file, f"{found[0].qualified}.{node.attr}")
    cell = led[0].body.cells.get(led[1][0]) if isinstance(led, tuple) and len(led[1]) == 1 else None
    return cell.value.refers if cell is not None and cell.value is not None else None


def _own(analysis: Analysis, kind: Class) -> Objects:
    """What the constructor of a class calls the object."""
    init = kind.method("__init__")
    events = analysis.events_of(analysis.now(init)) if init is not None else ()
    return frozenset().union(*(event.objects for event in events if event.parameter == "self"))


def _is_tied_behind(context: Context, analysis: Analysis, move: ast.Call, made: list[Tied]) -> bool:
    """Whether a function ties the same behind the move, of what it has got from elsewhere."""
    around = context.module.function(move) or context.module.tree
    events = (event for f in analysis.functions_in(context.view.own.file) if f.node is around for event in f.events)
    targets = {(one.tie.objects, one.tie.attribute) for one in made}
    return any(event.kind is Kind.TIE and (event.objects, event.attribute) in targets for event in events)


def _moves_by_itself(value: Value) -> bool:
    return isinstance(value.type, Class) and any(value.type.method(name) is not None for name in _OWN_WAYS)


def _untied(context: Context, one: Tied, moved: Value) -> Untied | None:
    """What is tied, as seen from what moves; None where it is not tied, or ties itself again."""
    analysis = analysis_of(context.view.own)
    facts = analysis.facts_of(one.tie.node)
    owner = facts.module.class_of(one.tie.node)
    kind = analysis.class_at(owner) if owner is not None else None
    if (kind is not None and _moves_by_itself(Value(kind))) or _is_met(context, analysis, one) is False:
        return None
    if not one.making and any(_is_left_before(analysis, node) for node in one.inside):
        return None
    found = ways(analysis, moved)
    holders = [way.text for site in sorted(one.made) for way in found.get(site, ())][:1] or [""]
    targets = _ways_to(found, one.tie.objects, one.tie.attribute, holders[0])
    given = _given(facts, one.tie.node)
    attribute = given.attr if isinstance(given, ast.Attribute) else one.tie.attribute
    sources = _ways_to(found, one.tie.other, attribute, holders[0])
    sources = [way for way in sources if way.text != (targets[0].text if targets else "")]
    if not targets or not sources:
        is_sure = _is_sure(context, analysis, (*one.making, *one.inside))
        return Untied(facts, one.tie.node, "", "", False) if is_sure else None
    is_open = any(_ASSIGNS.search(text) for text in (facts.module.text, context.module.text))
    is_one = targets[0].is_sure and sources[0].is_sure and len(one.tie.other) == 1 and not is_open
    is_run = _is_sure(context, analysis, one.inside) or _is_met(context, analysis, one) is True
    is_there = _is_sure(context, analysis, one.making[1:])
    return Untied(facts, one.tie.node, targets[0].text, sources[0].text, is_one and one.is_sure and is_run, is_there)


def _ways_to(found: Mapping[Site, list[Way]], objects: Objects, attribute: str, holder: str) -> list[Way]:
    """The ways to a parameter of some objects; first those within the module that ties them."""
    every = (way for site in sorted(objects) for way in found.get(site, ()))
    named = [way if way.is_parameter else way._replace(text=f"{way.text}.{attribute}") for way in every]
    return sorted(named, key=lambda way: not way.text.startswith(f"{holder}."))


def _given(facts: Facts, node: ast.AST) -> ast.expr | None:
    """The parameter that a statement puts somewhere."""
    if isinstance(node, ast.Call):  # setattr(layer, "weight", other.weight)
        return node.args[2]
    statement = facts.module.statement(node)
    return statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None


def _is_met(context: Context, analysis: Analysis, one: Tied) -> bool | None:
    """Whether the call that makes a module answers the conditions of a tie; None where that does not show."""
    call, there = one.making[-1] if one.making else None, context.of(analysis.facts_of(one.tie.node))
    function = there.module.function(one.tie.node)
    asked = list(guards(there, one.tie.node))
    if not asked or len(one.inside) != 1 or not isinstance(call, ast.Call) or function is None:
        return None
    passed = next((given for run, given in analysis.run_by(call).items() if run.node is function), None)
    if passed is None:
        return None
    answers = [_answer(analysis, guard.test, is_body, function, passed) for guard, is_body in asked]
    return False if False in answers else True if all(answers) else None


def _answer(analysis: Analysis, test: ast.expr, is_body: bool, function: FunctionNode, passed: Passed) -> bool | None:
    """Whether a test of a parameter comes out as it is to; None for other tests, and where the value is not known."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _answer(analysis, test.operand, not is_body, function, passed)
    if not isinstance(test, ast.Name):
        return None
    given = passed[test.id] if test.id in passed else default(function.args, test.id)
    return bool(given.value) is is_body if isinstance(given, ast.Constant) else None


def _is_sure(context: Context, analysis: Analysis, nodes: Iterable[ast.AST]) -> bool:
    """Whether code runs whenever its function does: it is under no condition, and behind no early return."""
    return not any(
        is_asked(context.of(analysis.facts_of(node)), node) or _is_left_before(analysis, node) for node in nodes
    )


def _is_left_before(analysis: Analysis, node: ast.AST) -> bool:
    function = analysis.facts_of(node).module.function(node)
    above = (n for n in walk_block(function.body) if isinstance(n, ast.Return)) if function is not None else ()
    return any(left.lineno < getattr(node, "lineno", 0) for left in above)
