"""XP604: a batch that DataParallel brought to the device."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from xlaport.analysis.batches import is_of_loader
from xlaport.analysis.events import Objects, objects_of
from xlaport.analysis.value import TENSOR, Device, Site
from xlaport.context import Context
from xlaport.facts.each import position
from xlaport.facts.module import LoopNode
from xlaport.facts.names import Binding, How
from xlaport.facts.program import Facts
from xlaport.facts.roles import Role, dotted
from xlaport.facts.structure import Function, Structure
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule, Trait

from .._lib import host_only
from .._lib.device import chosen_gpu, cuda, placing
from .._lib.distributed.saying import say
from .._lib.step.moved_objects import PARALLEL, stripped

_FLAG = re.compile(r"(?:cuda|gpu)$", re.IGNORECASE)
_MAX_DEPTH = 6
_OF_LISTS = frozenset({"torch.cat", "torch.concat", "torch.stack", "builtins.isinstance", "builtins.len"})
"""Functions that are called with a list of tensors: seldom, or never, with one tensor."""


class ScatteredBatch(Rule):
    """Move the batch that DataParallel moved.

    ## What it does
    Finds a call of a model that `DataParallel` or `DistributedDataParallel` wraps, with a part of a loader's batch
    that may still be on the host, and moves that part in the call. What may be a list or a dict of tensors, as a whole
    batch may, is reported.

    ## Why
    On GPUs the wrapper itself brings what it is called with to the devices, so that programs leave it out, for all
    runs or for those on several GPUs. On XLA the wrapper passes the batch on as it is, and the model, which is on the
    device, raises.

    ## Example
        loader = DataLoader(TensorDataset(torch.zeros(8, 4)))
        model = torch.nn.DataParallel(nn.Linear(4, 2)).to("xla")
        for (x,) in loader:
            output = model(x)

    becomes

        loader = DataLoader(TensorDataset(torch.zeros(8, 4)))
        model = torch.nn.DataParallel(nn.Linear(4, 2)).to("xla")
        for (x,) in loader:
            output = model(x.to(torch_xla.device()))

    ## When it is wrong
    Where the batch is on the device already, the move does nothing.

    ## When it is left alone
    Models without a wrapper, and batches that are moved already.

    ## Sources
    - PyTorch, DataParallel: https://docs.pytorch.org/docs/stable/generated/torch.nn.DataParallel.html
    - PyTorch, DistributedDataParallel:
      https://docs.pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html
    - Measured on PyTorch 2.9 without an NVIDIA GPU, for each name of `rules/cuda_api.toml`.

    ## Related
    XP601, XP603, XP102.
    """

    code = "XP604"
    name = "scattered-batch"
    summary = "a batch that DataParallel would bring to the device is moved"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    traits = (Trait.OWN_PROCESSES,)
    words = ("model", "net", "loader", "Parallel")
    across = ("model", "loader")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each part of a batch that a wrapped model gets as it came from the loader."""
        if host_only.stays_on_host(context):
            return
        for call in context.module.calls:
            parts = [a for a in [*call.args, *(k.value for k in call.keywords)] if self._may_be_on_host(context, a)]
            if not parts or not _is_wrapped(context, context.view.own, call.func, 0):
                continue
            for part in parts:
                device, imports = placing.device(context, call)
                name = context.module.segment(part)
                if self._may_be_several(context, part):
                    yield self.finding(context.span(part), say("XP604.several", name=name))
                    continue
                yield self.finding(
                    context.span(part),
                    say("XP604.moved", name=name),
                    Replace(context.span(part), f"{name if _is_primary(part) else f'({name})'}.to({device})"),
                    imports=imports,
                )

    def _may_be_on_host(self, context: Context, node: ast.expr) -> bool:
        """Whether a value is a part of a batch as the loader gave it, or a name may hold one."""
        if not context.editable(node) or isinstance(node, ast.Starred):
            return False
        value = context.flow.structure.value(context.view.own, node)
        if value is not None and value.type == TENSOR and value.device is Device.HOST and is_of_loader(value):
            return True
        if not isinstance(node, ast.Name):
            return False
        bindings = context.names.reaching(node)
        if any(_is_guarded(context, binding) for binding in bindings):
            return False
        return any(_is_of_loader(context, binding) for binding in bindings)

    def _may_be_several(self, context: Context, node: ast.expr) -> bool:
        """Whether a name may be a list or a dict of tensors, which have no ``.to()``: a whole batch, crops."""
        is_one = context.singles.is_one(context.view.own, node)
        if is_one is not None or not isinstance(node, ast.Name):
            return not is_one
        return any(_is_whole(context, b) for b in context.names.reaching(node)) or _is_used_as_list(context, node)


