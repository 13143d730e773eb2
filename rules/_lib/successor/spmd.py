"""What a program of one process for all chips (SPMD) says of how its tensors lie: that goes, where processes do it."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.main_guards import main_guard
from xlaport.facts.origins import Origins
from xlaport.facts.roles import Role, dotted

from ..arguments import by_parameter, hides_arguments
from ..distributed.fsdp_names import SPMD_WRAPPERS, last_word
from ..removal import is_effect_free
from . import processes

MAKERS = frozenset({"Mesh", "HybridMesh", "get_1d_mesh", "get_global_mesh", "ShardingSpec"})
"""What says how tensors lie, and has no other effect."""
MARKS = frozenset({"mark_sharding", "mark_sharding_with_gradients"})
SETS_MESH = "set_global_mesh"
BY_BATCH = "ShardedByBatch"
"""The class that XP606 adds: a specification for tensors of any rank."""
_MODULES = ("torch_xla.distributed.spmd.", "torch_xla.experimental.xla_sharding.", "torch_xla.core.xla_model.")
_SHARDING = "input_sharding"
_LOADER = ("loader", "device")
_SPEC = ("mesh", "partition_spec", "minibatch")
_NUMPY = "numpy."
_ASKS = frozenset({"dim", "numel", "size", "startswith", "endswith"})
"""Methods of a weight and its name that only ask."""
_COUNTING = frozenset({"builtins.range", "builtins.list", "builtins.tuple", "builtins.len"})

Loop = tuple[ast.For, ast.expr]
"""A loop that marks the weights of a model, and that."""


@dataclass(frozen=True)
class Divided:
    """A loader that divides its batches over the chips, by their first dimension: all of them, or those of its host.

    `dims`: of how many dimensions is what it divides; None for all.
    """

    keyword: ast.keyword
    per_host: bool
    dims: int | None


def is_spmd(context: Context) -> bool:
    """Whether a file belongs to a program of one process for all chips."""
    return "spmd" in processes.places(context)


def word(context: Context, node: ast.expr) -> str | None:
    """The last word of a name of SPMD's: ``mark_sharding``; None for another name."""
    name = context.resolve(node) or ""
    return last_word(name) if name.startswith(_MODULES) else None


def divided(context: Context, call: ast.Call) -> Divided | None:
    """How ``MpDeviceLoader(loader, device, input_sharding=…)`` divides; None where it does not, or that is not seen."""
    keyword = next((k for k in call.keywords if k.arg == _SHARDING), None)
    if context.resolve(call.func) not in context.target.loaders - context.target.one_time_loaders:
        return None
    if keyword is None or not is_spmd(context) or hides_arguments(call) or not context.editable(call):
        return None
    others = {k.arg for k in call.keywords if k is not keyword}
    if (
        len(call.args) > len(_LOADER)
        or by_parameter(call, _LOADER).keys() - {_SHARDING} != {*_LOADER}
        or others - {*_LOADER}
    ):
        return None
    found = Origins(context.flow.structure).of(context.view.own, keyword.value) or []
    kinds = {_kind(context.of(spot.facts), spot.node) for spot in found}
    kind = kinds.pop() if len(kinds) == 1 else None
    return Divided(keyword, *kind) if kind is not None else None


def _kind(context: Context, spec: ast.expr) -> tuple[bool, int | None] | None:
    """Whether a ``ShardingSpec(…)`` that divides the first dimension does so with those of a host, and of what rank."""
    if isinstance(spec, ast.Call) and _is_by_batch(context, spec.func):
        return False, None
    if not isinstance(spec, ast.Call) or word(context, spec.func) != "ShardingSpec" or hides_arguments(spec):
        return None
    given = by_parameter(spec, _SPEC)
    dimensions, minibatch = given.get("partition_spec"), given.get("minibatch", ast.Constant(False))
    if not isinstance(dimensions, ast.Tuple) or not dimensions.elts or not isinstance(minibatch, ast.Constant):
        return None
    first, *rest = dimensions.elts
    is_first_alone = all(isinstance(each, ast.Constant) and each.value is None for each in rest)
    is_divided = not (isinstance(first, ast.Constant) and first.value is None)
    return (bool(minibatch.value), 1 + len(rest)) if is_first_alone and is_divided else None


def marking_loop(context: Context, mark: ast.Call) -> Loop | None:
    """The loop that does nothing but mark the weights of a model, and that: ``for p in model.parameters():``.

    All that an optimizer trains, which is made behind it in the same function: `fully_shard()` makes other weights.
    """
    around = context.module.ancestors(mark)
    loop = next((n for n in around if not isinstance(n, ast.Expr | ast.If)), None)
    if not isinstance(loop, ast.For) or loop.orelse or not all(_only_marks(context, s) for s in loop.body):
        return None
    if isinstance(context.module.parents[loop], ast.If) and not is_main_guard(context, context.module.parents[loop]):
        return None
    match loop.iter:
        case ast.Call(func=ast.Attribute(value=model, attr="parameters" | "named_parameters"), args=[], keywords=[]):
            return (loop, model) if dotted(model) is not None and _is_trained_behind(context, loop, model) else None
    return None


def is_main_guard(context: Context, node: ast.AST) -> bool:
    """Whether a node is ``if __name__ == "__main__":``."""
    return node is main_guard(context.module)


