"""XP960: torch_xla's FullyShardedDataParallel where fully_shard() takes its place."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from xlaport.analysis.value import UNKNOWN
from xlaport.context import Context
from xlaport.facts.loaders import code_of
from xlaport.facts.roles import dotted
from xlaport.rule import (
    Applicability,
    Edit,
    Finding,
    Harm,
    Import,
    RemoveArgument,
    Replace,
    ReplaceStatement,
    Rule,
    Trait,
)
from xlaport.target import Symbol

from .._lib.arguments import given
from .._lib.class_uses import is_spelled, is_type
from .._lib.distributed.fsdp import is_none, is_true
from .._lib.distributed.fsdp_names import last_word
from .._lib.distributed.fully_shard import HELPER, MOVES, moves_in, placed
from .._lib.host_reads.device_values import torch_name
from .._lib.parentheses import ATOMS
from .._lib.removal import is_effect_free
from .._lib.shapes.helpers import helper, helpers
from .._lib.shapes.shared_helpers import Adding
from .._lib.step.moves import is_on_accelerator
from .._lib.successor.answers import uses
from .._lib.successor.saying import say
from .._lib.uses import Use

_UNKNOWN = (
    "auto_wrapper_callable", "param_init_fn", "sharding_groups", "sharding_rank", "sharding_world_size",
    "_debug_dummy_forward_pass", "_debug_dummy_all_gather_op", "_debug_dummy_all_reduce_op",
    "_debug_dummy_reduce_scatter_op", "_debug_dummy_optimization_barrier_op",
)  # fmt: skip
"""Arguments that have to say nothing: None, or False."""
_GONE = (
    "flatten_parameters", "execute_sharding_on_init", "optimization_barrier_in_forward",
    "optimization_barrier_in_backward", "mark_step_on_finalization", "sync_on_finalization", "disable_reshard_on_root",
    "shard_param_on_dim_0", "pin_layout_in_collective_ops", "reduce_scatter_bucket_size_mb",
    "coalesce_all_gather_ops", "_shard_size_multiple", "_use_xla_patched_linear", "_debug_msg", "_debug_print",
    "mesh", "shard_output", "extra_data_axis",
)  # fmt: skip
"""What schedules on XLA, or lays out the shards."""
_PRECISION = ("compute_dtype", "buffer_dtype", "fp32_reduce_scatter")
_RESHARD, _POLICY = "reshard_after_forward", "auto_wrap_policy"
_PARAMETERS = ("module", _RESHARD, _POLICY, *_PRECISION, *_UNKNOWN, *_GONE)
_FLOAT32 = frozenset({"torch.float32", "torch.float"})
_PACKAGE = Import("torch.distributed.fsdp", "torch.distributed.fsdp")
_WHOLE = "whole_state_dict"
_STATES = Import("torch.distributed.checkpoint.state_dict", "torch.distributed.checkpoint.state_dict")
_NAMES = ast.Name | ast.Attribute


class XlaFullySharded(Rule):
    """Shard by `fully_shard()` what torch_xla's `XlaFullyShardedDataParallel` would wrap.

    ## What it does
    `XlaFullyShardedDataParallel(model, …)` becomes a function that is added to the file: it shards each module that
    `auto_wrap_policy` names, and then the model, and moves to the device what is not sharded yet. `compute_dtype`,
    `buffer_dtype` and `fp32_reduce_scatter` become a `MixedPrecision`, `reshard_after_forward=False` a strategy; what
    schedules on XLA or lays out the shards goes. `SpmdFullyShardedDataParallel` becomes the same. The function by which
    XP603 gathers the whole weights becomes one for those shards. XP951 writes PyTorch's policies, XP612 what is done
    with the model.

    ## Why
    The wrapper is torch_xla's. PyTorch's `FullyShardedDataParallel` raises on torch_tpu 0.2.0, and `fully_shard()`
    works. It leaves the model, its modules and the names of its weights as they are.

    ## Example
        from torch_xla.distributed.fsdp import XlaFullyShardedDataParallel as FSDP

        def make(net, policy):
            return FSDP(net, auto_wrap_policy=policy, flatten_parameters=True)

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


        def make(net, policy):
            return shard_fully(net, device=torch.accelerator.current_accelerator(), auto_wrap_policy=policy)

    ## When it is wrong
    `fully_shard()` starts the process group where the program does not, which needs torchrun, also for one process.
    Batch norms compute in float32 where a policy is given. Each process saved its own share of the weights:
    `state_dict()` holds sharded tensors now, for `torch.distributed.checkpoint`.

    ## When it is left alone
    A wrapper or weights of one's own choice, groups, and policies that take `unwrapped_params`: reported.

    ## Sources
    - Read from the modules of torch_xla 2.1 to 2.9.
    - Measured on PyTorch 2.13 and torch_tpu 0.2.0, on the CPU plugin of OpenXLA, with one process: `fully_shard()`
      makes the process group, raises for a model of the host, and a sharded model cannot be moved.

    ## Related
    XP612, XP951, XP956.
    """

    code = "XP960"
    name = "xla-fully-sharded"
    summary = "XlaFullyShardedDataParallel becomes fully_shard()"
    applicability = Applicability.UNSAFE
    harm = Harm.STOPS
    traits = (Trait.SUCCEEDS_XLA,)
    words = ("torch_xla",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each use of the class but as a type, which XP612 writes."""
        adding = Adding(self.check, self.code, self.applicability)
        for use in uses(context):
            if use.entry.rule != self.code:
                continue
            if use.call is not None:
                yield self._wrapped(context, use, use.call, adding)
            elif not (isinstance(use.node, _NAMES) and is_spelled(context, use.node) and is_type(context, use.node)):
                yield self._by_hand(context, use, "XP960.not_plain")
        for function in context.module.of_type(ast.FunctionDef):
            if function.name == _WHOLE and context.editable(function) and _consolidates(context, function):
                text, imports = torch_name(context, "x", function)
                code = helpers()[_WHOLE].replace("{torch}", text.removesuffix(".x"))
                edit = ReplaceStatement(context.span(function), code)
                said = say("XP960.whole", name=_WHOLE)
                yield self.finding(context.span(function), said, edit, imports=(*imports, _STATES))

    def _wrapped(self, context: Context, use: Use, call: ast.Call, adding: Adding) -> Finding:
        arguments = given(call, _PARAMETERS) or {}
        parent = context.module.parents[call]
        if isinstance(parent, ast.Attribute) and parent.attr in MOVES:
            return self._by_hand(context, use, "XP960.moved", method=parent.attr)
        if len(call.args) != 1 or not arguments:
            return self._by_hand(context, use, "XP960.not_plain")
        why = _not_understood(context, arguments)
        if why is not None:
            return self._by_hand(context, use, "XP960.argument", argument=why)
        is_placed = is_on_accelerator(context, context.module.statement(call), dotted(call.args[0]) or "")
        defined = helper(context, HELPER, call, adding) if context.editable(call) else None
        if defined is None:
            return self._by_hand(context, use, "XP960.not_plain")
        edits: list[Edit] = [*defined.edits, Replace(context.span(call.func), HELPER)]
        imports = defined.imports
        if not is_placed or moves_in(context, call):
            move, more = placed(context, call)
            edits.append(move)
            imports += more
        written, more = _written(context, call, arguments)
        imports += more
        for keyword in call.keywords:
            if keyword.arg in written:
                edits.append(Replace(context.span(keyword), written[keyword.arg]))
            elif keyword.arg != _POLICY:
                edits.append(RemoveArgument(context.span(call), context.span(keyword)))
        said = say("XP960.sharded", what=last_word(use.name), helper=HELPER, source=defined.source)
        return self.finding(context.span(call.func), said, *edits, imports=imports)

    def _by_hand(self, context: Context, use: Use, key: str, **words: str) -> Finding:
        said = say(key, what=last_word(use.name), recipe=use.answer.recipe, **words)
        return self.finding(context.place(use.node), said, applicability=Applicability.MANUAL)


