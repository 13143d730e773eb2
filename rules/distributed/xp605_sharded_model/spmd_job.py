"""A program that shards by ``fully_shard()``, as one process for all chips of a host: what becomes of each part."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from xlaport.context import Context
from xlaport.facts.roles import dotted
from xlaport.facts.vocabulary import LOADERS
from xlaport.rule import Edit, Import, InsertStatement, Replace, ReplaceStatement

from ..._lib.distributed import names
from ..._lib.distributed.fsdp_names import IN_PLACE, last_word
from ..._lib.distributed.saying import say
from ..._lib.main_guard import main_guard
from ..._lib.removal import removal

_STATE = "torch.distributed.checkpoint.state_dict."
_GONE = frozenset(
    {names.START, names.BARRIER, "torch.distributed.all_reduce", "torch.distributed.destroy_process_group"}
)
"""Statements without a meaning in one process, whose tensors hold what all chips have computed."""
_ASKED = {"torch.distributed.get_rank": "process_index", "torch.distributed.get_world_size": "process_count"}
_NUMBERS = {"RANK": "process_index", "LOCAL_RANK": "process_index", "WORLD_SIZE": "process_count"}


@dataclass
class SpmdJob:
    """The edits of one file. `obstacle`: what is not understood, and its place."""

    context: Context
    edits: list[Edit] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)
    obstacle: tuple[ast.AST, str] | None = None

    def asks(self, meaning: str, node: ast.AST) -> str:
        """How to write a function of the target at a node; its import is noted."""
        text, imports = self.context.symbol(meaning, node)
        self.imports += imports
        return text

    def stop(self, node: ast.AST, what: str) -> None:
        """Note what is not understood, the first time."""
        self.obstacle = self.obstacle or (node, what)

    def remove(self, statement: ast.stmt) -> None:
        """Take a statement out, once."""
        edit = removal(self.context, statement)
        if edit not in self.edits:
            self.edits.append(edit)


def spmd_job(context: Context) -> SpmdJob:
    """Read the one file of a program."""
    job = SpmdJob(context)
    guard = main_guard(context)
    if guard is None:
        job.stop(context.module.tree.body[0], say.phrase("spmd_top"))
        return job
    job.edits.append(
        InsertStatement(context.span(guard.body[0]), f"{job.asks('use_spmd', guard.body[0])}()", before=True)
    )
    for node in context.module.nodes:
        if (name := names.is_distributed(context, node)) is not None:
            assert isinstance(node, ast.expr)
            _named(job, node, name)
        elif (found := names.variable(context, node)) is not None:
            assert isinstance(node, ast.expr)
            _variable(job, node, found[0])
        elif isinstance(node, ast.Attribute) and node.attr in ("full_tensor", "to_local", "unshard", "placements"):
            job.stop(node, say.phrase("spmd_uses", name=node.attr))
        elif isinstance(node, ast.Call) and context.resolve(node.func) in LOADERS:
            _loader(job, node)
    return job


def _named(job: SpmdJob, node: ast.expr, name: str) -> None:
    context = job.context
    call = names.called(context, node)
    statement = context.module.statement(node)
    if call is None:
        if last_word(name) != "StateDictOptions" and name not in names.SAMPLERS:
            job.stop(node, say.phrase("spmd_uses", name=name))
    elif name in _GONE:
        plain = isinstance(statement, ast.Expr) and statement.value is call
        if not plain or any(k.arg in ("group", "async_op") for k in call.keywords):
            job.stop(call, say.phrase("spmd_uses", name=name))
        else:
            job.remove(statement)
    elif name == names.DEFAULT_BACKEND and isinstance(statement, ast.Assign):
        job.remove(statement)
    elif name in _ASKED and not call.args and not call.keywords:
        job.edits.append(Replace(context.span(call), f"{job.asks(_ASKED[name], call)}()"))
    elif name in names.SAMPLERS:
        if len(call.args) < 3 and not {"num_replicas", "rank"} <= {k.arg for k in call.keywords}:
            job.stop(call, say.phrase("spmd_sampler"))
    elif name in IN_PLACE:
        _shard(job, call, statement)
    elif name == f"{_STATE}get_model_state_dict":
        _state(job, call)
    elif last_word(name) != "StateDictOptions":
        job.stop(call, say.phrase("spmd_uses", name=name))


def _shard(job: SpmdJob, call: ast.Call, statement: ast.stmt) -> None:
    """The parts of a model, and the model: its parameters are marked once."""
    context = job.context
    plain = isinstance(statement, ast.Expr) and statement.value is call and len(call.args) == 1
    if not plain or {k.arg for k in call.keywords} - {"reshard_after_forward"}:
        job.stop(call, say.phrase("spmd_arguments"))
        return
    block = context.module.parents[statement]
    model = dotted(call.args[0])
    if isinstance(block, ast.For) and block.body == [statement] and not block.orelse:
        job.remove(block)
    elif model is None or isinstance(block, ast.For | ast.While):
        job.stop(call, say.phrase("spmd_arguments"))
    elif _is_last(context, statement):
        lines = [] if _is_placed(context, statement, model) else [f"{model}.to({job.asks('device', call)}())"]
        lines += [
            f'mesh = {job.asks("mesh_of_all", call)}("fsdp")',
            f"for parameter in {model}.parameters():",
            f'    {job.asks("mark_sharding", call)}(parameter, mesh, ("fsdp",) + (None,) * (parameter.dim() - 1))',
        ]
        if any(not context.names.is_free(name, statement) for name in ("mesh", "parameter")):
            job.stop(call, say.phrase("spmd_uses", name="mesh"))
        job.edits.append(ReplaceStatement(context.span(statement), "\n".join(lines)))
    else:
        job.remove(statement)


def _is_placed(context: Context, statement: ast.stmt, model: str) -> bool:
    """Whether a statement in front of another one of its block brings the model to the device."""
    block = context.module.block(statement)
    for other in block[: block.index(statement)]:
        value = other.value if isinstance(other, ast.Expr | ast.Assign) else None
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in ("to", "cuda"):
            placed = other.targets[0] if isinstance(other, ast.Assign) else value.func.value
            if dotted(placed) == model:
                return True
    return False


def _is_last(context: Context, statement: ast.stmt) -> bool:
    """Whether nothing is sharded behind a statement: it is the model as a whole."""
    sharded = [c.lineno for c in context.module.calls if context.resolve(c.func) in IN_PLACE]
    return statement.lineno == max(sharded)


def _state(job: SpmdJob, call: ast.Call) -> None:
    """``get_model_state_dict(model, options=StateDictOptions(full_state_dict=True, …))``: the tensors are whole."""
    context = job.context
    options = next((k.value for k in call.keywords if k.arg == "options"), None)
    given = {k.arg: k.value for k in options.keywords} if isinstance(options, ast.Call) else {}
    full = given.get("full_state_dict")
    if not (isinstance(full, ast.Constant) and full.value is True) or not call.args:
        job.stop(call, say.phrase("spmd_shards"))
        return
    model = context.module.segment(call.args[0])
    text = f"{{name: value.cpu() for name, value in {model}.state_dict().items()}}"
    job.edits.append(Replace(context.span(call), text))


def _variable(job: SpmdJob, node: ast.expr, name: str) -> None:
    context = job.context
    parent = context.module.parents[node]
    if name in names.ADDRESSES and isinstance(parent, ast.Expr | ast.Assign):
        job.remove(context.module.statement(node))
    elif name in _NUMBERS and isinstance(parent, ast.Call) and context.resolve(parent.func) == "builtins.int":
        job.edits.append(Replace(context.span(parent), f"{job.asks(_NUMBERS[name], node)}()"))
    else:
        job.stop(node, say.phrase("spmd_uses", name=name))


def _loader(job: SpmdJob, call: ast.Call) -> None:
    """A batch is that of all chips."""
    context = job.context
    given = {k.arg: k.value for k in call.keywords}
    sampler, size = given.get("sampler"), given.get("batch_size")
    value = context.names.assigned(sampler) if isinstance(sampler, ast.Name) else sampler
    if not isinstance(value, ast.Call) or context.resolve(value.func) not in names.SAMPLERS:
        return
    if size is None:
        job.stop(call, say.phrase("spmd_batch_size"))
        return
    text = context.module.segment(size)
    whole = text if isinstance(size, ast.Name | ast.Attribute | ast.Constant) else f"({text})"
    job.edits.append(Replace(context.span(size), f"{whole} * {job.asks('global_device_count', call)}()"))
