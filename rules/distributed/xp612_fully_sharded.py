"""XP612: FullyShardedDataParallel where fully_shard() takes its place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.roles import Role, dotted
from xlaport.rule import Applicability, Edit, Finding, Harm, Import, RemoveArgument, Replace, Rule, Trait
from xlaport.target import Symbol

from .._lib.arguments import given
from .._lib.class_uses import is_spelled, is_type
from .._lib.distributed import whole_state
from .._lib.distributed.fsdp import asks_torch, is_none, offloads_nothing
from .._lib.distributed.fsdp_names import HYBRID, IN_PLACE, PARAMETERS, WRAPPERS, last_word
from .._lib.distributed.fully_shard import ALL_WRAPPERS, HELPER, MOVES, moves_in, placed, wraps
from .._lib.distributed.saying import say
from .._lib.host_reads.device_values import torch_name
from .._lib.one_line import one_line
from .._lib.removal import is_effect_free
from .._lib.shapes.helpers import helper, is_helper
from .._lib.shapes.shared_helpers import Adding

_WHOLE = "whole_state_dict"
_NOTHING_ELSE = frozenset("cpu_offload process_group ignored_modules ignored_states param_init_fn device_mesh".split())
"""Arguments that have to say nothing."""
_GONE = _NOTHING_ELSE | {
    "device_id", "use_orig_params", "limit_all_gathers", "forward_prefetch", "backward_prefetch",
}  # fmt: skip
"""Those, and what `fully_shard()` has no use for."""
_INSTEAD = {
    "get_shard_metadata": "instead_get_shard_metadata",
    "no_sync": "instead_no_sync",
    "optim_state_dict": "instead_optim_state_dict",
    "optim_state_dict_to_load": "instead_optim_state_dict_to_load",
    "state_dict_type": "instead_state_dict_type",
    "summon_full_params": "instead_summon_full_params",
}
"""The phrases for what takes the place of a method."""
_SHARDED = Symbol(Import("torch.distributed.fsdp", "torch.distributed.fsdp"), "FSDPModule")
"""The type of what is sharded."""


class FullySharded(Rule):
    """Shard by `fully_shard()` what `FullyShardedDataParallel` would wrap.

    ## What it does
    `FullyShardedDataParallel(model, …)` becomes a function that is added to the file: it shards each module that
    `auto_wrap_policy` names, and then the model. With `device_id` it also moves the model; `mixed_precision`,
    `sync_module_states` and `sharding_strategy` stay arguments; what schedules on a GPU goes.

    - `model.clip_grad_norm_(…)` becomes `torch.nn.utils.clip_grad_norm_(model.parameters(), …)`.
    - `with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT, …): model.state_dict()` becomes a function that
      gathers the weights.
    - `model.state_dict()`, which gave the whole weights in each process, becomes that function, too.
    - `model.module` becomes `model`, and `isinstance(m, FSDP)` asks for `FSDPModule`.

    ## Why
    torch_tpu 0.2.0 has no `record_stream()`: `FullyShardedDataParallel` raises as it wraps, or in its first step.
    `fully_shard()` works. It leaves the model, its modules and the names of its weights as they are.

    ## Example
        from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

        def make(net, policy, device):
            return FSDP(net, auto_wrap_policy=policy, device_id=device, use_orig_params=True)

    becomes

        import torch.distributed.fsdp


        def shard_fully(
            model,
            device=None,
            auto_wrap_policy=None,
            mixed_precision=None,
            sharding_strategy=None,
            sync_module_states=False,
        ):
            \"\"\"fully_shard() for what FullyShardedDataParallel would wrap: what a policy names, then all.\"\"\"
            fsdp, given, options, exact, kinds = torch.distributed.fsdp, mixed_precision, {}, {}, ()
            if sharding_strategy is not None and sharding_strategy.name != "FULL_SHARD":
                if sharding_strategy.name != "SHARD_GRAD_OP":
                    raise ValueError(f"fully_shard() is asked for {sharding_strategy.name} in another way")
                options["reshard_after_forward"] = False

            def place(module):
                if not isinstance(module, fsdp.FSDPModule):  # that cannot be moved
                    module._apply(lambda tensor: tensor.to(device), recurse=False)
                    for child in module.children():
                        place(child)

            if device is not None:
                place(model)
            if sync_module_states:
                for tensor in (*model.parameters(), *model.buffers()):
                    torch.distributed.broadcast(tensor.detach(), 0)
            if given is not None:
                policy, casts = fsdp.MixedPrecisionPolicy, given.cast_forward_inputs or given.cast_root_forward_inputs
                exact = {**options, "mp_policy": policy(torch.float32, output_dtype=given.param_dtype)}
                options["mp_policy"] = policy(given.param_dtype, given.reduce_dtype, cast_forward_inputs=casts)
                # Batch norms, which compute in float32 where a policy can set them apart.
                kinds = tuple(given._module_classes_to_ignore) if auto_wrap_policy is not None else ()
                for module in model.modules() if given.buffer_dtype is not None else ():
                    for buffer in module.buffers(recurse=False) if not isinstance(module, kinds) else ():
                        if buffer.is_floating_point():
                            buffer.data = buffer.to(given.buffer_dtype)

            def shard(module):
                size = sum(weight.numel() for weight in module.parameters())
                if isinstance(module, fsdp.FSDPModule):
                    return size
                if isinstance(module, kinds):
                    fsdp.fully_shard(module, **exact)
                    return size
                if not auto_wrap_policy(module=module, recurse=True, nonwrapped_numel=size):
                    return 0
                below = sum(shard(child) for child in module.children())
                rest = size - below
                stays = module is model or isinstance(module, (torch.nn.ModuleList, torch.nn.ModuleDict))
                if stays or not auto_wrap_policy(module=module, recurse=False, nonwrapped_numel=rest):
                    return below
                fsdp.fully_shard(module, **options)
                return size

            if auto_wrap_policy is not None:
                shard(model)
            return fsdp.fully_shard(model, **options)


        def make(net, policy, device):
            return shard_fully(net, device=torch.accelerator.current_accelerator(), auto_wrap_policy=policy)

    ## When it is wrong
    On a TPU it was played with one process alone; in two processes of the CPU, it trains as the class does. An
    optimizer has to be made behind it. Its `state_dict()` gives shards. Buffers that `buffer_dtype` casts stay cast in
    what is saved.

    ## When it is left alone
    Hybrid sharding, weights on the host, groups and modules of one's own choice, and what else the class gives:
    reported, with what takes its place.

    ## Sources
    - Measured on PyTorch 2.13 and torch_tpu 0.2.0, on the CPU plugin of OpenXLA, with one process: policies, mixed
      precision, checkpointed blocks, clipping and the whole weights.
    - PyTorch, FSDP1 to FSDP2 migration guide:
      https://docs.pytorch.org/docs/stable/distributed.fsdp.fully_shard.html

    ## Related
    XP611, XP605.
    """

    code = "XP612"
    name = "fully-sharded"
    summary = "FullyShardedDataParallel becomes fully_shard()"
    applicability = Applicability.UNSAFE
    harm = Harm.STOPS
    traits = (Trait.SHARDS_IN_PLACE,)
    words = ("FullyShardedDataParallel", "fully_shard", "clip_grad_norm_")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each use of the class, and of what only its models have."""
        adding = Adding(self.check, self.code, self.applicability)
        for call in context.module.calls:
            name, method = context.resolve(call.func) or "", call.func
            if name in WRAPPERS:
                yield self._wrapped(context, call, adding)
            elif name.rpartition(".")[0] in WRAPPERS:
                yield self._asked(context, call, adding)
            elif isinstance(method, ast.Attribute) and not is_helper(context, call):
                yield from self._called(context, call, method, adding)
        for node in context.module.of_type(ast.Name, ast.Attribute):
            if context.resolve(node) in ALL_WRAPPERS and is_type(context, node) and not _is_there(context, node):
                yield self._type(context, node)
            elif isinstance(node, ast.Attribute) and node.attr == "module":
                yield from self._inner(context, node)

    def _type(self, context: Context, node: ast.Name | ast.Attribute) -> Finding:
        if not is_spelled(context, node) or isinstance(context.module.parents[node], ast.Compare):
            said = say("XP612.asked", name=one_line(context, node))
            return self.finding(context.place(node), said, applicability=Applicability.MANUAL)
        text, imports = context.spell(_SHARDED, node)
        edit = Replace(context.span(node), text)
        return self.finding(context.span(node), say("XP612.type", name="FSDPModule"), edit, imports=imports)

    def _inner(self, context: Context, node: ast.Attribute) -> Iterator[Finding]:
        """``model.module``, where the model is sharded, or may be."""
        if _is_sharded(context, node.value):
            edit = Replace(context.span(node), context.module.segment(node.value))
            yield self.finding(context.span(node), say("XP612.inner"), edit)
        elif _may_be_sharded(context, node.value):
            said = say("XP612.maybe_inner", model=one_line(context, node.value))
            yield self.finding(context.place(node), said, applicability=Applicability.MANUAL)

    def _wrapped(self, context: Context, call: ast.Call, adding: Adding) -> Finding:
        parent = context.module.parents[call]
        if isinstance(parent, ast.Attribute) and parent.attr in MOVES:
            said = say("XP612.moved", method=parent.attr)
            return self.finding(context.place(call.func), said, applicability=Applicability.MANUAL)
        if call.args and (made := _optimizer_above(context, call)) is not None:
            said = say("XP612.optimizer", line=context.line(made))
            return self.finding(context.place(call.func), said, applicability=Applicability.MANUAL)
        arguments = given(call, PARAMETERS) or {}
        why = _why_not(context, call, arguments)
        defined = helper(context, HELPER, call, adding) if why is None and context.editable(call) else None
        if defined is None:
            said = say("XP612.argument", argument=why) if why else say("XP612.not_plain")
            return self.finding(context.place(call.func), said, applicability=Applicability.MANUAL)
        edits: list[Edit] = [*defined.edits, Replace(context.span(call.func), HELPER)]
        imports = defined.imports
        if "device_id" in arguments or moves_in(context, call):
            move, more = placed(context, call)
            edits.append(move)
            imports += more
        gone = (keyword for keyword in call.keywords if keyword.arg in _GONE)
        edits += [RemoveArgument(context.span(call), context.span(keyword)) for keyword in gone]
        said = say("XP612.sharded", helper=HELPER, source=defined.source)
        return self.finding(context.span(call.func), said, *edits, imports=imports)

    def _asked(self, context: Context, call: ast.Call, adding: Adding) -> Finding:
        """A method that is called on the class: ``FSDP.state_dict_type(model, …)``."""
        whole = whole_state.read(context, call) if last_word(context.resolve(call.func)) == "state_dict_type" else None
        defined = helper(context, _WHOLE, call, adding) if whole is not None and context.editable(call) else None
        if whole is None or defined is None:
            return self._by_hand(context, call, last_word(context.resolve(call.func)))
        state = f"{_WHOLE}({whole.model}{', first_only=True' if whole.first_only else ''})"
        said = say("XP612.whole", helper=_WHOLE, source=defined.source)
        edits = (*defined.edits, *whole_state.replaced(context, whole, state))
        return self.finding(context.span(call.func), said, *edits, imports=defined.imports)

    def _called(self, context: Context, call: ast.Call, method: ast.Attribute, adding: Adding) -> Iterator[Finding]:
        """A method that is called on a model."""
        is_sharded = _is_sharded(context, method.value)
        is_model = is_sharded or (context.roles.is_(method.value, Role.MODEL) and _is_fsdp_alone(context))
        if method.attr == "clip_grad_norm_" and is_model:
            text, imports = torch_name(context, "nn.utils.clip_grad_norm_", call)
            given_here = [context.module.segment(item) for item in (*call.args, *call.keywords)]
            is_used = not isinstance(context.module.parents[call], ast.Expr)
            words = ", ".join([f"{context.module.segment(method.value)}.parameters()", *given_here])
            edit = Replace(context.span(call), f"{text}({words}){'.full_tensor()' if is_used else ''}")
            edits = [edit] if context.editable(call) else []
            yield self.finding(context.span(call.func), say("XP612.clipped"), *edits, imports=imports)
        elif method.attr == "state_dict" and is_sharded and not whole_state.is_within(context, call):
            yield self._whole(context, call, adding)
        elif method.attr == "load_state_dict" and is_sharded:
            model = one_line(context, method.value)
            said = say("XP612.loads", model=model)
            yield self.finding(context.place(call.func), said, applicability=Applicability.MANUAL)
        elif method.attr in _INSTEAD and is_sharded:
            yield self._by_hand(context, call, method.attr)
        elif method.attr in MOVES and _is_behind(context, call, dotted(method.value)):
            said = say("XP612.moved", method=method.attr)
            yield self.finding(context.place(call.func), said, applicability=Applicability.MANUAL)

    def _whole(self, context: Context, call: ast.Call, adding: Adding) -> Finding:
        """``model.state_dict()``, which gave the whole weights in each process."""
        is_plain = not call.args and not call.keywords and context.editable(call)
        defined = helper(context, _WHOLE, call, adding) if is_plain else None
        if defined is None or not isinstance(call.func, ast.Attribute):
            return self._by_hand(context, call, "state_dict_type")
        edit = Replace(context.span(call), f"{_WHOLE}({context.module.segment(call.func.value)})")
        said = say("XP612.whole", helper=_WHOLE, source=defined.source)
        return self.finding(context.span(call.func), said, *defined.edits, edit, imports=defined.imports)

    def _by_hand(self, context: Context, call: ast.Call, name: str) -> Finding:
        model = one_line(context, call.func.value) if isinstance(call.func, ast.Attribute) else ""
        instead = say.phrase(_INSTEAD.get(name, "instead_default"), model=model)
        said = say("XP612.by_hand", name=name, instead=instead)
        return self.finding(context.place(call.func), said, applicability=Applicability.MANUAL)


