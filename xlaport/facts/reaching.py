"""Reaching definitions inside one scope: which of the places that bind a name may have given it its value.

The scope's statements are run abstractly, from top to bottom: the state says, for each name, which places may
have bound it last. Branches join, loops run until nothing new comes round, and whatever a `try` body has done
at any point may be what a handler sees. Nested functions run at unknown times and are left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from xlaport.facts.module import children

State = dict[str, frozenset[ast.AST]]
"""Name ─► the places that may have bound it last. A name that is missing is unbound."""

_SWALLOWING = frozenset({"suppress", "raises", "assertRaises", "assertRaisesRegex"})
"""Last names of the context managers that go on behind the block after an exception."""

_NOT_CHILD_BY_CHILD = frozenset(
    {
        ast.NamedExpr,
        ast.Lambda,
        ast.GeneratorExp,
        ast.ListComp,
        ast.SetComp,
        ast.DictComp,
        ast.BoolOp,
        ast.IfExp,
        ast.Compare,
        ast.Dict,
    }
)
"""The expressions that `_Walk._with_an_order` knows."""


def definitions(
    body: Iterable[ast.stmt],
    places: Mapping[ast.AST, str],
    entry: Iterable[ast.AST] = (),
    behind: Mapping[ast.stmt, ast.AST] | None = None,
) -> dict[ast.Name, set[ast.AST]]:
    """For each use of a name in `body` (and each target of ``+=``): the places that may reach it.

    `places` are the nodes that bind names in this scope; those in `entry` (parameters) are bound from the start,
    those of `behind` directly behind a statement: what would be, if one that binds the name were put there. Uses in
    code that never runs, or runs at a time unknown, are missing.
    """
    walk = _Walk(places, behind or {})
    for place in entry:
        walk.bind(place)
    walk.block(body)
    return walk.found


class _Walk:
    def __init__(self, places: Mapping[ast.AST, str], behind: Mapping[ast.stmt, ast.AST]) -> None:
        self.places = places
        self.behind = behind
        self.names = frozenset(places.values())
        self.state: State | None = {}
        """None: this point is never reached."""
        self.found: dict[ast.Name, set[ast.AST]] = {}
        self._guards: list[State] = []
        """For each block around that catches exceptions: everything that may hold when one is raised."""
        self._loops: list[tuple[list[State], list[State]]] = []
        """For each loop around: the states at its `break`s and at its `continue`s."""

    def bind(self, place: ast.AST) -> None:
        name = self.places.get(place)
        if name is None or self.state is None:
            return
        self.state = {**self.state, name: frozenset([place])}
        for guard in self._guards:
            guard[name] = guard.get(name, frozenset()) | {place}

    # -- statements ------------------------------------------------------------------------------------

    def block(self, statements: Iterable[ast.stmt]) -> None:
        for statement in statements:
            if self.state is None:
                return
            handler = getattr(self, f"_{type(statement).__name__}", None)
            if handler is not None:
                handler(statement)
            else:
                for child in children(statement):
                    self._expression(child)
            if statement in self.behind:
                self.bind(self.behind[statement])

    def _Assign(self, node: ast.Assign) -> None:
        self._expression(node.value)
        for target in node.targets:
            self._target(target)

    def _AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self._use(node.target)
        self._expression(node.value)
        self._target(node.target)

    def _AnnAssign(self, node: ast.AnnAssign) -> None:
        self._expression(node.annotation)
        if node.value is not None:
            self._expression(node.value)
            self._target(node.target)

    def _Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self._target(target)

    def _Import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            self.bind(alias)

    _ImportFrom = _Import

    def _FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for child in [*node.decorator_list, node.args, *([node.returns] if node.returns else [])]:
            self._expression(child)
        self.bind(node)

    _AsyncFunctionDef = _FunctionDef

    def _ClassDef(self, node: ast.ClassDef) -> None:
        for child in [*node.decorator_list, *node.bases, *node.keywords]:
            self._expression(child)
        self.bind(node)

    def _Return(self, node: ast.Return | ast.Raise) -> None:
        for child in ast.iter_child_nodes(node):
            self._expression(child)
        self.state = None

    _Raise = _Return

    def _Break(self, node: ast.Break) -> None:
        if self.state is not None and self._loops:
            self._loops[-1][0].append(self.state)
        self.state = None

    def _Continue(self, node: ast.Continue) -> None:
        if self.state is not None and self._loops:
            self._loops[-1][1].append(self.state)
        self.state = None

    def _If(self, node: ast.If) -> None:
        self._expression(node.test)
        before = self.state
        self.block(node.body)
        after, self.state = self.state, before
        self.block(node.orelse)
        self.state = _join(self.state, after)

    def _For(self, node: ast.For | ast.AsyncFor) -> None:
        self._expression(node.iter)
        self._loop(node, target=node.target, test=None)

    _AsyncFor = _For

    def _While(self, node: ast.While) -> None:
        self._loop(node, target=None, test=node.test)

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, target: ast.expr | None, test: ast.expr | None) -> None:
        head = self.state
        breaks: list[State] = []
        while True:
            continues: list[State] = []
            self._loops.append((breaks, continues))
            self.state = head
            if test is not None:
                self._expression(test)
            done = self.state
            if target is not None:
                self._target(target)
            self.block(node.body)
            self._loops.pop()
            again = _join(head, self.state, *continues)
            if again == head:
                break
            head = again
        self.state = None if test is not None and _is_true(test) else done
        self.block(node.orelse)
        self.state = _join(self.state, *breaks)

    def _With(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            self._expression(item.context_expr)
            if item.optional_vars is not None:
                self._target(item.optional_vars)
        caught = self._guarded(node.body)
        if any(_swallows(item.context_expr) for item in node.items):
            self.state = _join(self.state, caught)

    _AsyncWith = _With

    def _Try(self, node: ast.Try) -> None:
        if not node.finalbody:
            self._handled(node)
            return
        entry = self.state
        counts = [(len(breaks), len(continues)) for breaks, continues in self._loops]
        anything: State = dict(entry or {})
        self._guards.append(anything)
        self._handled(node)
        self._guards.pop()
        normal = self.state
        # Left by an exception, a return, a break or a continue: the last part runs nevertheless.
        self.state = anything
        self.block(node.finalbody)
        if self.state is not None:
            for (breaks, continues), (some, more) in zip(self._loops, counts, strict=True):
                breaks += [self.state] if len(breaks) > some else []
                continues += [self.state] if len(continues) > more else []
        self.state = normal
        self.block(node.finalbody)

    _TryStar = _Try

    def _handled(self, node: ast.Try) -> None:
        caught = self._guarded(node.body)
        self.block(node.orelse)
        ends = [self.state]
        for handler in node.handlers:
            self.state = caught
            if handler.type is not None:
                self._expression(handler.type)
            self.bind(handler)
            self.block(handler.body)
            if handler in self.places and self.state is not None:
                self.state = {name: found for name, found in self.state.items() if name != handler.name}
            ends.append(self.state)
        self.state = _join(*ends)

    def _guarded(self, statements: Iterable[ast.stmt]) -> State:
        """Run statements; the answer is what may hold when one of them raises."""
        guard: State = dict(self.state or {})
        self._guards.append(guard)
        self.block(statements)
        self._guards.pop()
        return guard

    def _Match(self, node: ast.Match) -> None:
        self._expression(node.subject)
        ends: list[State | None] = []
        for case in node.cases:
            before = self.state
            for part in ast.walk(case.pattern):
                self.bind(part)
                if isinstance(part, ast.expr):
                    self._expression(part)
            if case.guard is not None:
                self._expression(case.guard)
            failed = None if case.guard is None and _matches_all(case.pattern) else _join(before, self.state)
            self.block(case.body)
            ends.append(self.state)
            self.state = failed
        self.state = _join(self.state, *ends)

    # -- expressions -----------------------------------------------------------------------------------

    def _target(self, node: ast.expr) -> None:
        if isinstance(node, ast.Name):
            self.bind(node)
        elif isinstance(node, ast.Tuple | ast.List):
            for element in node.elts:
                self._target(element)
        elif isinstance(node, ast.Starred):
            self._target(node.value)
        else:
            self._expression(node)

    def _use(self, node: ast.Name) -> None:
        if node.id in self.names and self.state is not None:
            self.found.setdefault(node, set()).update(self.state.get(node.id, ()))

    def _expression(self, node: ast.AST) -> None:
        """Note the names that an expression uses, in the order of evaluation, and what it binds (``:=``)."""
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                self._use(node)
        elif type(node) in _NOT_CHILD_BY_CHILD:
            self._with_an_order(node)
        else:
            for child in children(node):
                self._expression(child)

    def _with_an_order(self, node: ast.AST) -> None:
        """What is evaluated in an order of its own, or not in all of its parts."""
        if isinstance(node, ast.NamedExpr):
            self._expression(node.value)
            self.bind(node.target)
        elif isinstance(node, ast.Lambda):
            self._expression(node.args)
        elif isinstance(node, ast.GeneratorExp):
            # The rest of it runs when it is asked for its elements.
            self._expression(node.generators[0].iter)
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp):
            self._comprehension(node)
        elif isinstance(node, ast.BoolOp):
            self._expression(node.values[0])
            self._maybe(node.values[1:])
        elif isinstance(node, ast.IfExp):
            self._expression(node.test)
            before = self.state
            self._expression(node.body)
            after, self.state = self.state, before
            self._expression(node.orelse)
            self.state = _join(self.state, after)
        elif isinstance(node, ast.Compare):
            self._expression(node.left)
            self._expression(node.comparators[0])
            self._maybe(node.comparators[1:])
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if key is not None:
                    self._expression(key)
                self._expression(value)

    def _maybe(self, nodes: Iterable[ast.AST]) -> None:
        """Expressions of which each may be the last one to be evaluated."""
        for node in nodes:
            before = self.state
            self._expression(node)
            self.state = _join(before, self.state)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp) -> None:
        first = node.generators[0]
        self._expression(first.iter)
        inner = [*first.ifs, *node.generators[1:]]
        inner += [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        while True:
            before = self.state
            self._maybe(inner)
            if self.state == before:
                return


def _join(*states: State | None) -> State | None:
    reached = [state for state in states if state is not None]
    if not reached:
        return None
    joined = dict(reached[0])
    for state in reached[1:]:
        for name, places in state.items():
            joined[name] = joined.get(name, frozenset()) | places
    return joined


def _is_true(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and bool(test.value)


def _swallows(manager: ast.expr) -> bool:
    function = manager.func if isinstance(manager, ast.Call) else manager
    if isinstance(function, ast.Attribute):
        return function.attr in _SWALLOWING
    return isinstance(function, ast.Name) and function.id in _SWALLOWING


def _matches_all(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchAs) and pattern.pattern is None
