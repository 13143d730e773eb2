"""XP903: names that the chosen torch_xla does not have."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from xlaport.context import Context
from xlaport.imports import exported
from xlaport.rule import Applicability, Edit, Finding, Harm, RemoveStatement, Replace, Rule, Span, Trait

from .._lib.legacy.lifetimes import absence, module_absence
from .._lib.legacy.references import Reference, references
from .._lib.legacy.saying import say
from .._lib.legacy.upgrades import advised, move, spoken_of, upgrade


class MissingName(Rule):
    """Report names that the chosen version of torch_xla does not have.

    ## What it does
    Looks up every name of torch_xla that the file uses, and every module that it imports, in a table of what
    the versions 2.1 to 2.9 have. What the chosen version (`--target`) lacks, because it is removed or newer,
    is reported with what to do, if no other rule rewrites it.

    ## Why
    The program ends with an ImportError or an AttributeError, often only after hours, when the name is used.

    ## Example
        import torch_xla.core.xla_model as xm
        kind, number = xm.parse_xla_device("xla:0")

    is reported: `xm.parse_xla_device` went with torch_xla 2.7. PyTorch says the same:

        device = torch.device("xla:0")
        kind, number = device.type, device.index

    ## When it is wrong
    Where the code is for another version, on purpose, and asks for the version before.

    ## When it is left alone
    Names that the chosen version has.

    ## Sources
    - Read from the modules of torch_xla 2.1 to 2.9: the table `rules/legacy/lifetimes.txt`.

    ## Related
    XP901, XP902, XP909.
    """

    code = "XP903"
    name = "missing-torch-xla-name"
    summary = "names that the chosen version of torch_xla does not have"
    applicability = Applicability.MANUAL
    harm = Harm.STOPS
    traits = (Trait.OLDER_NAMES,)
    words = ("torch_xla", "xm.", "xr.")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each use, and each import, of what is not there."""
        gone: list[str] = []
        for node in context.module.nodes:
            if isinstance(node, ast.Import):
                yield from self._import(context, node, gone)
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                yield from self._import_from(context, node, node.module, gone)
        for reference in references(context):
            yield from self._use(context, reference, gone)
        yield from self._asked_for_by_text(context)

    def _import(self, context: Context, node: ast.Import, gone: list[str]) -> Iterator[Finding]:
        for alias in node.names:
            missing = module_absence(alias.name, context.target)
            if missing is not None and move(alias.name, context.target) is None:
                gone.append(alias.name)
                yield self.finding(context.span(alias), advised(missing, alias.name, context.target))

    def _import_from(self, context: Context, node: ast.ImportFrom, module: str, gone: list[str]) -> Iterator[Finding]:
        missing = module_absence(module, context.target)
        if missing is not None:
            if move(module, context.target) is None:
                gone.append(module)
                yield self.finding(context.span(node), advised(missing, module, context.target))
            return
        if any(alias.name == "*" for alias in node.names):
            if module.split(".")[0] == "torch_xla":
                yield self.finding(context.span(node), say("XP903.star", module=module))
            return
        idle = [alias for alias in node.names if self._is_idle(context, node, alias, f"{module}.{alias.name}")]
        if idle:
            yield self._idle(context, node, idle)

    def _is_idle(self, context: Context, node: ast.ImportFrom, alias: ast.alias, name: str) -> bool:
        is_missing = absence(name, context.target) is not None and move(name, context.target) is None
        return is_missing and not self._is_used(context, node, alias)

    def _idle(self, context: Context, node: ast.ImportFrom, idle: Collection[ast.alias]) -> Finding:
        """Names that are imported for nothing, perhaps since their uses have been rewritten: the import would fail."""
        names = ", ".join(f"`{alias.name}`" for alias in idle)
        target = context.target.name
        if any(alias.name in exported(context.module) for alias in idle):
            return self.finding(context.span(node), say("XP903.exported", names=names, target=target))
        if self._is_passed_on(context, idle):
            return self.finding(context.span(node), say("XP903.shared", names=names, target=target))
        text, edits = say("XP903.idle", names=names, target=target), self._without(context, node, idle)
        return self.finding(context.span(node), text, *edits, applicability=Applicability.SAFE)

    def _is_passed_on(self, context: Context, idle: Collection[ast.alias]) -> bool:
        view = context.view
        names = {alias.asname or alias.name for alias in idle}
        return not view.is_alone and bool(view.program.used_elsewhere(view.own.file, names))

    def _without(self, context: Context, node: ast.ImportFrom, idle: Collection[ast.alias]) -> list[Edit]:
        if len(idle) == len(node.names):
            return [RemoveStatement(context.span(node))]
        spans = [context.span(alias) for alias in node.names]
        first_kept = next(index for index, alias in enumerate(node.names) if alias not in idle)
        edits: list[Edit] = [Replace(Span(spans[0].start, spans[first_kept].start), "")] if first_kept else []
        for index, alias in enumerate(node.names):
            if index > first_kept and alias in idle:
                edits.append(Replace(Span(spans[index - 1].end, spans[index].end), ""))
        return edits

    def _use(self, context: Context, reference: Reference, gone: list[str]) -> Iterator[Finding]:
        name = reference.name
        missing = absence(name, context.target)
        if missing is None or upgrade(name, context.target) is not None or spoken_of(name):
            return
        if self._is_part_of_missing(context, name) or any(f"{name}.".startswith(f"{module}.") for module in gone):
            return
        yield self.finding(context.place(reference.node), advised(missing, name, context.target))

    def _is_part_of_missing(self, context: Context, name: str) -> bool:
        """Whether what is missing is already the part before the last dot, which has a finding of its own."""
        before = name.rpartition(".")[0]
        if move(name, context.target) is not None or move(before, context.target) is not None:
            return True  # XP902 speaks of these.
        return before.count(".") > 0 and absence(before, context.target) is not None

    def _asked_for_by_text(self, context: Context) -> Iterator[Finding]:
        """``getattr(xm, "get_ordinal")``"""
        for call in context.module.calls:
            if len(call.args) < 2 or context.resolve(call.func) != "builtins.getattr":
                continue
            owner, attribute = context.resolve(call.args[0]), call.args[1]
            if owner is None or not isinstance(attribute, ast.Constant) or not isinstance(attribute.value, str):
                continue
            name = f"{owner}.{attribute.value}"
            missing = absence(name, context.target)
            if missing is not None:
                yield self.finding(context.place(call), advised(missing, name, context.target))

    def _is_used(self, context: Context, node: ast.ImportFrom, alias: ast.alias) -> bool:
        bound = alias.asname or alias.name
        return bool(context.names.uses(context.names.scope(node).home(bound), bound))
