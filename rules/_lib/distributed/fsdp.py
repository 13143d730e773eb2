"""FullyShardedDataParallel in a job of several processes: what of it torch_xla's own wrapper does in the same way."""

from __future__ import annotations

import ast
import re

from xlaport.context import Context
from xlaport.facts.names import How
from xlaport.facts.roles import Role, dotted
from xlaport.rule import InsertStatement, RemoveArgument, Replace
from xlaport.wording import Text

from ..arguments import given
from ..host_reads.device_values import torch_name
from ..removal import is_effect_free
from . import recomputed, whole_state
from .fsdp_names import HYBRID, KEPT_POLICY, PARAMETERS, POLICIES, belongs, is_wrapper, last_word
from .mixed import Precision, precision
from .part import Part, line
from .saying import say

_GONE = frozenset(
    {"device_id", "use_orig_params", "limit_all_gathers", "forward_prefetch", "backward_prefetch", "cpu_offload",
     "sync_module_states", "sharding_strategy", "mixed_precision", "process_group", "ignored_modules", "ignored_states",
     "device_mesh"}
)  # fmt: skip
"""Arguments that torch_xla's wrapper does not know. `_why_not` looks at what is in those that mean something."""
_NOTHING_ELSE = ("process_group", "ignored_modules", "ignored_states", "device_mesh", "param_init_fn")
_SHAPES = frozenset({"dim", "ndim", "shape", "size"})


def takes(part: Part, node: ast.expr, name: str) -> bool:
    """Read a name of FSDP, as far as it is one; what is not understood becomes an obstacle of the job."""
    if not belongs(name):
        return False
    context = part.context
    parent = context.module.parents[node]
    call = parent if isinstance(parent, ast.Call) and parent.func is node else None
    word = last_word(name)
    if is_wrapper(name):
        if call is not None:
            _wrap(part, call)
        elif _is_type(context, node):
            part.edits.append(Replace(context.span(node), part.asks("fsdp", node)))
        else:
            part.obstacles.append((node, say("XP603.fsdp_call")))
    elif word == "state_dict_type" and call is not None:
        whole_state.block(part, call)
    elif word in POLICIES and call is None:
        part.edits.append(Replace(context.span(node), part.asks(word, node)))
    elif word == "apply_activation_checkpointing" and call is not None:
        recomputed.blocks(part, call)
    elif word not in KEPT_POLICY and not (word == "checkpoint_wrapper" and call is None):
        part.obstacles.append((node, say("XP603.uses", name=name)))
    return True


def _is_type(context: Context, node: ast.expr) -> bool:
    """Whether a class is asked about, or stands in an annotation."""
    parent = context.module.parents[node]
    if isinstance(parent, ast.Tuple):
        parent = context.module.parents[parent]
    if isinstance(parent, ast.Call):
        return context.resolve(parent.func) == "builtins.isinstance"
    return isinstance(parent, ast.arg | ast.AnnAssign | ast.BinOp | ast.Subscript | ast.FunctionDef)


def _wrap(part: Part, call: ast.Call) -> None:
    context = part.context
    arguments = given(call, PARAMETERS)
    if arguments is None or len(call.args) > 1 or not context.editable(call):
        part.obstacles.append((call, say("XP603.fsdp_call")))
        return
    why = _why_not(context, arguments) or _why_not_used(context, call)
    if why is not None:
        part.obstacles.append((call, why))
        return
    keywords = {k.arg: k for k in call.keywords}
    part.edits.append(Replace(context.span(call.func), part.asks("fsdp", call)))
    written = []
    if "mixed_precision" in arguments:
        found = precision(part, arguments["mixed_precision"])
        target = context.module.parents[call]
        if found is None:
            part.obstacles.append((call, _precision_problem(context, arguments["mixed_precision"])))
            return
        if found.dtype is not None and not (isinstance(target, ast.Assign) and len(target.targets) == 1):
            part.obstacles.append((call, say("XP603.fsdp_call")))
            return
        if found.dtype is not None:
            assert isinstance(target, ast.Assign)
            written.append(f"_use_xla_patched_linear={_without(found)}")
            part.edits.append(InsertStatement(context.span(target), _autocast(part, target, found)))
    if "sharding_strategy" in arguments and last_word(context.resolve(arguments["sharding_strategy"])) != "FULL_SHARD":
        written.append("reshard_after_forward=False")
    if is_true(arguments.get("sync_module_states")):
        _synchronise(part, call, arguments["module"])
    gone = [keyword for name, keyword in keywords.items() if name in _GONE]
    if written and gone:
        # Where the precision stood, or else the strategy.
        place = next((k for k in gone if k.arg == "mixed_precision"), None) or next(
            k for k in gone if k.arg == "sharding_strategy"
        )
        gone.remove(place)
        part.edits.append(Replace(context.span(place), _separator(context, place).join(written)))
    part.edits += [RemoveArgument(context.span(call), context.span(keyword)) for keyword in gone]


def _without(found: Precision) -> str:
    """torch_xla's own form of nn.Linear does not go with autocast."""
    if found.condition is None:
        return "False"
    return f"not {found.condition}" if re.fullmatch(r"[\w.]+", found.condition) else f"not ({found.condition})"


def _autocast(part: Part, target: ast.Assign, found: Precision) -> str:
    context = part.context
    autocast, imports = torch_name(context, "autocast", target)
    part.imports += imports
    model = context.module.segment(target.targets[0])
    enabled = "" if found.condition is None else f", enabled={found.condition}"
    kind = context.target.device_type
    return f'{model}.forward = {autocast}("{kind}", dtype={found.dtype}{enabled})({model}.forward)'


