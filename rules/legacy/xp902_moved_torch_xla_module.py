"""XP902: modules of torch_xla that have moved."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from xlaport.context import Context
from xlaport.rule import Applicability, Edit, Finding, Harm, Replace, ReplaceStatement, Rule, Span, Trait

from .._lib.legacy.addresses import all_are_rewritten
from .._lib.legacy.lifetimes import has, module_absence
from .._lib.legacy.references import Reference, references, replaced
from .._lib.legacy.saying import say
from .._lib.legacy.upgrades import Move, move, upgrade


class MovedModule(Rule):
    """Import torch_xla's modules from where they are.

    ## What it does
    Rewrites the imports of `torch_xla.experimental.pjrt`, `pjrt_backend`, `xla_sharding` and `xla_sharded_tensor` to
    the modules that replace them, under the name that the file gives them. Where the new module lacks something that
    the file uses, it says what.

    ## Why
    Most of the old modules are removed in torch_xla 2.5: the import raises.

    ## Example
        import torch_xla.experimental.xla_sharding as xs
        mesh = xs.Mesh(ids, (4, 1), ("x", "y"))

    becomes

        import torch_xla.distributed.spmd as xs
        mesh = xs.Mesh(ids, (4, 1), ("x", "y"))

    ## When it is wrong
    Never for names: they are the same functions. `pjrt_backend` is imported for its effect, the address `pjrt://`,
    which `xla://` replaces (XP907): where this file does not use it, another one may, so the rewrite is unsafe.

    ## When it is left alone
    Modules of other packages, and `--target 2.1`, where the old place is the right one.

    ## Sources
    - Read from the modules of torch_xla 2.1 to 2.9: the table `rules/legacy/lifetimes.txt`.
    - PyTorch/XLA, PJRT runtime: https://docs.pytorch.org/xla/release/r2.7/learn/pjrt.html

    ## Related
    XP901, XP907.
    """

    code = "XP902"
    name = "moved-torch-xla-module"
    summary = "torch_xla.experimental.pjrt, xla_sharding … are imported from their new places"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    traits = (Trait.OLDER_NAMES,)
    words = ("torch_xla",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each import of a module that has moved."""
        statements = [n for n in context.module.nodes if isinstance(n, ast.Import | ast.ImportFrom)]
        if not any(self._moved(context, statement) for statement in statements):
            return
        uses = list(references(context))
        for statement in statements:
            for alias, module, found in self._moved(context, statement):
                yield self._finding(context, statement, alias, module, found, uses)

    def _moved(self, context: Context, statement: ast.Import | ast.ImportFrom) -> list[tuple[ast.alias, str, Move]]:
        """The names of an import that stand for a moved module, or for something in one (once for all of these)."""
        if isinstance(statement, ast.ImportFrom):
            if statement.level or statement.module is None:
                return []
            whole = move(statement.module, context.target)
            if whole is not None:
                return [(statement.names[0], statement.module, whole)]
            names = {alias: f"{statement.module}.{alias.name}" for alias in statement.names}
        else:
            names = {alias: alias.name for alias in statement.names}
        return [(a, name, found) for a, name in names.items() if (found := move(name, context.target)) is not None]

    def _finding(
        self,
        context: Context,
        statement: ast.Import | ast.ImportFrom,
        alias: ast.alias,
        module: str,
        found: Move,
        uses: list[Reference],
    ) -> Finding:
        whole = isinstance(statement, ast.ImportFrom) and statement.module == module
        span = context.span(statement if whole else alias)
        wanted = self._wanted(context, statement if whole else None, module, uses)
        place = next((p for p in found.places if not self._lacking(context, p, wanted)), None)
        is_missing = module_absence(module, context.target) is not None
        state = say.phrase("raises", target=context.target.name) if is_missing else say.phrase("old")
        if place is None:
            place = found.places[0]
            names = ", ".join(f"`{name}`" for name in sorted(self._lacking(context, place, wanted)))
            return self.finding(span, say("XP902.lacks", module=module, state=state, place=place, names=names))
        text = say("XP902.module", module=module, state=state, place=place)
        edits = self._edits(context, statement, alias, module, place, uses)
        if edits is None:
            return self.finding(span, replace(text, recipe=say.phrase("write", new=place)))
        applicability = self.applicability
        if module.endswith(".pjrt_backend") and not wanted and not all_are_rewritten(context):
            # An import for its effect: another file may count on the address that the old module registers.
            applicability = Applicability.UNSAFE
            text = say("XP902.effect", module=module, state=state, place=place)
        return self.finding(span, text, *edits, applicability=applicability)

    def _wanted(
        self, context: Context, statement: ast.ImportFrom | ast.Import | None, module: str, uses: list[Reference]
    ) -> set[str]:
        """What the file uses of a module, without what is written in another way anyhow (XP901)."""
        names = {u.name for u in uses if u.name.startswith(f"{module}.") and "." not in u.name[len(module) + 1 :]}
        names |= {f"{module}.{alias.name}" for alias in (statement.names if statement is not None else ())}
        return {n.rpartition(".")[2] for n in names if upgrade(n, context.target) is None or self._is_used(n, uses)}

    def _is_used(self, name: str, uses: list[Reference]) -> bool:
        return any(use.name == name for use in uses)

    def _lacking(self, context: Context, place: str, wanted: set[str]) -> set[str]:
        return {name for name in wanted if name != "*" and not has(place, name, context.target)}

    def _edits(
        self,
        context: Context,
        statement: ast.Import | ast.ImportFrom,
        alias: ast.alias,
        module: str,
        place: str,
        uses: list[Reference],
    ) -> list[Edit] | None:
        if isinstance(statement, ast.Import):
            if alias.asname:
                return [Replace(context.span(alias), f"{place} as {alias.asname}")]
            return self._dotted(context, alias, module, place, uses)
        if statement.module == module:
            head = context.span(statement)
            match = re.match(rf"from\s+({re.escape(module)})\b", context.module.segment(statement))
            return [Replace(Span(head.start + match.start(1), head.start + match.end(1)), place)] if match else None
        parent, _, last = place.rpartition(".")
        bound = alias.asname or alias.name
        line = f"from {parent} import {last}" + (f" as {bound}" if bound != last else "")
        others = [a for a in statement.names if a is not alias]
        if others:
            kept = ", ".join(a.name + (f" as {a.asname}" if a.asname else "") for a in others)
            line = f"from {statement.module} import {kept}\n{line}"
        return [ReplaceStatement(context.span(statement), line)]

    def _dotted(
        self, context: Context, alias: ast.alias, module: str, place: str, uses: list[Reference]
    ) -> list[Edit] | None:
        """``import package.module`` and all uses of the long name."""
        edits: list[Edit] = [Replace(context.span(alias), place)]
        for use in uses:
            if use.name != module or not isinstance(use.node, ast.Attribute):
                continue
            if ast.unparse(use.node) != module:
                continue
            edit = replaced(context, use.node, place)
            if edit is None:
                return None
            edits.append(edit)
        return edits
