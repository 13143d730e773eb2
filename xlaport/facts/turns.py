"""Numbers that are others in each step, however they come to a place: by a dict, a generator, a row of numbers.

The analysis knows in which loops they change (`Value.turns`); here is asked whether these count steps.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from xlaport.analysis.value import How, Site, Turn
from xlaport.facts.change import Cause, Change
from xlaport.facts.loops import LOOPS
from xlaport.facts.module import last_name
from xlaport.facts.program import Facts
from xlaport.facts.step_code import StepCode


class Turns:
    """Answers `change` for the expressions of a file."""

    def __init__(self, code: StepCode) -> None:
        self.code = code

    def change(self, node: ast.expr) -> Change | None:
        """What makes a number another one in the next step."""
        value, name = self.code.structure.value(self.code.facts, node), self.code.module.segment(node)
        for turn in sorted(value.turns) if value is not None else ():
            facts = self.code.facts.view.facts(turn.site.file) if turn.how is How.EACH_TIME else None
            place = _places(facts).get(turn.site) if facts is not None else None
            if facts is not None and place is not None:
                there = self.code.elsewhere(facts)
                if isinstance(place, ast.Call) and _gives_another(there, place):
                    return Change(name, Cause.ADVANCES, facts, place)
                if isinstance(place, LOOPS) and there.passes_with_steps(place) and self._runs_in(node, place):
                    return Change(name, Cause.COUNTS, facts, place)
        return None

    def growth(self, part: ast.expr, call: ast.Call) -> Change | None:
        """Where in each step a call joins something to a tensor that it has given itself."""
        value = self.code.structure.value(self.code.facts, part)
        joined = Turn(Site.of(self.code.facts.file, call), How.JOINED)
        return self.change(part) if value is not None and joined in value.turns else None

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


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def _gives_another(code: StepCode, call: ast.Call) -> bool:
    """Whether ``next(sizes)`` runs in each step, of what is kept from step to step."""
    row = call.args[0] if call.args else None
    if not isinstance(row, ast.Name | ast.Attribute) or not code.in_step(call):
        return False
    loop = code.counting_loop(call)
    bound = code.names.reaching(row) if isinstance(row, ast.Name) else ()
    return loop is None or not any(code.is_inside(binding.node, loop) for binding in bound)


def _places(facts: Facts) -> Mapping[Site, ast.AST]:
    """The loops of a file and its calls of ``next()``, by their places."""
    return facts.once("places of turns", lambda: _placed(facts))


def _placed(facts: Facts) -> dict[Site, ast.AST]:
    loops = facts.module.of_type(ast.For, ast.AsyncFor, ast.While)
    calls = (call for call in facts.module.calls if last_name(call.func) == "next")
    found: dict[Site, ast.AST] = {Site.of(facts.file, loop): loop for loop in loops}
    return found | {Site.of(facts.file, call): call for call in calls}