def _consolidates(context: Context, function: ast.FunctionDef) -> bool:
    """Whether a function gathers whole weights by torch_xla's own shards, as XP603 writes it."""
    return any(
        isinstance(call, ast.Call) and (context.resolve(call.func) or "").endswith(".consolidate_sharded_state_dicts")
        for call in ast.walk(function)
    )


def _not_understood(context: Context, arguments: Mapping[str, ast.expr]) -> str | None:
    """The argument that `shard_fully()` has nothing for."""
    for name, value in arguments.items():
        if name in _UNKNOWN and not (is_none(value) or _is_false(value)):
            return name
        if name not in ("module", _POLICY) and not is_effect_free(context, value):
            return name
    structure, own = context.flow.structure, context.view.own
    policy = structure.value(own, arguments[_POLICY]) if _POLICY in arguments else None
    for _, code in code_of(structure, own, policy or UNKNOWN):
        if any(a.arg == "unwrapped_params" for a in (*code.args.posonlyargs, *code.args.args, *code.args.kwonlyargs)):
            return _POLICY
    return None


def _written(
    context: Context, call: ast.Call, arguments: Mapping[str, ast.expr]
) -> tuple[dict[str, str], tuple[Import, ...]]:
    """What stands in place of which argument, and the imports that it needs."""
    written: dict[str, str] = {}
    imports: tuple[Import, ...] = ()
    dtype, buffers = (None if _is_exact(context, arguments.get(name)) else arguments[name] for name in _PRECISION[:2])
    if dtype is not None or buffers is not None:
        kind, imports = context.spell(Symbol(_PACKAGE, "MixedPrecision"), call)
        words = [] if dtype is None else [f"param_dtype={context.module.segment(dtype)}"]
        reduces = arguments.get("fp32_reduce_scatter")
        if dtype is not None and reduces is not None and not _is_false(reduces):
            exact, more = context.spell(Symbol(Import("torch", "torch"), "float32"), call)
            words.append(f"reduce_dtype={_if(context, reduces, exact, 'None')}")
            imports += more
        given_buffers = arguments.get("buffer_dtype")
        stored = buffers or (dtype if given_buffers is None or is_none(given_buffers) else None)
        if stored is not None:
            words.append(f"buffer_dtype={context.module.segment(stored)}")
        place = _PRECISION[0] if dtype is not None else _PRECISION[1]
        written[place] = f"mixed_precision={kind}({', '.join(words)})"
    reshards = arguments.get(_RESHARD)
    if reshards is not None and not is_true(reshards):
        strategy, more = context.spell(Symbol(_PACKAGE, "ShardingStrategy.SHARD_GRAD_OP"), call)
        written[_RESHARD] = f"sharding_strategy={_if(context, reshards, 'None', strategy)}"
        imports += more
    return written, imports


def _if(context: Context, condition: ast.expr, yes: str, no: str) -> str:
    if isinstance(condition, ast.Constant):
        return yes if condition.value else no
    text = context.module.segment(condition)
    return f"{yes} if {text if isinstance(condition, ATOMS) else f'({text})'} else {no}"


def _is_exact(context: Context, dtype: ast.expr | None) -> bool:
    """Whether nothing is cast: the dtype is not given, or float32."""
    return dtype is None or is_none(dtype) or context.resolve(dtype) in _FLOAT32


def _is_false(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is False
