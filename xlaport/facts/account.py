"""What is known of a file, for people: the roles of its names and its step loops, each with what shows it."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.facts.loops import Loops, StepLoop
from xlaport.facts.module import FunctionNode
from xlaport.facts.names import How, Scope
from xlaport.facts.roles import Role, dotted
from xlaport.facts.step_reads import Side
from xlaport.facts.steps import Steps

_PLAIN = frozenset({Role.NUMBER, Role.TEXT, Role.OTHER})
"""Roles that say no more than that a name is none of the others."""


@dataclass(frozen=True)
class KnownRole:
    """A name or attribute, with its role. `where` is the function or class around it; lines count from 1."""

    line: int
    name: str
    where: str
    role: str
    because: str
    evidence: int
    """The line of the evidence."""


@dataclass(frozen=True)
class KnownLoop:
    """A step loop."""

    line: int
    kind: str
    because: str
    evidence: int
    barriers: tuple[int, ...]
    """Lines of the barriers that it has."""
    cuts: tuple[int, ...]
    """Lines of the statements beside which a barrier belongs, where it has none."""
    elsewhere: bool
    """Whether one belongs into a function of another file."""


@dataclass(frozen=True)
class Account:
    """All of that for one file."""

    roles: tuple[KnownRole, ...]
    loops: tuple[KnownLoop, ...]


def account(steps: Steps) -> Account:
    """What is known of a file."""
    loops = steps.loops
    found = [_loop(steps, node) for node in loops.all()]
    return Account(tuple(_roles(loops)), tuple(found))


def _loop(steps: Steps, loop: StepLoop) -> KnownLoop:
    cuts = [] if loop.barriers or loop.cut_by_loader else steps.cuts(loop)
    return KnownLoop(
        loop.node.lineno,
        loop.kind.value,
        loop.because,
        getattr(loop.evidence, "lineno", loop.node.lineno),
        tuple(call.lineno for call in loop.barriers),
        tuple(cut.statement.lineno for cut in cuts if cut.side is not Side.ELSEWHERE),
        any(cut.side is Side.ELSEWHERE for cut in cuts),
    )


def _roles(loops: Loops) -> list[KnownRole]:
    names, roles, module = loops.facts.names, loops.roles, loops.module
    seen: set[tuple[Scope | ast.ClassDef | None, str]] = set()
    found: list[KnownRole] = []
    for node in module.nodes:
        if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load):
            continue
        path = dotted(node)
        if path is None:
            continue
        line = node.lineno
        owner: Scope | ast.ClassDef | None = None
        if isinstance(node, ast.Name):
            bindings = names.bindings(node)
            of_interest = bindings and names.self_class(node) is None
            if not of_interest or any(b.how in (How.IMPORT, How.FUNCTION, How.CLASS) for b in bindings):
                continue
            owner, line = names.home(node), min(getattr(b.node, "lineno", line) for b in bindings)
        elif isinstance(node.value, ast.Name):
            owner = names.self_class(node.value)
        if owner is None or (owner, path) in seen:
            continue
        seen.add((owner, path))
        fact = roles.of(node)
        if fact is not None and fact.role not in _PLAIN:
            found.append(KnownRole(line, path, _where(loops, node), fact.role.value, fact.because, fact.line))
    return sorted(found, key=lambda known: (known.line, known.name))


def _where(loops: Loops, node: ast.AST) -> str:
    around = [p for p in loops.module.ancestors(node) if isinstance(p, FunctionNode | ast.ClassDef)]
    return ".".join(parent.name for parent in reversed(around))
