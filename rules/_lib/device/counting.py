"""What a program counts devices for: the places that a count of GPUs goes to."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable

from xlaport.context import Context
from xlaport.facts.roles import dotted

from . import cuda

COUNTS = frozenset({"torch.cuda.device_count", "torch.accelerator.device_count", "torch.cuda.random.device_count"})

_COMPARE: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}  # fmt: skip

_PROCESSES = re.compile(
    r"world_?size|n_?procs?$|num_proc|nproc|num_processes|per_(node|machine|host)$",
    re.IGNORECASE,
)
_RANKS = re.compile(r"rank|ordinal|proc(ess)?_?(id|idx|index)|worker_?id", re.IGNORECASE)
_SPAWNS = frozenset({"spawn", "start_processes", "launch", "Popen", "init_process_group", "init_rpc"})
_PARALLEL = frozenset({"DataParallel", "data_parallel"})


def is_count(context: Context, node: ast.AST) -> bool:
    """``torch.cuda.device_count()``, ``torch.accelerator.device_count()``."""
    return isinstance(node, ast.Call) and context.resolve(node.func) in COUNTS


def truth_of(compare: ast.Compare, node: ast.expr, count: int) -> bool | None:
    """What ``count() > 1`` says if there are `count` devices; None for what is no comparison with a number."""
    if len(compare.ops) != 1:
        return None
    compares = _COMPARE.get(type(compare.ops[0]))
    left = compare.left is node
    other = compare.comparators[0] if left else compare.left
    if compares is None or not isinstance(other, ast.Constant) or type(other.value) is not int:
        return None
    return compares(count, other.value) if left else compares(other.value, count)


def is_condition(context: Context, node: ast.expr) -> bool:
    """Whether only the truth of an expression counts where it stands."""
    parent = context.module.parents[node]
    if isinstance(parent, ast.If | ast.While | ast.IfExp | ast.Assert):
        return node is parent.test
    if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
        return True
    if isinstance(parent, ast.Call):
        return context.resolve(parent.func) == "builtins.bool"
    return isinstance(parent, ast.BoolOp) and is_condition(context, parent)


def is_rank(context: Context, node: ast.expr) -> bool:
    """``rank``, ``args.local_rank``, ``dist.get_rank()``."""
    return any(
        _RANKS.search(n.id if isinstance(n, ast.Name) else n.attr)
        for n in ast.walk(node)
        if isinstance(n, ast.Name | ast.Attribute)
    )


def names_processes(path: str) -> bool:
    """Whether a name, by its own word, counts processes: ``world_size``, ``nprocs``."""
    return _PROCESSES.search(path.rpartition(".")[2]) is not None


def starts_processes(context: Context, node: ast.expr) -> bool:
    """Whether a value is, or is part of, the arguments of what starts processes: ``mp.spawn(…, nprocs=v)``."""
    child: ast.AST = node
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.keyword) and parent.arg is not None and names_processes(parent.arg):
            return True
        if isinstance(parent, ast.Call) and child is not parent.func:
            called = context.resolve(parent.func) or dotted(parent.func) or ""
            if called.rpartition(".")[2] in _SPAWNS:
                return True
        if isinstance(parent, ast.stmt):
            return False
        child = parent
    return False


def names_a_device(context: Context, node: ast.expr) -> bool:
    """Whether a number only says which GPU: ``torch.cuda.set_device(…)``, ``x.cuda(…)``, ``f"cuda:{…}"``."""
    child: ast.AST = node
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.stmt):
            return False
        if isinstance(parent, ast.Call) and child is not parent.func:
            called = context.resolve(parent.func) or ""
            is_method = isinstance(parent.func, ast.Attribute) and parent.func.attr == "cuda"
            if is_method or called == "torch.device" or (called.startswith("torch.cuda.") and called not in COUNTS):
                return True
        if cuda.is_cuda_string(parent):
            return True
        child = parent
    return False


def asks_of_each(context: Context, use: ast.expr) -> ast.Call | None:
    """What asks CUDA about each of the GPUs: ``[torch.cuda.get_device_properties(i) for i in range(n_gpu)]``."""
    parent = context.module.parents[use]
    if not isinstance(parent, ast.Call) or context.resolve(parent.func) != "builtins.range":
        return None
    around = context.module.parents[parent]
    if isinstance(around, ast.comprehension):
        around = context.module.parents[around]
    if not isinstance(around, ast.For | ast.ListComp | ast.GeneratorExp | ast.DictComp | ast.SetComp):
        return None
    calls = (node for node in ast.walk(around) if isinstance(node, ast.Call))
    return next((call for call in calls if (context.resolve(call.func) or "").startswith("torch.cuda.get_")), None)


def asked_around(context: Context, node: ast.expr) -> ast.expr | None:
    """The count in a question under which code runs, which compares it with something that is not known."""
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            return None
        if isinstance(parent, ast.If | ast.IfExp | ast.While | ast.Assert):
            asked = [n for n in ast.walk(parent.test) if isinstance(n, ast.Call) and is_count(context, n)]
            found = next((n for n in asked if n is not node and _is_compared(context, n)), None)
            if found is not None:
                return found
    return None


def _is_compared(context: Context, count: ast.Call) -> bool:
    question = context.module.parents[count]
    return isinstance(question, ast.Compare) and truth_of(question, count, 1) is None


def in_worker(context: Context, node: ast.AST) -> bool:
    """Whether code runs in each process of a job: a function that is handed to a launcher, or knows its rank."""
    function = context.module.function(node)
    while function is not None:
        parameters = [*function.args.posonlyargs, *function.args.args]
        if any(_RANKS.search(p.arg) for p in parameters) or _is_launched(context, function.name):
            return True
        calls = (n for n in ast.walk(function) if isinstance(n, ast.Call))
        if any((context.resolve(c.func) or "").startswith("torch.distributed.init_process_group") for c in calls):
            return True
        function = context.module.function(function)
    return False


def _is_launched(context: Context, name: str) -> bool:
    for call in context.module.calls:
        called = context.resolve(call.func) or dotted(call.func) or ""
        if called.rpartition(".")[2] in ("spawn", "start_processes", "launch") and call.args:
            if isinstance(call.args[0], ast.Name) and call.args[0].id == name:
                return True
    return False


def serves_several(context: Context, statement: ast.stmt, says: Callable[[ast.Call], bool]) -> bool:
    """Whether a statement does nothing but spread a model or a batch over the GPUs of one process, or say so."""
    if isinstance(statement, ast.Pass | ast.Raise):
        return True
    if isinstance(statement, ast.If):
        return all(serves_several(context, s, says) for s in [*statement.body, *statement.orelse])
    if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Return):
        value = statement.value
        return value is not None and (spreads(context, value) or _moves(value))
    if isinstance(statement, ast.Expr):
        value = statement.value
        return isinstance(value, ast.Constant) or (isinstance(value, ast.Call) and (says(value) or _moves(value)))
    return False


def _moves(value: ast.expr) -> bool:
    """``model.cuda()``, ``model.to(device)``: what runs on one device does the same somewhere."""
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in ("cuda", "to")


def spreads(context: Context, value: ast.expr) -> bool:
    """``nn.DataParallel(model)``, ``batch * torch.cuda.device_count()``, ``list(range(torch.cuda.device_count()))``."""
    return any(
        is_count(context, n)
        or (isinstance(n, ast.Call) and (context.resolve(n.func) or "").rpartition(".")[2] in _PARALLEL)
        for n in ast.walk(value)
    )
