"""Code that runs in worker processes, a loader's or the program's own, which must not touch the XLA device."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.forked import Forked, forked

from ..._lib import process_start

_ITEM_METHODS = ("__getitem__", "__getitems__")
_ASKS = "torch.utils.data.get_worker_info"


def runs_in_worker(context: Context, node: ast.AST) -> bool:
    """Whether a node stands in what a loader runs in its workers: ``worker_init_fn``, a dataset's items."""
    function = context.module.function(node)
    while function is not None:
        owner = context.module.parents[function]
        if isinstance(owner, ast.ClassDef) and function.name in _ITEM_METHODS:
            return True
        if _is_handed_over(context, function) or _looks_like_it(context, function):
            return True
        function = context.module.function(function)
    return False


def own_process(context: Context, node: ast.AST) -> Forked | None:
    """The process, of those that the program starts by itself to work on the host, in which a node runs.

    What joins the others in a group works on a device of its own.
    """
    function = context.module.function(node)
    found = forked(context.view, function) if function is not None else None
    if found is None or process_start.leads_to_start(context.of(found.target.facts), found.target.node.body):
        return None
    return found


def _looks_like_it(context: Context, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """A function that asks which worker it is, or whose only argument is a worker's number."""
    parameters = [*function.args.posonlyargs, *function.args.args]
    if parameters and parameters[0].arg in ("worker_id", "worker_idx", "worker_seed"):
        return True
    if function.name in ("worker_init_fn", "worker_init", "seed_worker"):
        return True
    return any(isinstance(n, ast.Call) and context.resolve(n.func) == _ASKS for n in ast.walk(function))


def _is_handed_over(context: Context, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Passed as ``worker_init_fn=``, as it is or inside ``partial(…)``."""
    for node in context.module.nodes:
        if isinstance(node, ast.keyword) and node.arg == "worker_init_fn":
            for name in ast.walk(node.value):
                if isinstance(name, ast.Name) and any(b.node is function for b in context.names.bindings(name)):
                    return True
                if isinstance(name, ast.Attribute) and name.attr == function.name:
                    return True
    return False
