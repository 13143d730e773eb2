"""A group of processes that stays as it is, and is joined without CUDA: it takes no tensors of XLA."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable

from xlaport.context import Context

from . import group, names
from .jobs import job_of

_PLACED_BY = frozenset({"device_ids", "output_device"})


def staying_group(context: Context, guarded: Iterable[ast.AST]) -> str | None:
    """The line of a group that stays, for which guarded code wraps a model, so that it must not run; None: it may.

    Code that moves the model, too, or that is the training itself, is more than the wrapping.
    """
    nodes = [node for part in guarded for node in ast.walk(part)]
    wraps = [n for n in nodes if isinstance(n, ast.Call) and context.resolve(n.func) in names.WRAPPERS]
    if not wraps or any(isinstance(node, ast.For | ast.While) for node in nodes):
        return None
    placed = (k.value for call in wraps for k in call.keywords if k.arg in _PLACED_BY)
    of_wrapping = {node for value in placed for node in ast.walk(value)}
    if any(_moves(context, node) for node in nodes if node not in of_wrapping):
        return None
    found = _group(context)
    if found is None:
        return None
    there, start = found
    line = there.line(start) if there.view.is_alone else str(start.lineno)
    file = there.view.own.file
    return f"line {line}{'' if file == context.view.own.file else f' of {os.path.basename(file)}'}"


def _moves(context: Context, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("cuda", "to")


def _group(context: Context) -> tuple[Context, ast.Call] | None:
    """Where the processes of a file join a group that stays, and that may be another than NCCL's."""
    job = job_of(context)
    if job is None or (job.is_nccl and job.obstacle is None):
        return None
    for there in _files(context, sorted(job.files)):
        for call in there.module.calls:
            if there.resolve(call.func) == names.START and _is_joined(there, call):
                return there, call
    return None


def _files(context: Context, files: list[str]) -> Iterable[Context]:
    for file in files:
        facts = context.view.own if context.view.is_alone else context.view.program.facts(file)
        if facts is not None:
            yield context.of(facts)


def _is_joined(context: Context, call: ast.Call) -> bool:
    """Whether a group is joined where there is no NCCL, as one that is not XLA's."""
    given = {k.arg: k.value for k in call.keywords}
    backend = call.args[0] if call.args else given.get("backend")
    method = call.args[1] if len(call.args) > 1 else given.get("init_method")
    if names.is_nccl(backend) or group.is_xla_s(context, method):
        return False
    return not isinstance(backend, ast.Constant) or backend.value != context.target.device_type
