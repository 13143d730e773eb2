"""XP804: packages made for CUDA."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule
from xlaport.wording import Text

from .._lib.catalogue import Disposition, Entry, Kind, catalogue
from .._lib.rendering import Unfit, on_one_line, render
from .._lib.runtime.importers import IMPORTERS
from .._lib.runtime.saying import say
from .._lib.uses import Use, uses


class CudaPackages(Rule):
    """Report packages that need an NVIDIA GPU.

    ## What it does
    Reports each import of a package that holds CUDA kernels or drives NVIDIA's tools (apex, flash_attn, xformers,
    bitsandbytes, triton, deepspeed …), with what to use instead; and each use of what takes CUDA by default in a
    package that runs on a TPU (timm's `Mixup`, `NativeScaler` and `create_loader`). A few names have an exact
    counterpart in PyTorch (`apex.normalization.FusedLayerNorm`): with `--unsafe` they become that.

    ## Why
    Most of them cannot be imported on a machine without CUDA; the others raise when they are called.

    ## Example
        from apex.normalization import FusedLayerNorm
        norm = FusedLayerNorm(64)

    becomes, with `--unsafe`,

        norm = nn.LayerNorm(64)

    ## When it is wrong
    Where the import is in a `try` that handles its absence: then the fallback runs on a TPU, which may be all you need.

    ## When it is left alone
    Imports that never run (`if TYPE_CHECKING:`), a question whether a package is there, other packages with a part of
    that name, calls whose arguments have no counterpart, and calls that are told not to take CUDA
    (`create_loader(…, use_prefetcher=False)`).

    ## Sources
    - The table `rules/cuda_api.toml`, by what each package says that it requires.
    - Measured on PyTorch 2.9 without an NVIDIA GPU, for each name of `rules/cuda_api.toml`.

    ## Related
    XP817, XP802, XP807.
    """

    code = "XP804"
    name = "cuda-package"
    summary = "packages that need an NVIDIA GPU"
    applicability = Applicability.UNSAFE
    harm = Harm.STOPS
    words = ("import",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each import, and for each use of a name that has a counterpart."""
        replaced: set[str] = set()
        for use in uses(context):
            if use.is_torch or use.entry.rule or not use.concerns_us or use.answer.disposition is Disposition.KEEP:
                continue
            finding = self._replaced(context, use)
            if finding is not None:
                replaced.add(use.entry.name)
                yield finding
            elif use.entry.kind is not Kind.PACKAGE:
                yield self.finding(context.place(use.whole), _advice(use.shown, use.entry))
        for node in context.module.of_type(ast.Import, ast.ImportFrom, ast.Call):
            if isinstance(node, ast.Call):
                yield from self._imported_by_name(context, node)
            elif not self._is_for_types(context, node):
                yield from self._imports(context, node, replaced)

    def _replaced(self, context: Context, use: Use) -> Finding | None:
        if use.answer.target is None or use.call is None or not context.editable(use.node):
            return None
        try:
            text, imports = render(context, use.answer.target, use.entry.parameters, use.whole)
        except Unfit:
            return None
        return self.finding(
            context.span(use.whole),
            say("XP804.replaced", what=use.shown, why=use.answer.why, text=on_one_line(text)),
            Replace(context.span(use.whole), text),
            imports=imports,
            applicability=use.answer.applicability,
        )

    def _imports(self, context: Context, node: ast.Import | ast.ImportFrom, replaced: set[str]) -> Iterator[Finding]:
        if isinstance(node, ast.ImportFrom) and node.level:
            return
        reported: set[str] = set()
        for alias in node.names:
            name = f"{node.module}.{alias.name}" if isinstance(node, ast.ImportFrom) else alias.name
            entry = catalogue(context.target.table).package(name)
            if entry is None or entry.name in reported or entry.name in replaced:
                continue
            if entry.answer.target is not None and not self._is_used(context, alias):
                continue  # a name that was replaced: the import is removed, too
            reported.add(entry.name)
            yield self.finding(context.span(node), _advice(entry.name, entry, self._is_tried(context, node)))

    def _is_used(self, context: Context, alias: ast.alias) -> bool:
        bound = (alias.asname or alias.name).partition(".")[0]
        return bool(context.names.uses(context.names.scope(alias), bound))

    def _imported_by_name(self, context: Context, node: ast.Call) -> Iterator[Finding]:
        """``importlib.import_module("flash_attn")``"""
        name = node.args[0] if node.args and context.resolve(node.func) in IMPORTERS else None
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            entry = catalogue(context.target.table).package(name.value)
            if entry is not None:
                yield self.finding(context.place(node), _advice(entry.name, entry))

    def _is_for_types(self, context: Context, node: ast.stmt) -> bool:
        """Whether only a type checker sees an import."""
        return any(
            isinstance(parent, ast.If) and context.resolve(parent.test) == "typing.TYPE_CHECKING"
            for parent in context.module.ancestors(node)
        )

    def _is_tried(self, context: Context, node: ast.stmt) -> bool:
        child: ast.AST = node
        for parent in context.module.ancestors(node):
            if isinstance(parent, ast.Try) and child in parent.body and parent.handlers:
                return True
            child = parent
        return False


def _advice(name: str, entry: Entry, is_tried: bool = False) -> Text:
    said = "XP804.tried" if is_tried else "XP804.used"
    return say(said, what=name, why=entry.answer.why, recipe=entry.answer.recipe)
