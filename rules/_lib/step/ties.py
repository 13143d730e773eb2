"""Where the making of an object ties two of its parameters, so that two of its modules share one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from xlaport.context import Context
from xlaport.facts.program import Facts
from xlaport.facts.roles import dotted
from xlaport.facts.structure import CallSite, Class, Function

from .frames import Frame, argument, path
from .instances import instance_of
from .parts import Parts

_MAX_DEPTH = 8
_PARAMETER = re.compile(r"(in_proj_)?(weight|bias)|(weight|bias)_(ih|hh)_l\d+(_reverse)?")
"""What the layers of PyTorch call their parameters. What has another name is one where it is seen to be made as one."""

_ASKING = frozenset({"builtins.isinstance", "builtins.hasattr", "builtins.getattr", "builtins.len"})
"""Functions that a condition may call and be asked again later."""


@dataclass(frozen=True)
class Test:
    """A condition under which something is tied."""

    node: ast.expr
    is_negated: bool
    frame: Frame


@dataclass(frozen=True)
class Tie:
    """One statement by which two parameters become one, as ways from the object that holds both."""

    frame: Frame
    statement: ast.stmt
    target: str
    source: str
    tests: tuple[Test, ...]
    method: str | None = None
    """A method of the object, without arguments, that does this again and nothing else but tie."""
    is_unclear: bool = False
    """It ties several pairs in a loop, or something is put in the place of one of the two later."""

    @property
    def facts(self) -> Facts:
        """The file that it stands in."""
        return self.frame.function.facts


class Ties:
    """Finds the ties of a class."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.structure = context.flow.structure
        self.parts = Parts(self.structure)
        self._memo: dict[tuple[Class, CallSite | None], list[Tie]] = {}

    def of(self, owner: Class, made: CallSite | None = None) -> list[Tie]:
        """The ties between the parts of an object, in the order in which its making does them."""
        key = owner, made
        if key not in self._memo:
            self._memo[key] = []
            init = self.structure.method(owner, "__init__")
            if init is not None and not self._ties_by_itself(owner):
                frame = Frame(owner, init, "", made, None)
                walk = _Walk(self, owner)
                found = list(walk.run(frame, (), None, False, 0))
                self._memo[key] = [replace(t, is_unclear=t.is_unclear or walk.replaces(t)) for t in found]
        return self._memo[key]

    def _ties_by_itself(self, owner: Class) -> bool:
        """Whether a class does something of its own when it is moved."""
        return any(self.structure.method(owner, name) is not None for name in ("_apply", "to"))

    def only_ties(self, function: Function) -> bool:
        """Whether a method, called without arguments, ties parameters and does nothing else."""
        arguments = function.node.args
        if len([*arguments.posonlyargs, *arguments.args]) - len(arguments.defaults) > 1:
            return False
        if any(d is None for d in arguments.kw_defaults):
            return False
        return self._are_ties(function, function.node.body)

    def _are_ties(self, function: Function, body: list[ast.stmt]) -> bool:
        for statement in body:
            if isinstance(statement, ast.If):
                if not self._is_plain_test(function.facts, statement.test):
                    return False
                if not self._are_ties(function, [*statement.body, *statement.orelse]):
                    return False
            elif isinstance(statement, ast.Expr):
                if not isinstance(statement.value, ast.Constant):
                    return False
            elif not isinstance(statement, ast.Pass) and not looks_like_tie(statement):
                return False
        return True

    def _is_plain_test(self, facts: Facts, node: ast.expr) -> bool:
        return all(facts.names.resolve(n.func) in _ASKING for n in ast.walk(node) if isinstance(n, ast.Call))

    def is_there(self, tie: Tie) -> bool:
        """Whether every object of the class has the parts that a tie speaks of, whatever its conditions."""
        return self._has(tie, tie.target) and self._has(tie, tie.source)

    def _has(self, tie: Tie, way: str) -> bool:
        root = tie.frame
        while root.outer is not None:
            root = root.outer
        first = way.split(".")[1].partition("[")[0]
        body = root.function.node.body
        always = any(
            isinstance(statement, ast.Assign)
            and any(isinstance(t, ast.Attribute) and dotted(t) == f"{root.me}.{first}" for t in statement.targets)
            for statement in body
        )
        owner = way.rpartition(".")[0]
        return always and (self.parts.is_layer(root.owner, owner) or self.parts.is_parameter(root.owner, way))