def _is_there(context: Context, node: ast.expr) -> bool:
    """Whether it is asked whether there is such a class: ``FSDP is not None``."""
    parent = context.module.parents[node]
    return isinstance(parent, ast.Compare) and any(is_none(side) for side in (parent.left, *parent.comparators))


def _why_not(context: Context, call: ast.Call, arguments: dict[str, ast.expr]) -> str | None:
    """The argument that is not understood, if there is one; the empty text where the call is not."""
    if len(call.args) != 1 or not arguments:
        return ""
    for name, value in arguments.items():
        if name in _NOTHING_ELSE and not is_none(value) and not offloads_nothing(context, value):
            return name
        if name in _GONE and not is_effect_free(context, value) and not asks_torch(context, value):
            return name
    if last_word(context.resolve(arguments.get("sharding_strategy"))) in HYBRID | {"NO_SHARD"}:
        return "sharding_strategy"
    policy = arguments.get("auto_wrap_policy")
    is_custom = isinstance(policy, ast.Call) and last_word(context.resolve(policy.func)) == "CustomPolicy"
    return "auto_wrap_policy" if is_custom else None


def _is_fsdp_alone(context: Context) -> bool:
    """Whether models of the program are sharded by the class, and none has the method that clips by itself."""

    def found() -> bool:
        files = (own, *context.flow.structure.analysis(own).files())
        is_own = any(
            isinstance(method, ast.FunctionDef) and method.name == "clip_grad_norm_"
            for facts in files
            for owner in facts.module.of_type(ast.ClassDef)
            for method in owner.body
        )
        return not is_own and any(wraps(context.of(facts), call) for facts in files for call in facts.module.calls)

    own = context.view.own
    return own.once("sharded by the class alone", found)


