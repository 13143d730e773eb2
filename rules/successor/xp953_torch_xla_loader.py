"""XP953: loaders that torch_xla wraps."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from xlaport.context import Context
from xlaport.facts.spot import Spot
from xlaport.rule import (
    Applicability,
    Edit,
    Finding,
    Harm,
    Import,
    InsertStatement,
    RemoveStatement,
    Replace,
    Rule,
    Span,
    Trait,
)

from .._lib.blocks import comment_above, newline
from .._lib.device import placing
from .._lib.parentheses import ATOMS
from .._lib.successor.answers import uses
from .._lib.successor.batch import moves
from .._lib.successor.loaders import Taking, Wrapper, is_taken_otherwise, takings, wrapper
from .._lib.successor.saying import say
from .._lib.successor.spmd import divided
from .._lib.uses import Use


class DeviceLoader(Rule):
    """Iterate over the loader itself, and move its batches.

    ## What it does
    Turns `pl.MpDeviceLoader(loader, device)` into `loader`, and moves what the body uses of a batch in the loops that
    iterate over it, wherever these are: a tensor, several, a list or a dict of them.

    ## Why
    The wrapper of torch_xla brings each batch to the device; without it, the batch is on the host, and the model, which
    is on the device, raises.

    ## Example
        import torch_xla.distributed.parallel_loader as pl
        for image, label in pl.MpDeviceLoader(loader, device):
            loss = criterion(model(image), label)

    becomes

        for image, label in loader:
            image = image.to(device)
            label = label.to(device)
            loss = criterion(model(image), label)

    ## When it is wrong
    Where a name of the batch holds no tensor: `.to()` raises. Remove that line.

    ## When it is left alone
    A loader that no loop is seen to iterate over, or that others get as well, and a batch of an unknown form: they are
    reported. One with `input_sharding` is XP961's.

    ## Sources
    - Read in the source of torch_xla 2.9.
    - Measured on PyTorch 2.13 and torch_tpu 0.2.0, on the CPU plugin of OpenXLA.

    ## Related
    XP951, XP961, XP202.
    """

    code = "XP953"
    name = "torch-xla-loader"
    summary = "MpDeviceLoader(loader, device) becomes loader, and the loop moves the batch"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    traits = (Trait.SUCCEEDS_XLA,)
    words = ("torch_xla", "oader")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each wrapper, and one for each loop over that of another file."""
        own = context.view.own
        for use in uses(context):
            if use.entry.rule == self.code and not context.module.is_in_annotation(use.node):
                if use.call is None or divided(context, use.call) is None:  # that is XP961's
                    yield self._wrapper(context, use)
        for taking in takings(context):
            if taking.facts is own and isinstance(taking.node, ast.For):
                if not any(spot.facts is own for spot in taking.wrappers):
                    yield from self._loop(context, taking, taking.node)

    def _wrapper(self, context: Context, use: Use) -> Finding:
        found = wrapper(context, use.call) if use.call is not None else None
        if found is None or use.call is None or not context.editable(found.whole):
            return self.finding(context.place(use.node), say("XP953.taken", what=use.shown))
        spot = Spot(context.view.own, use.call)
        taken = [taking for taking in takings(context) if spot in taking.wrappers]
        edits: list[Edit] = []
        imports: list[Import] = []
        for taking in taken:
            moved = self._moves(context, taking, found)
            if moved is None:
                line = context.line_of(taking.facts, getattr(taking.node, "target", taking.node))
                return self.finding(context.place(use.node), say("XP953.batch", what=use.shown, line=line))
            edits += [edit for edit in moved[0] if edit not in edits]
            imports += moved[1]
        if not taken or is_taken_otherwise(context, found, use.call):
            return self.finding(context.place(use.node), say("XP953.taken", what=use.shown))
        text, what = context.module.segment(found.loader), say("XP953.wrapped", what=use.shown)
        edits.insert(0, self._unwrap(context, found, text))
        return self.finding(context.span(found.whole), what, *edits, imports=tuple(dict.fromkeys(imports)))

    def _unwrap(self, context: Context, found: Wrapper, text: str) -> Edit:
        parent = context.module.parents[found.whole]
        if isinstance(parent, ast.Assign) and [ast.unparse(target) for target in parent.targets] == [text]:
            return RemoveStatement(context.span(parent))  # `loader = loader`
        is_atom = isinstance(found.loader, ATOMS) or isinstance(parent, ast.Assign | ast.For)
        return Replace(context.span(found.whole), text if is_atom else f"({text})")

    def _moves(self, context: Context, taking: Taking, found: Wrapper) -> tuple[list[Edit], Sequence[Import]] | None:
        """What a loop of this file needs; of another one, whether it can be had, which is written there."""
        if not isinstance(taking.node, ast.For):
            return None
        there = context.of(taking.facts)
        is_here = there is context
        device, imports = placing.device(there, taking.node.body[0])
        if is_here and self._is_same(context, found.device, taking.node):
            device, imports = context.module.segment(found.device), ()
        lines = moves(there, taking.node, taking.is_counted, device)
        if lines is None:
            return None
        if not is_here or not lines:
            return [], ()
        return [_at_head(context, taking.node, lines)], imports

    def _is_same(self, context: Context, device: ast.expr, loop: ast.For) -> bool:
        """Whether the wrapper's device has the same name in a loop."""
        if context.module.function(loop) is context.module.function(device):
            return isinstance(device, ast.Name | ast.Attribute)
        if not isinstance(device, ast.Name):
            return False
        seen = context.names.visible(device.id, loop.body[0])
        return bool(seen) and set(seen) == set(context.names.bindings(device))

    def _loop(self, context: Context, taking: Taking, loop: ast.For) -> Iterator[Finding]:
        device, imports = placing.device(context, loop.body[0])
        lines = moves(context, loop, taking.is_counted, device)
        if lines:
            made = min(taking.wrappers, key=lambda spot: (spot.facts.file, getattr(spot.node, "lineno", 0)))
            said = say("XP953.loop", line=context.line_of(made.facts, made.node))
            yield self.finding(context.span(loop.iter), said, _at_head(context, loop, lines), imports=imports)


def _at_head(context: Context, loop: ast.For, lines: list[str]) -> Edit:
    """The edit that puts lines at the head of a body, above a comment on what stands there."""
    module, start = context.module, context.span(loop.body[0]).start
    comment, line = comment_above(module, start), module.line_start(module.position(start)[0])
    if not comment:
        return InsertStatement(context.span(loop.body[0]), "\n".join(lines), before=True)
    end, place = newline(module, loop.lineno), line - len(comment)
    return Replace(Span(place, place), "".join(f"{module.text[line:start]}{each}{end}" for each in lines))