def looks_like_tie(statement: ast.stmt) -> bool:
    """``a.b.weight = a.c.weight``, by the names alone."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    ends = [dotted(node) for node in (statement.targets[0], statement.value)]
    return all(end is not None and is_parameter_name(end.rpartition(".")[2]) for end in ends) and ends[0] != ends[1]


def is_parameter_name(name: str) -> bool:
    """``weight``, ``bias``, ``in_proj_weight``, ``weight_ih_l0``."""
    return _PARAMETER.fullmatch(name) is not None


class _Walk:
    """One walk through what runs when an object of a class is made."""

    def __init__(self, ties: Ties, root: Class) -> None:
        self.ties = ties
        self.structure = ties.structure
        self.root = root
        self._seen: set[tuple[ast.AST, str]] = set()
        self._order: list[Tie | str] = []
        """The ties, and the ways to what is put in some place, as they run."""

    def replaces(self, tie: Tie) -> bool:
        """Whether one of the two parameters, or what holds it, gives way to something else behind a tie."""
        behind = self._order[self._order.index(tie) + 1 :] if tie in self._order else []
        ways = [way for way in behind if isinstance(way, str)]
        return any(
            end == way or end.startswith((f"{way}.", f"{way}[")) for way in ways for end in (tie.target, tie.source)
        )

    def run(
        self, frame: Frame, tests: tuple[Test, ...], method: str | None, in_loop: bool, depth: int
    ) -> Iterator[Tie]:
        """The ties that a method does."""
        key = frame.function.node, frame.prefix
        if key in self._seen or depth > _MAX_DEPTH:
            return
        self._seen.add(key)
        yield from self._block(frame, frame.function.node.body, tests, method, in_loop, depth)

    def _block(
        self,
        frame: Frame,
        block: list[ast.stmt],
        tests: tuple[Test, ...],
        method: str | None,
        in_loop: bool,
        depth: int,
    ) -> Iterator[Tie]:
        for statement in block:
            if isinstance(statement, ast.If):
                for branch, negated in ((statement.body, False), (statement.orelse, True)):
                    more = (*tests, Test(statement.test, negated, frame))
                    yield from self._block(frame, branch, more, method, in_loop, depth)
            elif isinstance(statement, ast.For | ast.While):
                yield from self._block(frame, statement.body, tests, method, True, depth)
            elif isinstance(statement, ast.With | ast.Try):
                yield from self._block(frame, statement.body, tests, method, in_loop, depth)
            else:
                yield from self._simple(frame, statement, tests, method, in_loop, depth)

    def _simple(
        self,
        frame: Frame,
        statement: ast.stmt,
        tests: tuple[Test, ...],
        method: str | None,
        in_loop: bool,
        depth: int,
    ) -> Iterator[Tie]:
        pair = self._pair(frame, statement)
        if pair is not None:
            tie = Tie(frame, statement, *pair, tests, method, in_loop or "…" in pair[0] + pair[1])
            self._order.append(tie)
            yield tie
            return
        for call in frame.function.facts.module.that_run([statement], ast.Call):
            function = self._method(frame, call)
            if function is not None:
                again = function.node.name if not frame.prefix and self.ties.only_ties(function) else None
                site = CallSite(frame.function.facts, call)
                inner = Frame(frame.owner, function, frame.prefix, site, frame)
                yield from self.run(inner, tests, method or again, in_loop, depth + 1)
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            way = path(frame, target) if isinstance(target, ast.Attribute | ast.Subscript) else None
            if way is not None and way != frame.prefix:
                self._order.append(way)
                yield from self._part(frame, way, statement.value, tests, in_loop, depth)

    def _method(self, frame: Frame, call: ast.Call) -> Function | None:
        """The method of the same object that a call runs."""
        func = call.func
        if not isinstance(func, ast.Attribute):
            return None
        if isinstance(func.value, ast.Name) and func.value.id == frame.me:
            return self.structure.method(frame.owner, func.attr)
        if isinstance(func.value, ast.Call):
            return self.structure.function_named(frame.function.facts, func)  # super().__init__(…)
        return None

    def _part(
        self, frame: Frame, way: str, value: ast.expr, tests: tuple[Test, ...], in_loop: bool, depth: int
    ) -> Iterator[Tie]:
        """The ties in what becomes a part of the object."""
        for suffix, call, around in self.ties.parts.calls_in(frame.function.facts, value):
            yield from self._made(frame, way + suffix, call, tests, in_loop or around, depth)
        if isinstance(value, ast.Name):
            given = argument(frame, value.id)
            if given is None:
                return
            expression, outer = given
            if outer is not None:
                yield from self._part_of(outer, way, expression, tests, in_loop, depth)
            elif frame.call is not None:
                found = instance_of(self.ties.context, frame.call.facts, expression)
                if found is not None and not found.inside and not found.is_moved:
                    for tie in self.ties.of(found.owner, found.made):
                        yield moved_to(tie, way, tests, in_loop)

    def _part_of(
        self, outer: Frame, way: str, value: ast.expr, tests: tuple[Test, ...], in_loop: bool, depth: int
    ) -> Iterator[Tie]:
        if depth <= _MAX_DEPTH and path(outer, value) is None:
            yield from self._part(outer, way, value, tests, in_loop, depth + 1)

    def _made(
        self, frame: Frame, way: str, call: ast.Call, tests: tuple[Test, ...], in_loop: bool, depth: int
    ) -> Iterator[Tie]:
        facts = frame.function.facts
        owner = self.structure.class_named(facts, call.func)
        init = self.structure.method(owner, "__init__") if owner is not None else None
        if owner is not None and init is not None and not self.ties._ties_by_itself(owner):
            inner = Frame(owner, init, way, CallSite(facts, call), frame)
            yield from self.run(inner, tests, None, in_loop, depth + 1)

    # -- what is tied ----------------------------------------------------------------------------------

    def _pair(self, frame: Frame, statement: ast.stmt) -> tuple[str, str] | None:
        """The ways to the parameter that is given up and to the one that takes its place."""
        target, value = assigned(statement)
        if target is None or value is None:
            return None
        ends = path(frame, target), path(frame, value)
        if ends[0] is None or ends[1] is None or ends[0] == ends[1] or "." not in ends[1]:
            return None
        if isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and value.value.id == frame.me:
            owner = frame.function.facts.names.self_class(value.value)
            if owner is not None and self.ties.parts.is_kept_by_class(Class(frame.function.facts, owner), value.attr):
                return None  # see `class_ties`
        return (ends[0], ends[1]) if self._is_parameter(frame, ends[0], ends[1]) else None

    def _is_parameter(self, frame: Frame, target: str, source: str) -> bool:
        parts = self.ties.parts
        if parts.is_parameter(self.root, source):
            return True
        (owner, name), (giver, given) = (way.rpartition(".")[::2] for way in (target, source))
        if not is_parameter_name(given):
            return False
        if parts.is_layer(self.root, giver):
            return True
        # Of modules that are not seen, `weight` is the one attribute of which nobody makes anything else.
        return name == given == "weight" and frame.prefix not in (owner, giver)


def assigned(statement: ast.stmt) -> tuple[ast.expr | None, ast.expr | None]:
    """What a statement stores, and where: ``a.b = c``, ``setattr(a, "b", c)``, ``a._parameters["b"] = c``."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        return (target, statement.value) if isinstance(target, ast.Attribute | ast.Subscript) else (None, None)
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "setattr":
        if len(call.args) == 3 and isinstance(call.args[1], ast.Constant) and isinstance(call.args[1].value, str):
            place = ast.Attribute(call.args[0], call.args[1].value, ast.Store())
            return ast.copy_location(place, call), call.args[2]
    return None, None


def moved_to(tie: Tie, way: str, tests: Iterable[Test], in_loop: bool) -> Tie:
    """A tie of a part, seen from the object around it."""
    return replace(
        tie,
        target=way + tie.target,
        source=way + tie.source,
        tests=(*tests, *tie.tests),
        method=None,
        is_unclear=in_loop or tie.is_unclear,
    )
