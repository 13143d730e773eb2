"""XP102: the `.cuda()` method."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import FunctionNode
from xlaport.facts.names import How
from xlaport.facts.program import Facts
from xlaport.facts.roles import TENSORS, Role
from xlaport.facts.structure import Class
from xlaport.rule import Applicability, Edit, Finding, Harm, Import, Replace, Rule, Span, Trait

from ..._lib.device import chosen_gpu, cuda, placing
from ..._lib.device.chosen_gpu import Choice
from ..._lib.device.saying import say
from ..._lib.one_line import one_line
from . import data_in_place

_MAKES = "methodcaller"
_MAKER = re.compile(_MAKES.encode())
_DEFINES = re.compile(rb"^[ \t]+def cuda\(", re.MULTILINE)
_NOT_MOVABLE = (Role.NUMBER, Role.TEXT, Role.OTHER, Role.OPTIMIZER, Role.SCHEDULER, Role.DEVICE, Role.DATASET)


class CudaMethod(Rule):
    """Move tensors and modules with `.to(device)`.

    ## What it does
    Replaces `x.cuda()`, `x.cuda(0)`, `x.cuda(non_blocking=True)` by `x.to(device)`, with the name that the
    code has for its device at that place, or with `torch_xla.device()`. `x.data = x.data.cuda()`, or `.to(device)`,
    is reported. `if args.gpu is not None:` around such a move is removed where the program has its model on the device
    in any case, or moves it in the other branch as well: without the option DataParallel takes a tensor of the CPU for
    its GPUs, which the TPU cannot. `operator.methodcaller("cuda")` is reported where it gets a tensor or a module.

    ## Why
    `.cuda()` raises without a GPU. `non_blocking` has no effect on XLA, where the copy is asynchronous anyway,
    and stays for torch_tpu. A tensor of the CPU can get the `.data` of one on a GPU, but not of one on XLA: that raises
    a RuntimeError.

    ## Example
        device = torch.device("cuda")
        model = nn.Linear(4, 2).cuda()
        x = torch.zeros(8, 4).cuda(non_blocking=True)

    becomes

        device = torch.device("cuda")
        model = nn.Linear(4, 2).to(device)
        x = torch.zeros(8, 4).to(device)

    ## When it is wrong
    On XLA, `model.to(device)` puts new Parameter objects into the module, where `.cuda()` changed the old
    ones in place. An optimizer, or a list of parameters, made before the move keeps the old ones and trains
    nothing: XP203 looks for that. A `cuda` method of the user's own class is left alone.

    Several GPUs in one process (`a.cuda(0)`, `b.cuda(1)`) become one device.

    ## When it is left alone
    A `cuda` method of the user's own class, in this file or another one, and what may be an object of it; of what is
    seen to be neither a tensor nor a module; `x.cuda` without a call; a `.cuda(…)` that gets a text; the storage in
    the `map_location` of a load. A storage that the program makes is reported: it cannot be on XLA.

    ## Sources
    - Measured on PyTorch 2.9 without an NVIDIA GPU, for each name of `rules/cuda_api.toml`.
    - PyTorch/XLA, Migrating from GPUs to TPUs: https://docs.pytorch.org/xla/master/learn/migration-to-xla-on-tpus.html

    ## Related
    XP101, XP103, XP203, XP208.
    """

    code = "XP102"
    name = "cuda-method"
    summary = ".cuda() becomes .to(device)"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    words = (".cuda", ".data", "methodcaller", "getattr")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each call of a `.cuda` method."""
        owners = self._classes_with_cuda(context)
        for node in context.module.nodes:
            if not isinstance(node, ast.Attribute) or node.attr != "cuda" or not isinstance(node.ctx, ast.Load):
                continue
            parent = context.module.parents[node]
            resolved = context.resolve(node)
            if isinstance(parent, ast.Call) and parent.func is node:
                if resolved is None:
                    yield from self._call(context, parent, node, owners)
            elif resolved in ("torch.Tensor.cuda", "torch.nn.Module.cuda") or (
                resolved is None
                and not isinstance(parent, ast.Attribute)
                and context.roles.role(node.value) in (*TENSORS, Role.MODEL)
            ):
                yield self.finding(context.place(node), say("XP102.method"))
        made = _are_made(context)
        calls = [call for call in context.module.calls if made or isinstance(call.func, ast.Call)]
        for maker in dict.fromkeys(maker for call in calls for maker in _callers(context, call)):
            yield self.finding(context.place(maker), say("XP102.caller"))
        for call, tensor in data_in_place.by_to(context):
            yield self._in_place(context, call, tensor, placing.device(context, call)[0])

    def _call(
        self, context: Context, call: ast.Call, func: ast.Attribute, owners: list[ast.ClassDef]
    ) -> Iterator[Finding]:
        if _makes_storage(context, func.value) or _is_given_storage(context, func.value):
            yield self.finding(context.place(call), say("XP102.storage"))
            return
        role = context.roles.role(func.value)
        if role in _NOT_MOVABLE or not self._arguments_fit(call) or _is_storage(context, func.value):
            return
        device, imports = placing.device(context, call)
        if not context.editable(call):
            yield self.finding(context.place(call), say("XP102.text", device=device))
            return
        span = context.span(call)
        is_used = _is_used(context, call)
        if is_used:
            owners = [o for o in owners if _gives_something(context.view.own, context.names.method(o, "cuda"))]
        if owners and not self._is_the_library_s(context, func.value, role, owners):
            if not self._is_own(context, func.value, owners):
                yield self.finding(span, say("XP102.own", where=owners[0].name, device=device))
            return
        if role not in TENSORS and (elsewhere := self._class_elsewhere(context, func.value, is_used)) is not None:
            there, owner = elsewhere
            if owner is None:
                yield self.finding(span, say("XP102.own", where=os.path.basename(there), device=device))
            return
        if any(k.arg is None for k in call.keywords) or any(isinstance(a, ast.Starred) for a in call.args):
            yield self.finding(span, say("XP102.arguments", device=device))
            return
        if (moved_in_place := data_in_place.in_place(context, call)) is not None:
            yield self._in_place(context, call, moved_in_place, device)
            return
        chosen = chosen_gpu.choice(context, call)
        if chosen is not None and (edits := chosen_gpu.always(context, chosen[1], _to(context, call, device))):
            yield from self._chosen(context, call, *chosen, edits, imports)
            return
        index = next(filter(None, map(cuda.device_index, [*call.args, *call.keywords])), None)
        yield self.finding(
            span,
            say("XP102.index", index=index, device=device) if index else say("XP102.moves", device=device),
            # Only the part behind the dot, which may stand on a line of its own.
            Replace(Span(context.span(func).end - len("cuda"), span.end), _to(context, call, device)),
            imports=imports,
        )

    def _in_place(self, context: Context, call: ast.Call, tensor: ast.expr, device: str) -> Finding:
        """``x.data = x.data.cuda()``, which CUDA allows and XLA does not."""
        said = say("XP102.data", name=one_line(context, tensor), device=device)
        return self.finding(context.span(call), said)

    def _chosen(
        self,
        context: Context,
        call: ast.Call,
        choice: Choice,
        guard: ast.If,
        edits: tuple[Edit, ...],
        imports: tuple[Import, ...],
    ) -> Iterator[Finding]:
        """The condition goes that chose a GPU, or whether to have one."""
        if context.module.statement(call) not in guard.body:
            return  # the other branch goes with it
        asked = one_line(context, guard.test)
        said = say("XP102.which", asked=asked) if choice is Choice.WHICH else say("XP102.whether", asked=asked)
        yield self.finding(context.span(call), said, *edits, imports=imports)

    def _classes_with_cuda(self, context: Context) -> list[ast.ClassDef]:
        return [
            node
            for node in context.module.nodes
            if isinstance(node, ast.ClassDef) and context.names.method(node, "cuda") is not None
        ]

    def _is_the_library_s(
        self, context: Context, node: ast.expr, role: Role | None, owners: list[ast.ClassDef]
    ) -> bool:
        """Whether the object's `.cuda` is torch's own, although classes of this file have one too."""
        if role in TENSORS or (isinstance(node, ast.Call) and context.resolve(node.func) == "builtins.super"):
            return True
        if role is not Role.MODEL:
            return False
        if not any(context.roles.is_module_class(owner) for owner in owners):
            return True
        owner = self._class_of(context, node)
        if owner is not None:
            return not owner.bases or not self._inherits(context, owner, owners)
        return isinstance(node, ast.Call) and (context.resolve(node.func) or "").startswith("torch.nn.")

    def _class_elsewhere(self, context: Context, node: ast.expr, is_used: bool) -> tuple[str, Class | None] | None:
        """The class of another file whose own `.cuda` is called; where it may be one of several, that file alone.

        Where the call's value is used, it is no method that gives nothing.
        """
        structure, own = context.flow.structure, context.view.own
        classes = structure.instances_of(own, node)
        for owner in classes:
            method = structure.method(owner, "cuda")
            if method is not None and method.facts is not own:
                is_sure = all(structure.method(other, "cuda") is not None for other in classes)
                return method.facts.file, owner if is_sure else None
        if classes or context.view.is_alone or context.roles.role(node) is not None:
            return None
        defining = sorted(context.view.program.saying(_DEFINES, b"def cuda") - {own.file})
        if is_used:
            defining = [file for file in defining if _gives_something_in(context.view.facts(file))]
        return (defining[0], None) if defining else None

    def _is_own(self, context: Context, node: ast.expr, owners: list[ast.ClassDef]) -> bool:
        owner = self._class_of(context, node)
        return owner is not None and self._inherits(context, owner, owners)

    def _class_of(self, context: Context, node: ast.expr) -> ast.ClassDef | None:
        if isinstance(node, ast.Call):
            return context.names.class_named(node.func)
        return context.roles.instance_class(node)

    def _inherits(self, context: Context, owner: ast.ClassDef, owners: list[ast.ClassDef]) -> bool:
        todo, seen = [owner], {owner}
        while todo:
            current = todo.pop()
            if current in owners:
                return True
            bases = [b for base in current.bases if (b := context.names.class_named(base)) is not None]
            todo += [b for b in bases if b not in seen]
            seen |= set(bases)
        return False

    def _arguments_fit(self, call: ast.Call) -> bool:
        """Nothing, a device, and ``non_blocking``: all that the method of a tensor or a module takes."""
        if len(call.args) > 2:
            return False
        if any(k.arg not in ("device", "non_blocking", "async", None) for k in call.keywords):
            return False
        first = call.args[0] if call.args else None
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            return cuda.is_cuda_string(first)
        return True


