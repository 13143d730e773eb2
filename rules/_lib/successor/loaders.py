"""The loops of a program that iterate over a wrapper of torch_xla, which moved the batches to the device."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.analysis.value import DEVICE_LOADER, Site, Value
from xlaport.context import Context
from xlaport.facts.origins import Origins
from xlaport.facts.program import Facts
from xlaport.facts.spot import Spot
from xlaport.facts.structure import Structure
from xlaport.facts.vocabulary import PASSING_WRAPPERS
from xlaport.target import Target

from ..arguments import by_parameter, hides_arguments

_THROUGH = PASSING_WRAPPERS | {"builtins.enumerate"}
"""What goes through its first argument."""
_ASKING = frozenset({"builtins.iter", "builtins.len", "builtins.bool"})
"""What gets the same of the loader itself."""
_HOLDING = (
    ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.For, ast.comprehension, ast.Return, ast.Expr, ast.IfExp, ast.BoolOp,
    ast.UnaryOp, ast.If, ast.While, ast.Dict, ast.List, ast.Tuple,
)  # fmt: skip
"""What a wrapper may stand in: where it goes from there, the analysis says."""
_DEPTH = 6
_PARAMETERS = ("loader", "device")
_KNOWN = frozenset({*_PARAMETERS, "batchdim", "batches_per_execution", "loader_prefetch_size",
                    "device_prefetch_size", "host_to_device_transfer_threads"})  # fmt: skip
_ITERATOR = "per_device_loader"


@dataclass(frozen=True)
class Wrapper:
    """``MpDeviceLoader(loader, device)``, or ``ParallelLoader(loader, [device]).per_device_loader(device)``."""

    whole: ast.expr
    loader: ast.expr
    device: ast.expr


def wrapper(context: Context, call: ast.Call) -> Wrapper | None:
    """What a call wraps; None where it does more, or that is not seen."""
    given = by_parameter(call, _PARAMETERS)
    given |= {"loader": given.pop("cpu_loader")} if "cpu_loader" in given else {}
    given |= {"device": given.pop("devices")} if "devices" in given else {}
    is_plain = len(call.args) <= len(_PARAMETERS) and not hides_arguments(call)
    if not is_plain or not {*_PARAMETERS} <= set(given) <= _KNOWN:
        return None
    whole, device = call, given["device"]
    if context.resolve(call.func) in context.target.one_time_loaders:
        outer = _per_device(context, call)
        if outer is None or not isinstance(device, ast.List | ast.Tuple) or len(device.elts) != 1:
            return None
        whole, device = outer, device.elts[0]
    return Wrapper(whole, given["loader"], device)


def _per_device(context: Context, call: ast.Call) -> ast.Call | None:
    attribute = context.module.parents[call]
    outer = context.module.parents.get(attribute)
    is_call = isinstance(attribute, ast.Attribute) and attribute.attr == _ITERATOR
    return outer if is_call and isinstance(outer, ast.Call) and outer.func is attribute else None


def is_taken_otherwise(context: Context, found: Wrapper, made: ast.Call) -> bool:
    """Whether a wrapper goes where its loader is not the same: to a library, or ``.close()`` is called."""
    own, structure = context.view.own, context.flow.structure
    objects, origins = _places(structure.value(own, made)), Origins(structure)
    for facts, node, others in own.once("loaders of torch_xla that are handed on", lambda: tuple(_handed_on(context))):
        if objects and others and objects.isdisjoint(others):
            continue
        spots = origins.of(facts, node)
        if spots is None or any(spot.node in (made, found.whole) for spot in spots):
            return True
    return False


def _handed_on(context: Context) -> Iterator[tuple[Facts, ast.expr, frozenset[Site]]]:
    """Where in the program any wrapper goes where its loader is not the same, with where that is made."""
    own, structure = context.view.own, context.flow.structure
    for facts in dict.fromkeys((own, *structure.analysis(own).files())):
        for node in facts.module.of_type(ast.Name, ast.Attribute, ast.Call, ast.Subscript):
            what = structure.value(facts, node) if isinstance(getattr(node, "ctx", ast.Load()), ast.Load) else None
            if what is not None and what.type == DEVICE_LOADER and not _is_held(context, structure, facts, node):
                yield facts, node, _places(what)


def _places(value: Value | None) -> frozenset[Site]:
    """Where the objects of a value are made, by whichever call of the function."""
    return frozenset(site._replace(turn="") for site in value.objects) if value is not None else frozenset()


def _is_held(context: Context, structure: Structure, facts: Facts, node: ast.expr) -> bool:
    parent = facts.module.parents[node]
    call = facts.module.parents[parent] if isinstance(parent, ast.keyword) else parent
    if isinstance(call, ast.Call):
        if facts.names.resolve(call.func) in _THROUGH | _ASKING | context.target.loaders or call.func is node:
            return True
        return bool(structure.runs(facts, call)) or structure.class_named(facts, call.func) is not None
    if isinstance(parent, ast.Attribute):
        return parent.attr == _ITERATOR
    if isinstance(parent, ast.Compare):
        return all(isinstance(operator, ast.Is | ast.IsNot) for operator in parent.ops)
    kept = [t for t in parent.targets if isinstance(t, ast.Attribute)] if isinstance(parent, ast.Assign) else []
    return isinstance(parent, _HOLDING) and all(structure.instances_of(facts, target.value) for target in kept)


@dataclass(frozen=True)
class Taking:
    """What goes through wrappers: a loop, or something else, such as a comprehension or ``next()``."""

    facts: Facts
    node: ast.AST
    wrappers: frozenset[Spot]
    """The calls that made them."""
    is_counted: bool
    """Whether ``enumerate`` counts the batches."""


def takings(context: Context) -> tuple[Taking, ...]:
    """All of the program's, once for a file as it is."""
    own = context.view.own
    return own.once("loops over loaders of torch_xla", lambda: tuple(_takings(context)))


