"""One file's part of a job of several processes: what stands in it, what becomes of it, or what is not understood."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from xlaport.context import Context
from xlaport.facts.structure import Function
from xlaport.rule import Edit, Import
from xlaport.wording import Text

from ..main_guard import main_guard
from .ways import Way


@dataclass
class Part:
    """What was found in one file. `obstacles`: what is not understood, with its place, as what follows on "line 3"."""

    context: Context
    way: Way
    starts: list[ast.Call] = field(default_factory=list)
    """The calls that join the group of NCCL."""
    other_starts: list[ast.Call] = field(default_factory=list)
    spawns: list[ast.Call] = field(default_factory=list)
    reads_ranks: list[ast.expr] = field(default_factory=list)
    """What reads a variable of torchrun."""
    takes_backend: list[tuple[ast.Call, str]] = field(default_factory=list)
    """The starts that take the backend from a name or attribute."""
    backends: set[str] = field(default_factory=set)
    """The last words of the names that hold the backend's name, which is another one now."""
    obstacles: list[tuple[ast.AST, Text]] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)

    def asks(self, meaning: str, node: ast.AST) -> str:
        """How to write a function of the target at a node; its import is noted."""
        text, imports = self.context.symbol(meaning, node)
        self.imports += imports
        return text


def line(context: Context, node: ast.AST) -> str:
    """The line of a node for a message about any file of the job: all of them read it as it is on disk."""
    return context.line(node) if context.view.is_alone else str(getattr(node, "lineno", 1))


def condition_of(context: Context, node: ast.AST, seen: frozenset[ast.AST] = frozenset()) -> ast.AST | None:
    """The condition under which alone code runs in a process, through the calls that lead to it."""
    top = main_guard(context)
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
            if parent in seen:
                return None
            structure = context.flow.structure
            for site in structure.calls_to(Function(context.view.own, parent)):
                found = condition_of(context.of(site.facts), site.node, seen | {parent})
                if found is not None:
                    return found
            return None
        if parent is not top and isinstance(
            parent, ast.If | ast.IfExp | ast.Try | ast.For | ast.While | ast.Match | ast.Lambda
        ):
            return parent
    return None