def _to(context: Context, call: ast.Call, device: str) -> str:
    """The method in place of ``cuda()``; it waits no longer than that, where the target's copies may be waited for."""
    second = call.args[1] if len(call.args) > 1 else None
    given = next((k.value for k in call.keywords if k.arg in ("non_blocking", "async")), second)
    if given is None or context.target.is_a(Trait.UNPINNED):
        return f"to({device})"
    return f"to({device}, non_blocking={one_line(context, given)})"


def _are_made(context: Context) -> bool:
    """Whether the program makes callers of methods anywhere."""
    return _MAKES in context.module.text or bool(context.view.program.saying(_MAKER, _MAKES.encode()))


def _callers(context: Context, call: ast.Call) -> list[ast.Call]:
    """Each ``operator.methodcaller("cuda")`` that a call may hand a tensor or a module to; elsewhere, that call.

    Also ``getattr(model, name)()``, where the name is known to be that.
    """
    if isinstance(call.func, ast.Call) and context.roles.method_kept(call.func, *TENSORS, Role.MODEL) == "cuda":
        return [call]
    if context.roles.method_called(call.func) != "cuda" or not call.args:
        return []
    if context.roles.role(call.args[0]) not in (*TENSORS, Role.MODEL):
        return []
    sites = context.flow.structure.made_at(context.view.own, call.func)
    return [site.node if site.facts is context.view.own else call for site in sites]