def _is_trained_behind(context: Context, loop: ast.For, model: ast.expr) -> bool:
    function = context.module.function(loop)
    made = [call for call in context.module.calls if context.roles.is_(call, Role.OPTIMIZER)]
    trained = [
        call
        for call in made
        if any(
            dotted(n) == f"{dotted(model)}.parameters"
            for a in call.args
            for n in ast.walk(a)
            if isinstance(n, ast.Attribute)
        )
    ]
    return bool(trained) and all(
        context.module.function(call) is function and call.lineno > loop.lineno for call in trained
    )


def _only_marks(context: Context, statement: ast.stmt) -> bool:
    match statement:
        case ast.If(test=test):
            asked = [n.func for n in ast.walk(test) if isinstance(n, ast.Call)]
            only_asks = all(isinstance(f, ast.Attribute) and f.attr in _ASKS for f in asked)
            parts = (*statement.body, *statement.orelse)
            return (only_asks or is_effect_free(context, test)) and all(_only_marks(context, s) for s in parts)
        case ast.Expr(value=ast.Call(func=func)):
            return word(context, func) in MARKS
        case ast.Pass() | ast.Continue():
            return True
    return False


def is_of_values(context: Context, node: ast.AST) -> bool:
    """Whether what is marked here are values, no weights: in a method ``forward``, or in what a wrapper's output goes
    through.
    """
    function = context.module.function(node)
    if function is None:
        return False
    is_method = isinstance(context.module.parents[function], ast.ClassDef)
    return (is_method and function.name == "forward") or any(
        isinstance(word.value, ast.Name) and word.value.id == function.name
        for word in context.module.of_type(ast.keyword)
        if word.arg == "shard_output"
    )


def goes(context: Context, node: ast.expr, seen: frozenset[ast.AST] = frozenset()) -> bool:
    """Whether what stands here goes with what uses it: a mesh in a mark, in what a loader is given, in another one."""
    if node in seen:
        return False
    seen |= {node}
    parent = context.module.parents[node]
    call = context.module.parents[parent] if isinstance(parent, ast.keyword) else parent
    own = next((c for c in by_batch(context) if c in context.module.ancestors(node)), None)
    if own is not None:
        return all(
            _is_called_for_what_goes(context, use, seen) for use in context.names.uses(context.names.root, own.name)
        )
    if isinstance(parent, ast.keyword) and isinstance(call, ast.Call):
        if parent.arg == _SHARDING:
            return divided(context, call) is not None
        if parent.arg == "mesh" and context.resolve(call.func) in SPMD_WRAPPERS:
            return True
    if isinstance(call, ast.Call) and call.func is not node and _is_by_batch(context, call.func):
        return goes(context, call, seen)
    if isinstance(call, ast.Call) and (name := word(context, call.func)) is not None:
        if name == SETS_MESH:
            return isinstance(context.module.parents[call], ast.Expr)
        if name in MARKS:
            return marking_loop(context, call) is not None or is_of_values(context, call)
        return name in MAKERS and goes(context, call, seen)
    if isinstance(parent, ast.Assign) and parent.value is node:
        used = context.names.uses_of(parent.targets[0])
        return bool(used) and all(goes(context, use, seen) for use in used) and _is_plain(context, parent)
    return False


def by_batch(context: Context) -> list[ast.ClassDef]:
    """The class of XP606, where the file has it."""
    return [node for node in context.module.of_type(ast.ClassDef) if node.name == BY_BATCH]


def _is_by_batch(context: Context, node: ast.expr) -> bool:
    bound = context.names.bindings(node) if isinstance(node, ast.Name) else ()
    return len(bound) == 1 and bound[0].node in by_batch(context)


def _is_called_for_what_goes(context: Context, use: ast.Name, seen: frozenset[ast.AST]) -> bool:
    call = context.module.parents[use]
    return isinstance(call, ast.Call) and call.func is use and goes(context, call, seen)


def unused(context: Context, call: ast.Call) -> list[ast.Assign]:
    """The statement that keeps what a call makes for nobody, and those that make what it alone is handed."""
    parent = context.module.parents[call]
    if not isinstance(parent, ast.Assign) or not _is_plain(context, parent) or context.names.uses_of(parent.targets[0]):
        return []
    found = [parent]
    for name in (n for n in ast.walk(call) if isinstance(n, ast.Name)):
        bound = context.names.reaching(name)
        made = context.module.parents.get(bound[0].node) if len(bound) == 1 else None
        if isinstance(made, ast.Assign) and _is_plain(context, made):
            if all(context.module.statement(use) is parent for use in context.names.uses_of(made.targets[0])):
                found.append(made)
    return found


def _is_plain(context: Context, assigned: ast.Assign) -> bool:
    """Whether a statement gives one name, which no other file gets, to what is made of numbers and names."""
    target = assigned.targets[0]
    is_local = len(assigned.targets) == 1 and isinstance(target, ast.Name)
    own = context.view.own
    is_read = context.module.function(assigned) is None and any(
        own.file in files for files in context.view.program.graph.imports.values()
    )
    if not is_local or is_read:
        return False
    return _is_counted(context, assigned.value)


def _is_counted(context: Context, node: ast.expr) -> bool:
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            name = context.resolve(part.func) or ""
            if not (name.startswith(_NUMPY) or name in _COUNTING or word(context, part.func) in MAKERS):
                return False
    return True