def _is_primary(node: ast.expr) -> bool:
    """Whether a method of an expression can be asked for without brackets around that."""
    return isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call)


def _is_whole(context: Context, binding: Binding) -> bool:
    """Whether a name is for all that a loader gives at once: ``for batch in loader``."""
    if binding.how is not How.FOR or binding.value is None:
        return False
    calls = (node for node in ast.walk(binding.value) if isinstance(node, ast.Call))
    is_counted = any(context.resolve(call.func) == "builtins.enumerate" for call in calls)
    path = position(context.module, binding.node)
    return path == () or (path == (1,) and is_counted)


def _is_used_as_list(context: Context, name: ast.Name) -> bool:
    """Whether a use of the same value takes it for a list: ``x[0]``, ``torch.cat(x)``, ``for part in x``."""
    home, bindings = context.names.home(name), context.names.reaching(name)
    for use in context.names.uses(home, name.id) if home is not None else ():
        parent = context.module.parents[use]
        if context.names.reaching(use) != bindings:
            continue
        if isinstance(parent, ast.Subscript) and parent.value is use and isinstance(parent.slice, ast.Constant):
            return True
        if isinstance(parent, ast.For | ast.AsyncFor | ast.comprehension) and parent.iter is use:
            return True
        if isinstance(parent, ast.Call) and use in parent.args[:1] and context.resolve(parent.func) in _OF_LISTS:
            return True
    return False


def _is_guarded(context: Context, binding: Binding) -> bool:
    """Whether a name is bound under ``if torch.cuda.is_available():``, or a choice of a GPU that XP102 takes out.

    ``if use_gpu:`` in front of a move is the program's own choice, which its model follows, too.
    """
    value = binding.value
    if "XP102" in context.codes and isinstance(value, ast.Call) and chosen_gpu.choice(context, value) is not None:
        return True
    guards = [p.test for p in context.module.ancestors(binding.node) if isinstance(p, ast.If)]
    if any(cuda.is_available_call(context, test) for test in guards):
        return True
    moves = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in ("cuda", "to")
    return moves and any(_FLAG.search(dotted(test) or "") for test in guards)


def _is_of_loader(context: Context, binding: Binding) -> bool:
    """``x`` of ``for i, (x, y) in enumerate(loader)``, and of ``x, y = batch`` in ``for batch in loader``."""
    if binding.how is How.FOR and isinstance(binding.node, ast.Name):
        loop: ast.AST = binding.node
        while isinstance(loop, ast.Name | ast.Tuple | ast.List | ast.Starred):
            loop = context.module.parents[loop]
        return isinstance(loop, LoopNode) and context.loops.stepping.iterates(loop, Role.LOADER)
    if binding.how is How.UNPACK and isinstance(binding.value, ast.Name):
        return any(b.how is How.FOR and _is_of_loader(context, b) for b in context.names.reaching(binding.value))
    return False


def _wrapped(structure: Structure, facts: Facts) -> Objects:
    """The models that the program wraps."""
    analysis = structure.analysis(facts)
    return analysis.once("wrapped", lambda: frozenset[Site]().union(*_all_wrapped(structure, analysis.files())))


def _all_wrapped(structure: Structure, files: Iterable[Facts]) -> Iterator[Objects]:
    for facts in files:
        for call in facts.module.calls if "Parallel" in facts.module.text else ():
            value = structure.value(facts, call) if facts.names.resolve(call.func) in PARALLEL else None
            yield value.objects if value is not None else frozenset()


def _is_wrapped(context: Context, facts: Facts, node: ast.expr, depth: int) -> bool:
    """Whether an expression may be a model in a wrapper of several GPUs."""
    structure, node = context.flow.structure, stripped(node)
    if depth > _MAX_DEPTH:
        return False
    model = structure.value(facts, node)
    if model is not None and not objects_of(model).isdisjoint(_wrapped(structure, facts)):
        return True
    if isinstance(node, ast.Call):
        return facts.names.resolve(node.func) in PARALLEL
    if isinstance(node, ast.Attribute):
        owner = structure.instance_of(facts, node.value)
        values = structure.assigned(structure.bases(owner), node.attr) if owner is not None else []
        return any(value is not None and _is_wrapped(context, there, value, depth + 1) for there, value in values)
    for binding in facts.names.reaching(node) if isinstance(node, ast.Name) else ():
        if binding.how is How.ASSIGN and binding.value is not None:
            if _is_wrapped(context, facts, binding.value, depth + 1):
                return True
        elif binding.how is How.PARAMETER:
            function = facts.module.function_of(binding.node)
            if function is None:
                continue
            called = Function(facts, function)
            for site in structure.calls_to(called):
                value = structure.argument_for(site, called, binding.name)
                if value is not None and _is_wrapped(context, site.facts, value, depth + 1):
                    return True
    return False
