"""Changing numbers: Python numbers that are others in the next step, and what makes them change.

A number changes where it counts the passes of a loop of steps, is counted up from step to step, is drawn anew in each
step, or is computed from one that changes. A counter of a loop inside of a step is the same in every step.

The analysis knows where a number becomes another one (`Value.turns`); here is asked whether that happens in steps.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace

from xlaport.analysis.passing import AS_MADE
from xlaport.analysis.value import ARRAY, NUMBER, TENSOR, UNKNOWN, Device, How, Site, Turn, Value
from xlaport.facts.answers import Answers
from xlaport.facts.change import Cause, Change
from xlaport.facts.kept import Kept
from xlaport.facts.loops import LOOPS, RuntimeNames
from xlaport.facts.module import LoopNode, last_name
from xlaport.facts.names import How as Binds
from xlaport.facts.names import Names
from xlaport.facts.pinned import Pinned
from xlaport.facts.program import Facts
from xlaport.facts.role import OF_FORWARD
from xlaport.facts.step_code import StepCode, step_code_of

_MAX_DEPTH = 50
_KEEPING = frozenset("builtins." + name for name in "int float round abs max min pow sum len".split())
"""Functions whose result is the same where their arguments are."""
_STORES = (ast.Assign, ast.AugAssign)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def changing_of(facts: Facts, runtime: RuntimeNames) -> Changing:
    """The changing numbers of a file, as it sees its project."""
    return facts.once(("changing", runtime), lambda: Changing(step_code_of(facts, runtime)))


class Changing:
    """Finds the changing numbers among the expressions of a file. See `changing_of`."""

    def __init__(self, code: StepCode) -> None:
        self.code = code
        self.names = code.names
        self._answers: Answers[Change | None] = Answers(None, _MAX_DEPTH)
        self._pinned = Pinned(code.module, code.names, self._is_fixed)

    def of(self, node: ast.expr) -> Change | None:
        """What makes an expression another number in the next step; None for everything else."""
        value = self._value(node) or UNKNOWN
        is_open = value.is_unknown or (
            value.type == TENSOR and value.because == OF_FORWARD
        )  # as long as no number comes
        if (not is_open and value.type not in (NUMBER, ARRAY)) or self._is_pinned(node):
            return None
        if value.turns:
            return self._first(node, value)
        return self._answers.of(node, lambda: self._of_a_part(node, value, is_open), None)

    def _of_a_part(self, node: ast.expr, value: Value, is_open: bool) -> Change | None:
        """Of what nothing is known, a part may change: ``i + offset``, or what a name is in one of the ways here."""
        parts = assigned_values(self.names, node) if is_open else []
        if isinstance(node, ast.BinOp) and is_open:
            parts = [node.left, node.right]
        elif isinstance(node, ast.Call) and self.names.resolve(node.func) in _KEEPING:
            parts = [argument for argument in node.args if (self._value(argument) or UNKNOWN).is_unknown]
        change = next((change for part in parts if (change := self.of(part)) is not None), None)
        return replace(change, sure=False) if change is not None else None

    def bound(self, node: ast.expr) -> Change | None:
        """The same for the bound of a slice, where a tensor of the host is a number, too: ``x[torch.randint(…):]``."""
        value = self._value(node)
        if value is None or value.type != TENSOR or value.device is not Device.HOST:
            return self.of(node)
        found = (self._drawn(node, turn) for turn in sorted(value.turns) if turn.how is How.DRAWN)
        return next((change for change in found if change is not None), None)

    def growth(self, part: ast.expr, call: ast.Call) -> Change | None:
        """Where in each step a call joins something to a tensor that it has given itself."""
        value = self._value(part)
        joined = Turn(Site.of(self.code.facts.file, call), How.JOINED)
        if value is None or joined not in value.turns:
            return None
        kept = Kept(self.code)
        if isinstance(part, ast.Attribute) or (isinstance(part, ast.Name) and kept.is_of_a_function_around(part)):
            goes_on = self.code.with_steps(call) and not kept.is_set_back(part, joined)
            return Change(self.code.module.segment(part), Cause.ADVANCES, self.code.facts, call) if goes_on else None
        found = (self._passes(part, turn) for turn in sorted(value.turns))
        return next((change for change in found if change is not None), None)

    def _value(self, node: ast.expr) -> Value | None:
        return self.code.structure.value(self.code.facts, node)

    # -- where it stands -------------------------------------------------------------------------------

    def _is_pinned(self, node: ast.expr) -> bool:
        """Whether all changing numbers that an expression is made of are each one of a few where it stands."""
        parts = list(self._sources(node))
        return bool(parts) and all(isinstance(p, ast.Name | ast.Attribute) and self._is_one_of_few(p) for p in parts)

    def _sources(self, node: ast.AST) -> Iterator[ast.expr]:
        """The names, attributes and calls by which a changing number comes into an expression."""
        found = [part for child in ast.iter_child_nodes(node) for part in self._sources(child)]
        value = self._value(node) if isinstance(node, ast.Name | ast.Attribute | ast.Call) else None
        if (
            isinstance(node, ast.expr)
            and value is not None
            and value.turns
            and (isinstance(node, ast.Name) or not found)
        ):
            found = [node]
        yield from found

    def _is_one_of_few(self, node: ast.Name | ast.Attribute) -> bool:
        """Whether a changing number is one of a few where it stands, or what it is computed from is."""
        if self._pinned.is_pinned(node):
            return True
        value = self.names.assigned(node) if isinstance(node, ast.Name) else None
        parts = list(self._sources(value)) if value is not None else []
        return bool(parts) and all(
            isinstance(part, ast.Name | ast.Attribute) and self._pinned.is_pinned(part, node) for part in parts
        )

    def _is_fixed(self, node: ast.expr) -> bool:
        """Whether nothing is known to make an expression another number in the next step."""
        value, calls = self._value(node), (n for n in ast.walk(node) if isinstance(n, ast.Call))
        return not (value and value.turns) and all(self.names.resolve(call.func) in _KEEPING for call in calls)

    # -- where it changes ------------------------------------------------------------------------------

    def _first(self, node: ast.expr, value: Value) -> Change | None:
        """The first place at which a value becomes another one in each step."""
        found = [change for turn in sorted(value.turns) if (change := self._at(node, value, turn)) is not None]
        return next((change for change in found if not _counts_down(change.node)), next(iter(found), None))

    def _at(self, node: ast.expr, value: Value, turn: Turn) -> Change | None:
        if turn.how is How.EACH_TIME:
            passes = self._passes(node, turn)
            return passes and (self._advances_in(value, passes) or passes)
        if turn.how in AS_MADE and self._is_bound_before(node):
            return None
        if turn.how is How.DRAWN:
            return self._drawn(node, turn)
        found = self._place(turn)
        if found is None:
            return None
        there, place = found
        if turn.how is How.READ and isinstance(place, ast.Call):
            return Kept(there).read(place)
        return _counted(there, place, turn) if turn.how is How.COUNTED and isinstance(place, _STORES) else None

    def _passes(self, node: ast.expr, turn: Turn) -> Change | None:
        """A loop of steps, or a call of ``next()`` in each step, that gives another number each time."""
        found = self._place(turn) if turn.how is How.EACH_TIME else None
        if found is None:
            return None
        there, place = found
        if isinstance(place, ast.Call) and last_name(place.func) == "next" and _gives_another(there, place):
            return Change(self.code.module.segment(node), Cause.ADVANCES, there.facts, place)
        if not isinstance(place, LOOPS) or not there.passes_with_steps(place) or not self._runs_in(node, place):
            return None
        return Change(_counter(there, place, turn, node), Cause.COUNTS, there.facts, place)

    def _advances_in(self, value: Value, passes: Change) -> Change | None:
        """The statement in a loop that makes a number go on from pass to pass, if the loop itself counts another."""
        counted = passes.name if isinstance(passes.node, ast.For) else ""
        for turn in sorted(value.turns):
            found = self._place(turn) if turn.how in (How.GOES_ON, How.COMPUTED) else None
            statement = found[1] if found is not None else None
            if found is None or not isinstance(statement, ast.Assign | ast.AugAssign):
                continue
            there, name = found[0], ast.unparse(_target(statement))
            if name != counted and passes.node in there.module.ancestors(statement):
                return Change(name, Cause.ADVANCES, there.facts, statement)
        return None

    def _drawn(self, node: ast.expr, turn: Turn) -> Change | None:
        """``random.random()`` in each step."""
        found = self._place(turn)
        if found is None or not found[0].with_steps(found[1]):
            return None
        there, call = found
        statement, name = there.module.statement(call), ast.unparse(node)
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        value = there.structure.value(there.facts, target) if isinstance(target, ast.Name) else None
        if call in ast.walk(node):
            read = next((p for p in ast.walk(node) if isinstance(p, ast.Call) and _is_read_of(p, call)), call)
            name = ast.unparse(read)
        elif isinstance(target, ast.Name) and value is not None and value.type == NUMBER:
            name = target.id
        elif isinstance(statement, ast.Return):
            name = ast.unparse(call)
        return Change(name, Cause.DRAWN, there.facts, call)

    def _is_bound_before(self, node: ast.expr) -> bool:
        """Whether a name has what it was given before the steps: in each of them, it is the same."""
        found = self.names.reaching(node) if isinstance(node, ast.Name) else ()
        are_own = all(binding.how is not Binds.PARAMETER and not binding.elsewhere for binding in found)
        return bool(found) and are_own and not any(self.code.with_steps(binding.node) for binding in found)

    def _place(self, turn: Turn) -> tuple[StepCode, ast.AST] | None:
        """The loop, call or statement of a turn, with the code of its file."""
        facts = self.code.facts.view.facts(turn.site.file)
        place = _places(facts).get(turn.site._replace(turn="")) if facts is not None else None
        return (self.code.elsewhere(facts), place) if facts is not None and place is not None else None

    def _runs_in(self, node: ast.AST, loop: ast.AST) -> bool:
        """Whether a node belongs to a loop, or to what that calls: behind it, a number stays what it was at last."""
        todo: list[tuple[StepCode, ast.AST]] = [(self.code, node)]
        met: set[ast.AST] = set()
        for code, place in todo:
            if loop in code.module.ancestors(place):
                return True
            function = next((p for p in code.module.ancestors(place) if isinstance(p, _FUNCTIONS)), None)
            if function is not None and function not in met:
                met.add(function)
                todo += code.places_of(function)
        return False


def assigned_values(names: Names, node: ast.expr) -> list[ast.expr]:
    """What assignments give a name where it stands."""
    found = names.reaching(node) if isinstance(node, ast.Name) else ()
    return [b.value for b in found if b.how is Binds.ASSIGN and b.value is not None and node not in ast.walk(b.value)]


def _counter(code: StepCode, loop: LoopNode, turn: Turn, node: ast.expr) -> str:
    """The name that counts the passes of a loop."""
    targets = [n for n in ast.walk(loop.target) if isinstance(n, ast.Name)] if not isinstance(loop, ast.While) else []
    if isinstance(node, ast.Name) and any(target.id == node.id for target in targets):
        return node.id
    for target in targets:
        value = code.structure.value(code.facts, target)
        if value is not None and value.type == NUMBER and turn in value.turns and target.id.strip("_"):
            return target.id
    return code.module.segment(node)


def _target(statement: ast.Assign | ast.AugAssign) -> ast.expr:
    return statement.targets[0] if isinstance(statement, ast.Assign) else statement.target


def _counted(code: StepCode, statement: ast.Assign | ast.AugAssign, turn: Turn) -> Change | None:
    """``self.step += 1`` of an object in each step, and ``n += 1`` of a name of the whole file."""
    target = _target(statement)
    if not code.with_steps(statement) or (isinstance(target, ast.Attribute) and Kept(code).is_set_back(target, turn)):
        return None
    return Change(ast.unparse(target), Cause.ADVANCES, code.facts, statement)


def _counts_down(node: ast.AST) -> bool:
    return isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Sub)


def _is_read_of(call: ast.Call, drawn: ast.AST) -> bool:
    """Whether a call reads what another one draws: ``torch.rand(1).item()``."""
    return (isinstance(call.func, ast.Attribute) and call.func.value is drawn) or drawn in call.args


def _gives_another(code: StepCode, call: ast.Call) -> bool:
    """Whether ``next(sizes)`` runs in each step, of what is kept from step to step."""
    row = call.args[0] if call.args else None
    if not isinstance(row, ast.Name | ast.Attribute) or not code.with_steps(call):
        return False
    loop = code.counting_loop(call)
    bound = code.names.reaching(row) if isinstance(row, ast.Name) else ()
    return loop is None or not any(code.is_inside(binding.node, loop) for binding in bound)


def _places(facts: Facts) -> Mapping[Site, ast.AST]:
    """The loops, calls and assignments of a file, by their places."""
    kinds = ast.For | ast.AsyncFor | ast.While | ast.Call | ast.Assign | ast.AugAssign
    found = (node for node in facts.module.nodes if isinstance(node, kinds))
    return facts.once("places of turns", lambda: {Site.of(facts.file, node): node for node in found})
