"""XP211: a model that a comprehension runs for each batch."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.held import Kind
from xlaport.facts.loops import LOOPS
from xlaport.facts.role import Role
from xlaport.facts.scopes import Comprehension
from xlaport.rule import Applicability, Edit, Finding, Harm, Replace, Rule, Span, Trait

from .._lib import host_only
from .._lib.step import plain_loader
from .._lib.step.batch_device import destination, is_accelerator
from .._lib.step.saying import say

_NUMBERS = {Kind.INT: "int", Kind.FLOAT: "float"}
_TAKES_ALL = frozenset(f"builtins.{name}" for name in "sum list tuple set dict max min sorted".split())


class ModelInComprehension(Rule):
    """Cut the graph where a comprehension runs a model for each batch.

    ## What it does
    Finds comprehensions that run a model, or a step of training, with no step loop around them. They have no place
    for `torch_xla.sync()`. Where one runs a model, iterates a plain `DataLoader` and moves its batches to the device,
    `MpDeviceLoader` brings them there, and runs the graph at each batch; a sum of `.item()` is then added up on the
    device.

    ## Why
    Without that call, the graphs of all batches become one, which grows with the data and is compiled for its length.

    ## Example
        import torch_xla
        device = torch_xla.device()
        model = nn.Linear(4, 1).to(device)
        loader = DataLoader(torch.utils.data.TensorDataset(torch.zeros(8, 4)), batch_size=4)
        with torch.no_grad():
            outputs = [model(x.to(device)) for x, in loader]

    becomes

        import torch_xla
        device = torch_xla.device()
        model = nn.Linear(4, 1).to(device)
        loader = DataLoader(torch.utils.data.TensorDataset(torch.zeros(8, 4)), batch_size=4)
        with torch.no_grad():
            outputs = [model(x) for x, in pl.MpDeviceLoader(loader, device)]

    ## When it is wrong
    As XP202 is: an exception in the dataset would end the comprehension early and silently. This is why the fix is
    unsafe. Other comprehensions are reported: only a loop has a place for the call.

    ## When it is left alone
    Comprehensions that are a part of one step, and loaders of which it is not known whether they run to their end.

    ## Sources
    - PyTorch/XLA, PyTorch on XLA devices: https://docs.pytorch.org/xla/release/r2.8/learn/pytorch-on-xla-devices.html

    ## Related
    XP201, XP202, XP303.
    """

    code = "XP211"
    name = "model-in-comprehension"
    summary = "a comprehension that runs a model for each batch has no place for a barrier"
    applicability = Applicability.UNSAFE
    harm = Harm.RECOMPILES
    traits = (Trait.LAZY_GRAPH,)
    words = (" for ",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each comprehension."""
        for node in context.module.of_type(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp):
            if len(node.generators) != 1 or not context.editable(node):
                continue
            call = self._runs_model(context, node) or self._trains(context, node)
            if call is None or context.roles.is_(node.generators[0].iter, Role.DEVICE_LOADER):
                continue
            if host_only.stays_on_host(context):
                return
            yield self._with_loader(context, node) or self._by_hand(context, node)

    def _runs_model(self, context: Context, node: Comprehension) -> ast.Call | None:
        """The call of a model for each batch, where it is no part of a step, nor of a layer."""
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        effects = context.loops.effects(parts)
        call = effects.quiet or effects.model
        if not isinstance(call, ast.Call) or effects.barriers or effects.steps or effects.backward:
            return None
        by_loader = context.loops.goes_through_batches(node)
        if not by_loader and (effects.quiet is None or self._is_part_of_something(context, node)):
            return None
        if any(isinstance(p, LOOPS) and context.loops.step_loop(p) is not None for p in context.module.ancestors(node)):
            return None
        return call

    def _trains(self, context: Context, node: Comprehension) -> ast.Call | None:
        """The call of a training step for each batch: ``[train_step(x) for x in loader]``."""
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        effects = context.loops.effects(parts)
        if not isinstance(effects.steps, ast.Call) or effects.backward is None or effects.barriers:
            return None
        loops = (p for p in context.module.ancestors(node) if isinstance(p, LOOPS))
        return None if any(context.loops.step_loop(loop) is not None for loop in loops) else effects.steps

    def _is_part_of_something(self, context: Context, node: ast.AST) -> bool:
        """Whether it runs in a step, or in a method of a model."""
        owner = context.module.class_of(node)
        return context.step_code.with_steps(node) or (owner is not None and context.roles.is_module_class(owner))

    # -- by a loader that cuts -------------------------------------------------------------------------

    def _with_loader(self, context: Context, node: Comprehension) -> Finding | None:
        iterated = node.generators[0].iter
        loader = plain_loader.plain_loader(context, iterated)
        moves = self._moves(context, node) if self._runs_model(context, node) is not None else None
        if loader is None or not moves or node.generators[0].is_async or not self._runs_to_its_end(context, node):
            return None
        devices = [device for _, _, device in moves]
        if any(ast.dump(d) != ast.dump(devices[0]) for d in devices) or not is_accelerator(context, devices[0]):
            return None
        wrapper, imports = context.symbol("device_loader", node)
        text, device = context.module.segment(iterated), context.module.segment(devices[0])
        edits: list[Edit] = [Replace(context.span(iterated), f"{wrapper}({text}, {device})")]
        edits += [Replace(context.span(call), name) for call, name, _ in moves]
        doubts = [*loader.doubts]
        total = self._sum(context, node)
        if total is not None:
            edits += total[1]
            doubts += [say.phrase("XP211.float")] if total[0] is Kind.FLOAT else []
        return self.finding(
            context.span(node),
            say("XP211.unsafe", wrapper=wrapper, doubt=" ".join(doubts))
            if doubts
            else say("XP211.loader", wrapper=wrapper),
            *edits,
            imports=imports,
            applicability=Applicability.UNSAFE if doubts else Applicability.SAFE,
        )

    def _runs_to_its_end(self, context: Context, node: Comprehension) -> bool:
        """Whether all batches are used: the wrapper would have taken more of them than ``any()`` and ``next()`` do."""
        around = context.module.parents[node]
        return not isinstance(node, ast.GeneratorExp) or (
            isinstance(around, ast.Call) and context.resolve(around.func) in _TAKES_ALL
        )

    def _moves(self, context: Context, node: Comprehension) -> list[tuple[ast.Call, str, ast.expr]] | None:
        """The calls that move a part of the batch; None where it is used in another way, too."""
        generator = node.generators[0]
        names = {n.id for n in ast.walk(generator.target) if isinstance(n, ast.Name)}
        found: list[tuple[ast.Call, str, ast.expr]] = []
        for use in ast.walk(node):
            if isinstance(use, ast.Name) and use.id in names and isinstance(use.ctx, ast.Load):
                attribute = context.module.parents[use]
                call = context.module.parents[attribute]
                device = destination(call) if isinstance(call, ast.Call) and call.func is attribute else None
                if device is None or not isinstance(call, ast.Call):
                    return None
                found.append((call, use.id, device))
        return found

    def _sum(self, context: Context, node: Comprehension) -> tuple[Kind | None, list[Edit]] | None:
        """``int(sum(x for …))`` of ``sum(x.item() for …)``."""
        parent = context.module.parents[node]
        read = node.elt if isinstance(node, ast.GeneratorExp | ast.ListComp) else None
        if not isinstance(parent, ast.Call) or context.resolve(parent.func) != "builtins.sum" or len(parent.args) > 1:
            return None
        if not isinstance(read, ast.Call) or not isinstance(read.func, ast.Attribute) or read.func.attr != "item":
            return None
        held = context.tensors.held(context.view.own, read.func.value)
        number = _NUMBERS.get(held.kind) if held.kind is not None and held.is_scalar else None
        if number is None:
            return None
        kept = "" if context.loops.stepping.gradients_are_off(node) or held.kind is Kind.INT else ".detach()"
        whole, element = context.span(parent), context.span(read)
        tensor = context.span(read.func.value)
        return held.kind, [
            Replace(Span(whole.start, whole.start), f"{number}("),
            Replace(Span(tensor.end, element.end), kept),
            Replace(Span(whole.end, whole.end), ")"),
        ]

    # -- by hand ---------------------------------------------------------------------------------------

    def _by_hand(self, context: Context, node: Comprehension) -> Finding:
        sync, _ = context.symbol("sync", node)
        target, iterated = (context.module.segment(n) for n in (node.generators[0].target, node.generators[0].iter))
        return self.finding(
            context.span(node),
            say("XP211.by_hand", target=target, iterated=iterated, sync=sync),
            applicability=Applicability.MANUAL,
        )