def _is_sharded(context: Context, model: ast.expr) -> bool:
    """Whether a name or an attribute holds a model that the class has wrapped, and nothing else."""
    if isinstance(model, ast.Name):
        held = context.names.reaching(model)
        return bool(held) and all(wraps(context, binding.value) for binding in held)
    return isinstance(model, ast.Attribute) and dotted(model) in {name for name, _ in _shardings(context)}


def _may_be_sharded(context: Context, model: ast.expr) -> bool:
    """Whether a name may hold such a model: by one of its bindings, or in a branch where its type is asked for."""
    held = context.names.reaching(model) if isinstance(model, ast.Name) else ()
    if any(
        wraps(context, node)
        for b in held
        if b.value is not None
        for node in ast.walk(b.value)
        if isinstance(node, ast.expr)
    ):
        return True
    name, types = dotted(model), ALL_WRAPPERS | {_SHARDED.qualified}
    return name is not None and any(
        isinstance(asked, ast.Call) and len(asked.args) == 2 and dotted(asked.args[0]) == name
        and any(context.resolve(kind) in types for kind in ast.walk(asked.args[1]) if isinstance(kind, ast.expr))
        for parent in context.module.ancestors(model)
        if isinstance(parent, ast.If | ast.IfExp | ast.While)
        for asked in ast.walk(parent.test)
    )  # fmt: skip