def _is_used(context: Context, call: ast.Call) -> bool:
    """Whether something is done with what a call gives, which would be None of a method that gives nothing."""
    parent = context.module.parents[call]
    if isinstance(parent, ast.Tuple):
        parent = context.module.parents[parent]
    return isinstance(parent, ast.Assign | ast.Attribute | ast.BinOp | ast.Call | ast.keyword)


def _gives_something(facts: Facts, method: FunctionNode | None) -> bool:
    """Whether a method may give a value: all but one without a ``return x``, as one is that moves what it holds."""
    return (
        not isinstance(method, ast.FunctionDef)
        or bool(method.decorator_list or facts.module.yields(method))
        or any(node.value is not None for node in facts.module.returns(method))
    )


def _gives_something_in(facts: Facts | None) -> bool:
    """Whether a file may have a method `cuda` that gives a value."""
    if facts is None:
        return True
    return any(
        node.name == "cuda" and _gives_something(facts, node)
        for node in facts.module.of_type(ast.FunctionDef, ast.AsyncFunctionDef)
    )


def _makes_storage(context: Context, node: ast.expr) -> bool:
    """``torch.FloatStorage(8)``, ``x.untyped_storage()``, or a name that has one."""
    value = context.names.assigned(node) if isinstance(node, ast.Name) else node
    if not isinstance(value, ast.Call):
        return False
    if _names_storage(context, value.func):
        return True
    func = value.func
    is_method = isinstance(func, ast.Attribute) and func.attr in ("storage", "typed_storage", "untyped_storage")
    return is_method and isinstance(func, ast.Attribute) and context.roles.role(func.value) in TENSORS


def _is_given_storage(context: Context, node: ast.expr) -> bool:
    """``storage`` of ``def to_device(storage: torch.Storage, location):``, which a load may get."""
    bindings = context.names.bindings(node) if isinstance(node, ast.Name) else ()
    asked = [b.node.annotation if isinstance(b.node, ast.arg) else None for b in bindings]
    return bool(asked) and all(a is not None and _names_storage(context, a) for a in asked)


def _names_storage(context: Context, node: ast.expr) -> bool:
    """``torch.FloatStorage``, and the others."""
    name = context.resolve(node) or ""
    return name.startswith("torch.") and name.endswith("Storage")


def _is_storage(context: Context, node: ast.expr) -> bool:
    """``storage`` of ``torch.load(path, map_location=lambda storage, loc: storage.cuda())``, of which XP701 speaks."""
    bindings = context.names.bindings(node) if isinstance(node, ast.Name) else ()
    for binding in bindings:
        arguments = context.module.parents.get(binding.node)
        function = context.module.parents.get(arguments) if isinstance(arguments, ast.arguments) else None
        taker = context.module.parents.get(function) if isinstance(function, ast.Lambda) else None
        call = context.module.parents.get(taker) if isinstance(taker, ast.keyword) else taker
        if binding.how is How.PARAMETER and isinstance(call, ast.Call) and context.resolve(call.func) == "torch.load":
            return True
    return False
