"""Guards that can wait: statements that end the program unless a value of the device is fine.

``if not math.isfinite(loss_value): print(…); sys.exit(1)`` may look at the value behind the barrier, too: the step is
made before the program ends, and nothing comes of it, since the guard does nothing but to tell and to end.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass

from xlaport.facts.between import Moved, Stays
from xlaport.facts.late_reads import Form, LateRead, LateReads
from xlaport.facts.module import last_name
from xlaport.facts.program import Facts
from xlaport.facts.reads import HostRead
from xlaport.facts.running import all_run
from xlaport.facts.structure import Class, Function, Structure

ENDING = frozenset({"sys.exit", "os._exit", "builtins.exit", "builtins.quit", "os.abort"})
"""Functions that end the program."""
_TELLING = frozenset({"debug", "info", "warning", "error", "critical", "exception"})
_SAVING = re.compile(r"save|dump|checkpoint", re.IGNORECASE)
_HOLDING_UP = frozenset({"contextlib.suppress"})
_OF_OBJECTS = frozenset({"forward", "__call__"})
"""Methods that run where an object is called."""
_TELLS_OF_NO_ERROR = frozenset({"builtins.KeyboardInterrupt"})


@dataclass(frozen=True)
class LateGuard:
    """A read that can move behind the barrier together with the guards that look at its value."""

    read: LateRead
    guards: tuple[ast.stmt, ...]
    """In their order; the reading statement itself, where the guard reads."""
    is_copied: bool
    """Whether what it reads changes before the barrier, so that a copy of it has to be kept."""


class LateGuards:
    """Decides which guards can wait."""

    def __init__(self, facts: Facts, structure: Structure, late_reads: LateReads) -> None:
        self.facts = facts
        self.module = facts.module
        self.structure = structure
        self.late_reads = late_reads

    def ends_the_program(self, statement: ast.stmt) -> bool:
        """Whether a statement ends the program unless a value is fine, does nothing else, and nothing catches that."""
        if not isinstance(statement, ast.If | ast.Assert) or not self._is_guard(statement):
            return False
        return self.only_asks(statement) and not self._may_be_caught(self.facts, statement, frozenset())

    def only_asks(self, statement: ast.If | ast.Assert) -> bool:
        """Whether what a statement asks is a plain question: nobody would know if it were not asked."""
        reads = self.late_reads.reads.in_condition(statement)
        return self.late_reads.is_pure(statement.test, reads) and self.late_reads.does_nothing_else(reads)

    def late_guard(self, block: list[ast.stmt], index: int, barrier: int) -> LateGuard | None:
        """How the read of ``block[index]`` could move behind ``block[barrier]`` with the guards in between."""
        statement, between = block[index], block[index + 1 : barrier + 1]
        if self._is_guard(statement):
            found = self._reading(statement, between)
        elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            found = self._read_before(statement, target, between) if isinstance(target, ast.Name) else None
        else:
            found = None
        if found is None or self._may_save(between):
            return None
        return found if not self._may_be_caught(self.facts, statement, frozenset()) else None

    def _reading(self, guard: ast.stmt, between: list[ast.stmt]) -> LateGuard | None:
        """``if not math.isfinite(loss.item()): …``"""
        reads = self.late_reads.reads.within([guard])
        if not reads or not all(isinstance(r.tensor, ast.Name) and self._is_fresh(r) for r in reads):
            return None
        if self._obstacle(guard, tuple(reads), between) is not None:
            return None
        return LateGuard(LateRead(guard, Form.WHOLE, reads[0], "value"), (guard,), is_copied=False)

    def _read_before(self, statement: ast.Assign, target: ast.Name, between: list[ast.stmt]) -> LateGuard | None:
        """``loss_value = loss.item()``, and behind it ``if not math.isfinite(loss_value): …``"""
        guards = [s for s in between if self._is_guard(s) and self._mentions(s, target.id)]
        if not guards or self.late_reads.reads.within(guards):
            return None
        for guard in guards:
            behind = [s for s in between[between.index(guard) + 1 :] if s not in guards]
            if self._obstacle(guard, (), behind) is not None:
                return None
        rest = [s for s in between if s not in guards]
        late = self.late_reads.put_off(statement, rest)
        if isinstance(late, LateRead):
            return LateGuard(late, tuple(guards), is_copied=False)
        reads = self.late_reads.reads.within([statement])
        if len(reads) != 1 or reads[0].node is not statement.value or not isinstance(reads[0].tensor, ast.Name):
            return None
        if reads[0].tensor.id == target.id or not reads[0].proven:
            return None
        moved = Moved(statement, (), (target,), frozenset({target.id}), (), prints=False, is_copied=True)
        if self.late_reads.between.obstacle(moved, rest) is not None:
            return None
        return LateGuard(LateRead(statement, Form.SAME_NAME, reads[0], target.id), tuple(guards), is_copied=True)

    def _obstacle(self, guard: ast.stmt, reads: tuple[HostRead, ...], between: list[ast.stmt]) -> Stays | None:
        """What would tell that a guard comes later; not that its lines do, since the program ends with them."""
        names = tuple(n for n in ast.walk(guard) if isinstance(n, ast.Name))
        return self.late_reads.between.obstacle(Moved(guard, reads, names, frozenset(), (), prints=False), between)

    def _is_fresh(self, read: HostRead) -> bool:
        return read.proven and self.late_reads.freshness.is_fresh(read.tensor)

    # -- what a guard is -------------------------------------------------------------------------------

    def _is_guard(self, statement: ast.stmt) -> bool:
        """An ``if`` whose branch tells and ends the program, or an assertion, by a plain question."""
        if not isinstance(statement, ast.If | ast.Assert):
            return False
        asked = self.late_reads.is_pure(statement.test, self.late_reads.reads.in_condition(statement))
        if isinstance(statement, ast.Assert):
            return asked and (statement.msg is None or self._is_plain(statement.msg))
        *telling, last = statement.body
        is_whole = not statement.orelse and asked
        return is_whole and all(self._tells(s) for s in telling) and self._ends(last, statement.test)

    def _tells(self, statement: ast.stmt) -> bool:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if not isinstance(call, ast.Call) or not self._is_given_plain(call):
            return False
        called = self.facts.names.resolve(call.func)
        is_logger = isinstance(call.func, ast.Attribute) and call.func.attr in _TELLING
        return called in ("builtins.print", "warnings.warn") or is_logger

    def _ends(self, statement: ast.stmt, test: ast.expr) -> bool:
        if isinstance(statement, ast.Raise):
            raised = statement.exc
            if isinstance(raised, ast.Call):
                known = (self.facts.names.resolve(raised.func) or "").startswith("builtins.")
                return known and self._is_given_plain(raised) and statement.cause is None
            return isinstance(raised, ast.Name) and statement.cause is None
        if isinstance(statement, ast.Assert):
            # ``if not isfinite(x): print(x); assert isfinite(x)``
            return isinstance(test, ast.UnaryOp) and ast.dump(test.operand) == ast.dump(statement.test)
        call = statement.value if isinstance(statement, ast.Expr) else None
        is_end = isinstance(call, ast.Call) and self.facts.names.resolve(call.func) in ENDING
        return is_end and isinstance(call, ast.Call) and self._is_given_plain(call)

    def _is_given_plain(self, call: ast.Call) -> bool:
        return all(self._is_plain(value) for value in [*call.args, *(keyword.value for keyword in call.keywords)])

    def _is_plain(self, value: ast.expr) -> bool:
        return self.late_reads.is_pure(value, self.late_reads.reads.of_expression(value))

    def _mentions(self, guard: ast.stmt, name: str) -> bool:
        test = guard.test if isinstance(guard, ast.If | ast.Assert) else guard
        return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(test))

    def _may_be_caught(self, facts: Facts, node: ast.AST, seen: frozenset[ast.AST]) -> bool:
        """Whether something goes on where a guard ends the program: a ``try`` around it, or around what calls it."""
        for parent in facts.module.ancestors(node):
            if isinstance(parent, ast.Try) and (parent.finalbody or not self._is_left_alone(facts, parent)):
                return True
            if isinstance(parent, ast.With) and any(
                isinstance(item.context_expr, ast.Call) and facts.names.resolve(item.context_expr.func) in _HOLDING_UP
                for item in parent.items
            ):
                return True
            if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
                sites = [] if parent in seen else self.structure.calls_to(Function(facts, parent))
                owner = facts.module.parents[parent]
                if parent not in seen and isinstance(owner, ast.ClassDef) and parent.name in _OF_OBJECTS:
                    sites += self.structure.calls_of_objects(Class(facts, owner))
                return any(self._may_be_caught(site.facts, site.node, seen | {parent}) for site in sites)
        return False

    def _is_left_alone(self, facts: Facts, node: ast.Try) -> bool:
        """``except KeyboardInterrupt:`` alone."""
        return all(h.type is not None and facts.names.resolve(h.type) in _TELLS_OF_NO_ERROR for h in node.handlers)

    def _may_save(self, statements: Sequence[ast.stmt]) -> bool:
        """Whether statements, or what they run, write the model to a file: that of a step that never was."""
        run = (node for _, node in all_run(self.structure, self.facts, statements) if isinstance(node, ast.Call))
        return any(_SAVING.search(last_name(call.func) or "") is not None for call in run)