def _separator(context: Context, argument: ast.keyword) -> str:
    """What stands between an argument and the next: a line of its own for each, where this one has its own."""
    start = context.span(argument).start
    before = context.module.text[context.module.line_start(argument.lineno) : start]
    return ", " if before.strip() else f",\n{before}"


def _why_not(context: Context, arguments: dict[str, ast.expr]) -> Text | None:
    for name in _NOTHING_ELSE:
        if name in arguments and not is_none(arguments[name]):
            return say("XP603.fsdp_unsupported", argument=name)
    strategy = last_word(context.resolve(arguments.get("sharding_strategy")))
    if "sharding_strategy" in arguments and strategy not in ("FULL_SHARD", "SHARD_GRAD_OP"):
        if strategy in HYBRID:
            return say("XP603.fsdp_unsupported", argument=strategy)
        return say("XP603.fsdp_argument", argument="sharding_strategy")
    offload = arguments.get("cpu_offload")
    if offload is not None and not is_none(offload) and not offloads_nothing(context, offload):
        return say("XP603.fsdp_unsupported", argument="cpu_offload")
    policy = arguments.get("auto_wrap_policy")
    if policy is not None and not is_none(policy) and not _is_policy(context, policy):
        return say("XP603.fsdp_argument", argument="auto_wrap_policy")
    synchronises = arguments.get("sync_module_states")
    if synchronises is not None and not isinstance(synchronises, ast.Constant):
        return say("XP603.fsdp_argument", argument="sync_module_states")
    going = [
        value for name, value in arguments.items() if name in _GONE - _TRANSLATED and not asks_torch(context, value)
    ]
    if not is_effect_free(context, *going):
        return say("XP603.fsdp_call")
    return None


def asks_torch(context: Context, node: ast.expr) -> bool:
    """``torch.cuda.current_device()``, ``torch.device("cuda", rank)``: a question, or a value, of torch."""
    return isinstance(node, ast.Call) and (context.resolve(node.func) or "").startswith("torch.")


_TRANSLATED = frozenset({"mixed_precision", "cpu_offload"})


def _why_not_used(context: Context, wrap: ast.Call) -> Text | None:
    """What is done with a model in the file that its shards, flat pieces under other names, do not allow."""
    parent = context.module.parents[wrap]
    wrapped = [dotted(target) for target in parent.targets] if isinstance(parent, ast.Assign) else []
    for call in context.module.calls:
        method = call.func
        if not isinstance(method, ast.Attribute) or context.module.class_of(call) is not None:
            continue
        is_model = dotted(method.value) in wrapped or context.roles.is_(method.value, Role.MODEL)
        at = line(context, call)
        if method.attr == "named_parameters" and is_model and call.lineno > wrap.lineno:
            return say("XP603.flat", line=at)
        if method.attr in ("load_state_dict", "state_dict") and is_model and call.lineno > wrap.lineno:
            if not (method.attr == "state_dict" and whole_state.is_within(context, call)):
                return say("XP603.shards", line=at)
        if method.attr == "parameters" and is_model and _asks_for_shapes(context, call):
            return say("XP603.flat", line=at)
    return None


def _asks_for_shapes(context: Context, call: ast.Call) -> bool:
    parent = context.module.parents[call]
    around = context.module.parents[parent] if isinstance(parent, ast.comprehension) else parent
    if not isinstance(around, ast.For | ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp):
        return False
    return any(isinstance(n, ast.Attribute) and n.attr in _SHAPES for n in ast.walk(around))


def _is_policy(context: Context, node: ast.expr) -> bool:
    """``functools.partial(transformer_auto_wrap_policy, …)``, ``ModuleWrapPolicy({…})``, or a name for one."""
    if isinstance(node, ast.Name):
        found = context.names.bindings(node)
        if len(found) == 1 and found[0].how is How.ASSIGN and found[0].value is not None:
            return _is_policy(context, found[0].value)
    if isinstance(node, ast.Call):
        if context.resolve(node.func) == "functools.partial":
            return bool(node.args) and last_word(context.resolve(node.args[0])) in POLICIES
        return last_word(context.resolve(node.func)) == "ModuleWrapPolicy"
    return last_word(context.resolve(node)) in POLICIES


def _synchronise(part: Part, call: ast.Call, model: ast.expr) -> None:
    """Give every process the first one's weights, before each keeps its own share of them."""
    context = part.context
    text = context.module.segment(model)
    statement = context.module.statement(call)
    if not isinstance(model, ast.Name):
        part.obstacles.append((call, say("XP603.fsdp_call")))
        return
    lines = f"{text}.to({part.asks('device', call)}())\n{part.asks('broadcast_parameters', call)}({text})"
    part.edits.append(InsertStatement(context.span(statement), lines, before=True))


def _precision_problem(context: Context, value: ast.expr) -> Text:
    if any(context.resolve(n) in ("torch.float16", "torch.half") for n in ast.walk(value) if isinstance(n, ast.expr)):
        return say("XP603.float16")
    return say("XP603.fsdp_argument", argument="mixed_precision")


def offloads_nothing(context: Context, node: ast.expr) -> bool:
    if not isinstance(node, ast.Call) or last_word(context.resolve(node.func)) != "CPUOffload":
        return False
    values = [*node.args, *(k.value for k in node.keywords)]
    return all(isinstance(value, ast.Constant) and value.value is False for value in values)


def is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def is_true(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is True
