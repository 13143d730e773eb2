"""XP905: the loader that can be iterated once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.names import How
from xlaport.rule import Applicability, Edit, Finding, Harm, Replace, Rule, Span, Trait

from .._lib.arguments import argument_span
from .._lib.legacy.references import Reference, references, spelled
from .._lib.legacy.saying import say

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_WRAPPERS = frozenset({"builtins.enumerate", "builtins.zip", "tqdm.tqdm", "tqdm.auto.tqdm", "tqdm.notebook.tqdm"})


@dataclass(frozen=True)
class _Loader:
    """``ParallelLoader(loader, [device], …)``"""

    call: ast.Call
    devices: ast.expr
    device: ast.expr


class ParallelLoader(Rule):
    """Wrap a loader once, in MpDeviceLoader.

    ## What it does
    Replaces `pl.ParallelLoader(loader, [device]).per_device_loader(device)` by `pl.MpDeviceLoader(loader, device)`,
    also where the two halves are on different lines. It is safe where a `for` iterates the loader, here or in the
    function that it is passed to, and unsafe where no loop is seen.

    ## Why
    A `ParallelLoader` starts its threads when it is built and can be iterated once: the second epoch gets
    nothing. `MpDeviceLoader` builds one for each iteration, knows its length, and runs the graph at each batch as the
    old one does.

    ## Example
        import torch_xla.distributed.parallel_loader as pl
        for epoch in range(3):
            batches = pl.ParallelLoader(loader, [device])
            for batch in batches.per_device_loader(device):
                step(batch)

    becomes

        import torch_xla.distributed.parallel_loader as pl
        for epoch in range(3):
            batches = pl.MpDeviceLoader(loader, device)
            for batch in batches:
                step(batch)

    ## When it is wrong
    Where code calls `next()` on the loader: an `MpDeviceLoader` is not an iterator. So the rewrite is unsafe where the
    loop is not seen.

    ## When it is left alone
    Loaders of other libraries.

    ## Sources
    - Read in the source of torch_xla 2.9.

    ## Related
    XP202, XP213, XP904.
    """

    code = "XP905"
    name = "parallel-loader"
    summary = "ParallelLoader(…).per_device_loader(…) becomes MpDeviceLoader(…)"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    traits = (Trait.OLDER_NAMES,)
    words = ("ParallelLoader",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each ParallelLoader."""
        for reference in references(context):
            if reference.name in context.target.one_time_loaders:
                yield self._finding(context, reference)

    def _finding(self, context: Context, reference: Reference) -> Finding:
        text, imports, beside = spelled(context, context.target.symbol("device_loader"), reference)
        loader = self._loader(context, reference.node)
        iterator = self._iterator(context, loader) if loader is not None else None
        if loader is None or iterator is None:
            return self.finding(context.place(reference.node), say("XP905.built", new=text))
        assert isinstance(iterator.func, ast.Attribute)
        devices = argument_span(context, loader.call, loader.devices)
        name = "device=" if any(k.value is loader.devices for k in loader.call.keywords) else ""
        edits: list[Edit] = [
            Replace(context.span(reference.node), text),
            Replace(devices, name + context.module.segment(loader.device)),
            Replace(context.tail(iterator, iterator.func.value), ""),
        ]
        for keyword in loader.call.keywords:
            if keyword.arg == "cpu_loader":
                start = context.span(keyword).start
                edits.append(Replace(Span(start, start + len("cpu_loader")), "loader"))
        return self.finding(
            context.span(loader.call),
            say("XP905.loader", new=text),
            *edits,
            *beside,
            imports=imports,
            applicability=reference.applicability(
                Applicability.SAFE if self._is_iterated(context, iterator) else Applicability.UNSAFE
            ),
        )

    def _loader(self, context: Context, node: ast.expr) -> _Loader | None:
        call = context.module.parents[node]
        if not isinstance(call, ast.Call) or call.func is not node or not context.editable(call) or len(call.args) > 2:
            return None
        given = {k.arg: k.value for k in call.keywords}
        devices = call.args[1] if len(call.args) == 2 else given.get("devices")
        if None in given or any(isinstance(a, ast.Starred) for a in call.args):
            return None
        if not isinstance(devices, ast.List | ast.Tuple) or len(devices.elts) != 1:
            return None
        device = devices.elts[0]
        return None if isinstance(device, ast.Starred) else _Loader(call, devices, device)

    def _iterator(self, context: Context, loader: _Loader) -> ast.Call | None:
        """The one call ``….per_device_loader(device)`` of a loader, with the same device."""
        parent = context.module.parents[loader.call]
        if isinstance(parent, ast.Attribute):
            return self._per_device(context, loader, loader.call)
        if not (
            isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Name)
        ):
            return None
        target = parent.targets[0]
        scope = context.names.scope(target).home(target.id)
        uses = []
        for use in context.names.uses(scope, target.id):
            reaching = context.names.reaching(use)
            if any(binding.node is target for binding in reaching):
                if len([b for b in reaching if b.how is not How.OTHER]) != 1:
                    return None
                uses.append(use)
        if len(uses) != 1 or self._around(context, uses[0]) != self._around(context, target):
            return None
        return self._per_device(context, loader, uses[0])

    def _per_device(self, context: Context, loader: _Loader, value: ast.expr) -> ast.Call | None:
        attribute = context.module.parents[value]
        if not isinstance(attribute, ast.Attribute) or attribute.attr != "per_device_loader":
            return None
        call = context.module.parents[attribute]
        if not isinstance(call, ast.Call) or call.func is not attribute or not context.editable(call):
            return None
        given = [*call.args, *(k.value for k in call.keywords)]
        return call if len(given) == 1 and ast.dump(given[0]) == ast.dump(loader.device) else None

    def _around(self, context: Context, node: ast.expr) -> list[ast.AST]:
        """The loops and functions that run a node again; what a ``for`` iterates is evaluated once."""
        found: list[ast.AST] = []
        below: ast.AST = node
        for parent in context.module.ancestors(node):
            again = isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.comprehension)
            if again or (isinstance(parent, _LOOPS) and getattr(parent, "iter", None) is not below):
                found.append(parent)
            below = parent
        return found

    def _is_iterated(self, context: Context, node: ast.expr) -> bool:
        """Whether a ``for`` iterates a value, here or in the function of this file that it is passed to."""
        parent = context.module.parents[node]
        if isinstance(parent, ast.For):
            return parent.iter is node
        if not isinstance(parent, ast.Call) or node not in parent.args:
            return False
        if context.resolve(parent.func) in _WRAPPERS:
            return self._is_iterated(context, parent)
        function = context.roles.function_called(parent)
        if function is None:
            return False
        parameters = [*function.args.posonlyargs, *function.args.args]
        taken = [p for p in parameters if context.roles.argument_for(parent, function, p.arg) is node]
        scope = context.names.scope_of(function)
        if len(taken) != 1 or scope is None or len(scope.bindings.get(taken[0].arg, [])) != 1:
            return False
        uses = context.names.uses(scope, taken[0].arg)
        return bool(uses) and all(self._is_iterated(context, use) or self._is_measured(context, use) for use in uses)

    def _is_measured(self, context: Context, node: ast.expr) -> bool:
        parent = context.module.parents[node]
        return isinstance(parent, ast.Call) and context.resolve(parent.func) == "builtins.len"
