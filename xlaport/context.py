"""What a rule is given for one file: its facts, the target's spellings, and names to write."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Collection
from functools import cached_property

from xlaport.facts.changing import Changing, changing_of
from xlaport.facts.flow import Flow
from xlaport.facts.loops import Loops, RuntimeNames, loops_of
from xlaport.facts.module import Module
from xlaport.facts.names import How, Names
from xlaport.facts.program import Facts, Program, View
from xlaport.facts.reads import HostReads, reads_of
from xlaport.facts.roles import Role, Roles, roles_of
from xlaport.facts.single import Singles
from xlaport.facts.step_code import StepCode, step_code_of
from xlaport.facts.steps import Steps
from xlaport.facts.tensors import Tensors
from xlaport.finding import Finding, Import, Span, line_reference, replaced_by
from xlaport.target import Symbol, Target, Unavailable


def known_roles(target: Target) -> dict[str, Role]:
    """The roles of what the target's own functions return."""
    return dict.fromkeys(target.devices, Role.DEVICE) | dict.fromkeys(target.loaders, Role.DEVICE_LOADER)


_OTHERS = 8
"""Contexts of other files that are kept at a time."""


class Context:
    """The facts of one file. They are computed when a rule first asks for them."""

    def __init__(self, module: Module, target: Target, codes: Collection[str] = (), view: View | None = None) -> None:
        """`view` shows the project that the file belongs to; without it, the file is alone."""
        self.module = module
        self.target = target
        self.codes = frozenset(codes)
        """The codes of the rules that look at the file."""
        self.view = view or Program(further=known_roles(target)).seen_from(None, module)
        self._others: dict[Facts, Context] = {}
        self.found: list[Finding] = []
        """What the rules before a residual one found."""
        self.allows: Callable[[Finding], bool] = lambda finding: True
        """Whether the fix of a finding may be made in this conversion."""

    @cached_property
    def names(self) -> Names:
        """Scopes, bindings and qualified names."""
        return self.view.own.names

    @cached_property
    def roles(self) -> Roles:
        """What values stand for."""
        return roles_of(self.view.own)

    @cached_property
    def reads(self) -> HostReads:
        """Host reads."""
        return reads_of(self.view.own)

    @cached_property
    def loops(self) -> Loops:
        """Step loops."""
        runtime = RuntimeNames(self.target.barriers, self.target.stepping)
        return loops_of(self.view.own, runtime)

    @cached_property
    def steps(self) -> Steps:
        """Where the barrier of a step loop belongs."""
        return Steps(self.loops)

    @cached_property
    def step_code(self) -> StepCode:
        """What runs in each step."""
        return step_code_of(self.view.own, self.loops.runtime)

    @cached_property
    def changing(self) -> Changing:
        """Numbers that change from step to step."""
        return changing_of(self.view.own, self.loops.runtime)

    @cached_property
    def flow(self) -> Flow:
        """Where values go."""
        return Flow(self.view)

    @cached_property
    def tensors(self) -> Tensors:
        """What tensors hold."""
        return Tensors(self.flow.structure)

    @cached_property
    def singles(self) -> Singles:
        """What is one tensor, and no list of them."""
        return Singles(self.flow.structure)

    def of(self, facts: Facts) -> Context:
        """The context of a file of the project, as it is on disk where it is another than this one."""
        if facts is self.view.own:
            return self
        if facts not in self._others:
            if len(self._others) > _OTHERS:
                self._others.clear()
            view = facts.program.seen_from(facts.file, facts.module)
            view.own = facts
            self._others[facts] = Context(facts.module, self.target, self.codes, view)
        return self._others[facts]

    def resolve(self, node: ast.AST | None) -> str | None:
        """The qualified name of an expression."""
        return self.names.resolve(node)

    def called(self, call: ast.Call) -> str | None:
        """The qualified name of what of a library's a call always runs, though it stand there by no name of it."""
        return self.stands_for(call.func)

    def stands_for(self, node: ast.expr) -> str | None:
        """The qualified name of what of a library's an expression always is, by whatever name."""
        return self.names.resolve(node) or self.roles.library_name(node)

    def looked_up(self, node: ast.expr) -> str | None:
        """The same, also of what it looks up by a text, or by an option that nobody gives: no edit may rest on it."""
        return self.stands_for(node) or self.roles.looked_up(node)

    def may_be(self, node: ast.expr) -> tuple[str, ...]:
        """The qualified names of what of libraries an expression may be that may be one of several things."""
        return self.roles.may_be(node) if self.looked_up(node) is None else ()

    def span(self, node: ast.AST) -> Span:
        """The text range of a node."""
        return self.module.span(node)

    def line(self, node: ast.AST) -> str:
        """The line of a node for a message; the engine writes the line that it had before the conversion."""
        return line_reference(self.module.line_start(getattr(node, "lineno", 1)))

    def line_of(self, facts: Facts, node: ast.AST) -> str:
        """The line of a node of any file of the project, for a message: ``12``, ``12 of model.py``."""
        if facts is self.view.own:
            return self.line(node)
        return f"{getattr(node, 'lineno', 1)} of {os.path.basename(facts.file)}"

    def tail(self, node: ast.expr, after: ast.expr) -> Span:
        """The part of `node` behind its leading part `after`: ``.cuda()`` of ``x.cuda()``."""
        return Span(self.module.span(after).end, self.module.span(node).end)

    def editable(self, node: ast.AST) -> bool:
        """Whether a node can be written otherwise: its place is known, and no ``f"{x=}"`` prints its text."""
        return self.module.is_placed(node) and not self.module.is_shown(node)

    def place(self, node: ast.AST) -> Span:
        """The range of a node for a finding: that of its statement, where the position of the node is not exact."""
        return self.span(node if self.module.is_placed(node) else self.module.statement(node))

    def is_spoken_of(self, node: ast.expr) -> bool:
        """Whether another rule found something at this node: in its statement, or by an edit that takes it out."""
        statement = self.module.statement(node)
        around = self.module.header(statement)
        span = self.span(node) if self.module.is_placed(node) else around
        return any(
            (finding.span.overlaps(span) and around.contains(finding.span))
            or any((gone := replaced_by(edit)) is not None and gone.contains(span) for edit in finding.edits)
            for finding in self.found
        )

    # -- names to write --------------------------------------------------------------------------------

    def symbol(self, meaning: str, node: ast.AST) -> tuple[str, tuple[Import, ...]]:
        """How to write a function of the target at a node, and the imports that this needs."""
        return self.spell(self.target.symbol(meaning), node)

    def spell(self, symbol: Symbol, node: ast.AST) -> tuple[str, tuple[Import, ...]]:
        """The text for a symbol where `node` stands: through the file's own import, or through a new one.

        For what the target's version does not have, the import is `Unavailable`: edits that ask for it are not made.
        """
        if isinstance(symbol.imports, Unavailable):
            return f"{symbol.imports.name}.{symbol.attribute}", (symbol.imports,)
        parts = symbol.attribute.split(".")
        for count in reversed(range(len(parts))):  # `nn.functional.relu` of torch is `F.relu` in many files
            present = self._imported_as(".".join([symbol.imports.module, *parts[:count]]), node)
            if present is not None:
                return ".".join([present, *parts[count:]]), ()
        name = self.free_name(symbol.imports)
        return f"{name}.{symbol.attribute}", (Import(symbol.imports.module, name),)

    def _imported_as(self, module: str, node: ast.AST) -> str | None:
        """The name by which the file's top level imports a module already, if it can be used at `node`."""
        for name, bindings in self.names.root.bindings.items():
            # `import torch.nn` binds `torch`, too.
            if any(binding.how is not How.IMPORT or binding.qualified != module for binding in bindings):
                continue
            statement = self.module.statement(bindings[0].node)
            if statement not in self.module.tree.body:
                continue
            seen = self.names.visible(name, node)
            if seen and all(binding in bindings for binding in seen) and self._runs_before(statement, node):
                return name
        return None

    def _runs_before(self, statement: ast.stmt, node: ast.AST) -> bool:
        return self.module.function(node) is not None or statement.lineno <= getattr(node, "lineno", 1)

    def free_name(self, wanted: Import) -> str:
        """The name for a new import: the usual one, or another where that means something else in this file."""
        for name in (wanted.name, wanted.module.rpartition(".")[2], f"{wanted.name}_"):
            if self._is_free(name, wanted.module):
                return name
        return f"xla_{wanted.name}"

    def _is_free(self, name: str, module: str) -> bool:
        """Whether a name means nothing in this file, in any scope, or nothing but that module."""
        return self._meanings.get(name, set()) <= {module}

    @cached_property
    def _meanings(self) -> dict[str, set[str | None]]:
        """What each bound name is bound to: the qualified names of imports, None for anything else."""
        found: dict[str, set[str | None]] = {}
        for node in self.module.nodes:
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                found.setdefault(node.id, set()).add(None)
            elif isinstance(node, ast.arg):
                found.setdefault(node.arg, set()).add(None)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.setdefault(node.name, set()).add(None)
            elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
                found.setdefault(node.name, set()).add(None)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                base = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
                for alias in node.names:
                    bound = alias.asname or (alias.name if base else alias.name.partition(".")[0])
                    meaning = base + alias.name if alias.asname or base else bound
                    found.setdefault(bound, set()).add(meaning)
        return found
