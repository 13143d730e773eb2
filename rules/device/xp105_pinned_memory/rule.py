"""XP105: pinned host memory."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.roles import TENSORS
from xlaport.facts.vocabulary import LOADERS
from xlaport.rule import Applicability, Finding, Harm, RemoveArgument, RemoveItem, RemoveStatement, Replace, Rule, Trait

from ..._lib.device.saying import say
from ..._lib.removal import removal
from .loader_options import LoaderOptions

_KEYWORDS = ("pin_memory", "pin_memory_device")
_POSITION = 7
"""``DataLoader(dataset, batch_size, shuffle, sampler, batch_sampler, num_workers, collate_fn, pin_memory)``."""


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

    ## When it is left alone
    `pin_memory=False`; `pin_memory` in dicts and functions that are not seen to reach a loader; an option that is
    asked for elsewhere; a method of the user's own class.

    ## Sources
    - Measured on PyTorch 2.9 without an NVIDIA GPU, for each name of `rules/cuda_api.toml`.
    - PyTorch, torch.utils.data: https://docs.pytorch.org/docs/stable/data.html

    ## Related
    XP202, XP801.
    """

    code = "XP105"
    name = "pinned-memory"
    summary = "pin_memory goes: it serves CUDA copies only"
    applicability = Applicability.SAFE
    harm = Harm.LEFTOVER
    traits = (Trait.UNPINNED,)
    words = ("pin_memory", "DataLoader")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each use of pinned memory."""
        options = self._loader_options(context)
        for node in context.module.nodes:
            if isinstance(node, ast.Call) and context.editable(node):
                yield from self._call(context, node, options)
                yield from self._method(context, node)
                if options is not None:
                    yield from self._default(context, node, options)
            elif isinstance(node, ast.Dict) and context.editable(node):
                if options is not None and options.holds(node):
                    yield from self._options(context, node)
            elif isinstance(node, ast.Assign) and options is not None:
                yield from self._item(context, node, options)

    def _call(self, context: Context, node: ast.Call, options: LoaderOptions | None) -> Iterator[Finding]:
        called = context.resolve(node.func) or ""
        is_loader = self._is_loader(context, node)
        is_options = called == "builtins.dict" and options is not None and options.holds(node)
        is_update = options is not None and _is_update(context, node) and options.holds(_owner(node))
        if is_update and not node.args and {k.arg for k in node.keywords} <= set(_KEYWORDS):
            statement = context.module.statement(node)
            said = say("XP105.option", name=node.keywords[0].arg)
            yield self.finding(context.span(node), said, removal(context, statement))
            return
        is_options = is_options or is_update
        for keyword in node.keywords:
            if (
                keyword.arg in _KEYWORDS
                and not _is_off(keyword.value)
                and (is_loader or is_options or called.startswith("torch."))
            ):
                yield self.finding(
                    context.span(keyword),
                    say("XP105.option", name=keyword.arg),
                    RemoveArgument(context.span(node), context.span(keyword)),
                )
        is_call = is_loader and context.resolve(node.func) != "functools.partial"
        if is_call and len(node.args) > _POSITION and not any(isinstance(a, ast.Starred) for a in node.args):
            argument = node.args[_POSITION]
            if not _is_off(argument):
                said = say("XP105.option", name="pin_memory")
                yield self.finding(context.span(argument), said, Replace(context.span(argument), "False"))

    def _is_loader(self, context: Context, node: ast.Call) -> bool:
        """``DataLoader(…)``, or the same of a subclass of this file that takes what a DataLoader takes."""
        called = context.resolve(node.func)
        if called in LOADERS:
            return True
        if called == "functools.partial" and node.args:
            return context.resolve(node.args[0]) in LOADERS
        owner = context.names.class_named(node.func)
        if owner is not None:
            return self._is_loader_class(context, owner) and context.names.method(owner, "__init__") is None
        func = node.func
        if isinstance(func, ast.Attribute) and func.attr == "__init__" and isinstance(func.value, ast.Call):
            outer = context.module.class_of(node)
            is_super = context.resolve(func.value.func) == "builtins.super"
            return is_super and outer is not None and self._is_loader_class(context, outer)
        return False

    def _is_loader_class(self, context: Context, node: ast.ClassDef) -> bool:
        return any(context.resolve(base) in LOADERS for base in node.bases)

    def _method(self, context: Context, node: ast.Call) -> Iterator[Finding]:
        func = node.func
        if not isinstance(func, ast.Attribute) or func.attr != "pin_memory" or len(node.args) + len(node.keywords) > 1:
            return
        role = context.roles.role(func.value)
        if role not in TENSORS and (role is not None or self._has_own_method(context)):
            return
        statement = context.module.parents[node]
        if isinstance(statement, ast.Expr):
            edit: RemoveStatement | Replace = RemoveStatement(context.span(statement))
        else:
            edit = Replace(context.tail(node, func.value), "")
        yield self.finding(context.span(node), say("XP105.method"), edit)

    def _has_own_method(self, context: Context) -> bool:
        return any(
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == "pin_memory"
            for node in context.module.nodes
        )

    # -- options ---------------------------------------------------------------------------------------

    def _options(self, context: Context, node: ast.Dict) -> Iterator[Finding]:
        update = context.module.parents[node]
        keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
        if isinstance(update, ast.Call) and _is_update(context, update) and keys and set(keys) <= set(_KEYWORDS):
            statement = context.module.statement(update)
            yield self.finding(context.span(update), say("XP105.option", name=keys[0]), removal(context, statement))
            return
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and key.value in _KEYWORDS and not _is_off(value):
                yield self.finding(
                    context.span(key),
                    say("XP105.option", name=key.value),
                    RemoveItem(context.span(node), context.span(key)),
                )

    def _item(self, context: Context, node: ast.Assign, options: LoaderOptions) -> Iterator[Finding]:
        """``options["pin_memory"] = True``"""
        target = node.targets[0]
        if len(node.targets) != 1 or not isinstance(target, ast.Subscript):
            return
        key = target.slice
        if isinstance(key, ast.Constant) and key.value in _KEYWORDS and options.holds(target.value):
            if not any(isinstance(n, ast.Call | ast.NamedExpr) for n in ast.walk(node.value)):
                said = say("XP105.option", name=key.value)
                yield self.finding(context.span(node), said, RemoveStatement(context.span(node)))

    def _is_default(self, context: Context, node: ast.AST) -> bool:
        """``options.setdefault("pin_memory", True)``, a statement by itself."""
        if not isinstance(node, ast.Call) or not isinstance(context.module.parents[node], ast.Expr):
            return False
        return isinstance(node.func, ast.Attribute) and node.func.attr == "setdefault"

    def _default(self, context: Context, node: ast.Call, options: LoaderOptions) -> Iterator[Finding]:
        if not self._is_default(context, node) or not isinstance(node.func, ast.Attribute) or len(node.args) != 2:
            return
        key, value = node.args
        if isinstance(key, ast.Constant) and key.value in _KEYWORDS and options.holds(node.func.value):
            if not any(isinstance(n, ast.Call | ast.NamedExpr) for n in ast.walk(value)):
                statement = context.module.statement(node)
                said = say("XP105.option", name=key.value)
                yield self.finding(context.span(node), said, RemoveStatement(context.span(statement)))

    def _loader_options(self, context: Context) -> LoaderOptions | None:
        """The dicts that loaders are built from; None where the file asks one for the item by name."""
        for node in context.module.nodes:
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
                key: ast.AST = node.slice
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                key = node.args[0]
            else:
                continue
            if isinstance(key, ast.Constant) and key.value in _KEYWORDS and not self._is_default(context, node):
                return None
        loaders = [
            call
            for call in context.module.calls
            if self._is_loader(context, call) and any(k.arg is None for k in call.keywords)
        ]
        return LoaderOptions(context, loaders) if loaders else None


def _is_off(value: ast.expr) -> bool:
    """``pin_memory=False``, which does no harm."""
    return isinstance(value, ast.Constant) and value.value is False


def _is_update(context: Context, node: ast.Call) -> bool:
    """``options.update(…)``, a statement by itself."""
    return (
        isinstance(node.func, ast.Attribute)
        and node.func.attr == "update"
        and bool(node.args or node.keywords)
        and isinstance(context.module.parents[node], ast.Expr)
    )


def _owner(node: ast.Call) -> ast.expr:
    assert isinstance(node.func, ast.Attribute)
    return node.func.value
