"""XP105: pinned host memory."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.roles import TENSORS
from xlaport.facts.vocabulary import LOADERS
from xlaport.rule import Applicability, Finding, RemoveArgument, RemoveItem, Replace, Rule

_KEYWORDS = ("pin_memory", "pin_memory_device")


class PinnedMemory(Rule):
    """Drop pinned memory, which only a CUDA copy can use.

    ## What it does
    Removes `pin_memory=…` from `DataLoader(…)` and from tensor factories, the item from a dict of loader
    options, and `.pin_memory()` from a tensor.

    ## Why
    Page-locked memory speeds up copies to an NVIDIA GPU. Without one, the loader prints a warning and does
    nothing, and `tensor.pin_memory()` raises.

    ## Example
        loader = DataLoader(data, batch_size=64, pin_memory=True)

    becomes

        loader = DataLoader(data, batch_size=64)

    ## When it is wrong
    Never for the values: pinned memory changes no number.
    """

    code = "XP105"
    name = "pinned-memory"
    summary = "pin_memory goes: it serves CUDA copies only"
    applicability = Applicability.SAFE
    words = ("pin_memory",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each use of pinned memory."""
        for node in context.module.nodes:
            if isinstance(node, ast.Call) and context.editable(node):
                yield from self._call(context, node)
            elif isinstance(node, ast.Dict) and context.editable(node):
                yield from self._options(context, node)

    def _call(self, context: Context, node: ast.Call) -> Iterator[Finding]:
        called = context.resolve(node.func) or ""
        for keyword in node.keywords:
            if (keyword.arg in _KEYWORDS and (called in LOADERS or called.startswith("torch."))) or (
                keyword.arg in _KEYWORDS and called == "builtins.dict" and self._reaches_loader(context, node)
            ):
                yield self.finding(
                    context.span(keyword),
                    f"{keyword.arg} serves copies to a CUDA device only",
                    RemoveArgument(context.span(node), context.span(keyword)),
                )
        func = node.func
        if isinstance(func, ast.Attribute) and func.attr == "pin_memory" and not node.args and not node.keywords:
            if context.roles.role(func.value) in TENSORS:
                yield self.finding(
                    context.span(node),
                    "pin_memory() raises without a CUDA driver, and serves copies to a CUDA device only",
                    Replace(context.tail(node, func.value), ""),
                )

    def _options(self, context: Context, node: ast.Dict) -> Iterator[Finding]:
        for key in node.keys:
            if isinstance(key, ast.Constant) and key.value in _KEYWORDS and self._reaches_loader(context, node):
                yield self.finding(
                    context.span(key),
                    f"{key.value} serves copies to a CUDA device only",
                    RemoveItem(context.span(node), context.span(key)),
                )

    def _reaches_loader(self, context: Context, node: ast.expr) -> bool:
        """Whether the dict may become the options of a loader: the file builds loaders from ``**options``."""
        return any(
            context.resolve(call.func) in LOADERS and any(k.arg is None for k in call.keywords)
            for call in context.module.calls
        )