def _shardings(context: Context) -> Iterator[tuple[str, ast.Call]]:
    for call in context.module.calls:
        parent = context.module.parents[call]
        if wraps(context, call) and isinstance(parent, ast.Assign):
            yield from ((name, call) for target in parent.targets if (name := dotted(target)))
        elif context.resolve(call.func) in IN_PLACE and call.args and (name := dotted(call.args[0])):
            yield name, call


def _optimizer_above(context: Context, call: ast.Call) -> ast.Call | None:
    """An optimizer of the model's weights that is made in the same function in front of the wrapping."""
    match call.args[0]:
        case ast.Call(func=ast.Attribute(value=moved_model, attr=attr)) if attr in MOVES:
            model = dotted(moved_model)
        case plain:
            model = dotted(plain)
    function = context.module.function(call)
    return next(
        (
            made
            for made in context.module.calls
            if made.lineno < call.lineno
            and context.module.function(made) is function
            and context.roles.is_(made, Role.OPTIMIZER)
            and model is not None
            and any(isinstance(n, ast.Attribute) and dotted(n.value) == model for a in made.args for n in ast.walk(a))
        ),
        None,
    )


def _is_behind(context: Context, move: ast.Call, model: str | None) -> bool:
    """Whether a model is moved that has been sharded above."""
    function = context.module.function(move)
    return any(
        model == sharded
        and context.module.function(call) is function
        and context.span(call).end <= context.span(move).start
        for sharded, call in _shardings(context)
    )