def _takings(context: Context) -> Iterator[Taking]:
    own = context.view.own
    origins = Origins(context.flow.structure)
    for facts in dict.fromkeys((own, *context.flow.structure.analysis(own).files())):
        for node, iterable in _iterations(facts):
            wrappers, counted = frozenset(_wrappers(context.target, origins, facts, iterable, 0)), False
            if isinstance(iterable, ast.Call):
                counted = _counts(facts, iterable)
            if wrappers:
                yield Taking(facts, node, wrappers, counted)


def _iterations(facts: Facts) -> Iterator[tuple[ast.AST, ast.expr]]:
    for node in facts.module.of_type(ast.For, ast.AsyncFor, ast.comprehension):
        yield node, node.iter
    for call in facts.module.calls:
        if len(call.args) == 1 and facts.names.resolve(call.func) == "builtins.iter":
            yield call, call.args[0]


def _counts(facts: Facts, iterable: ast.expr) -> bool:
    """Whether a row is counted, by ``enumerate`` somewhere in it."""
    while isinstance(iterable, ast.Call) and iterable.args:
        name = facts.names.resolve(iterable.func)
        if name == "builtins.enumerate":
            return True
        if name not in _THROUGH:
            return False
        iterable = iterable.args[0]
    return False


def _wrappers(target: Target, origins: Origins, facts: Facts, node: ast.expr, depth: int) -> Iterator[Spot]:
    """The calls of wrappers that an expression may stand for, through what only goes through them."""
    if depth > _DEPTH:
        return
    for spot in origins.of(facts, node) or ():
        call = spot.node
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == _ITERATOR:
            yield from _wrappers(target, origins, spot.facts, call.func.value, depth + 1)
        elif isinstance(call, ast.Call) and (name := spot.facts.names.resolve(call.func)) is not None:
            if name in target.loaders:
                yield spot
            elif name in _THROUGH and call.args:
                yield from _wrappers(target, origins, spot.facts, call.args[0], depth + 1)
