"""Which process runs some code: conditions on its rank, by what they ask for, or by their words."""

from __future__ import annotations

import ast
import enum
import re
from collections.abc import Iterable

from xlaport.context import Context
from xlaport.facts.module import FunctionNode
from xlaport.facts.names import How
from xlaport.facts.structure import Function

from . import process_start
from .distributed.names import variable

_RANK = re.compile(r"(^|_)(rank|gpu_id|gpu)$")
_MASTER = re.compile(r"(^|_)(is_main|is_master|main_process|master_process|on_main|on_master)$")
_MAX_DEPTH = 5


class Level(enum.Enum):
    """Among which processes a rank counts."""

    HOST = "host"
    ALL = "all"
    UNSURE = "unsure"


_XM = "torch_xla.core.xla_model."


def master(context: Context, test: ast.expr, depth: int = 0) -> Level | None:
    """The processes among which a condition picks the first: ``rank == 0``; None where it is no such condition."""
    if depth > _MAX_DEPTH:
        return None
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _compared(context, test, depth)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _rank(context, test.operand, depth + 1)
    if isinstance(test, ast.Call):
        return _asked(context, test, depth)
    if isinstance(test, ast.IfExp):
        return _agreed(master(context, value, depth + 1) for value in _open_sides(test))
    if isinstance(test, ast.Name | ast.Attribute):
        level = _agreed(master(context, value, depth + 1) for value in _values(context, test))
        if level is not None:
            return level
        name = test.id if isinstance(test, ast.Name) else test.attr
        return Level.UNSURE if _MASTER.search(name.lower()) else None
    return None


def asks(context: Context, test: ast.expr) -> bool:
    """Whether a condition depends on the rank in any way."""
    return any(
        isinstance(node, ast.expr) and (master(context, node) is not None or _rank(context, node, 0) is not None)
        for node in ast.walk(test)
    )


def is_for_others(context: Context, node: ast.AST) -> bool:
    """Whether conditions on the rank around a node may choose another process than the first of a host."""
    child = node
    for parent in context.module.ancestors(node):
        if isinstance(parent, FunctionNode):
            return False
        if isinstance(parent, ast.If) and child is not parent.test and asks(context, parent.test):
            parts = parent.test.values if isinstance(parent.test, ast.BoolOp) else [parent.test]
            if child in parent.orelse or not any(master(context, part) for part in parts):
                return True
        child = parent
    return False


def _compared(context: Context, test: ast.Compare, depth: int) -> Level | None:
    one, other = test.left, test.comparators[0]
    if isinstance(test.ops[0], ast.In) and isinstance(other, ast.List | ast.Tuple | ast.Set):
        # ``local_rank in [-1, 0]``
        values = [ast.unparse(element) for element in other.elts]
        return _rank(context, one, depth + 1) if set(values) <= {"-1", "0"} and "0" in values else None
    if isinstance(test.ops[0], ast.Lt | ast.LtE):
        is_first = isinstance(other, ast.Constant) and other.value == (1 if isinstance(test.ops[0], ast.Lt) else 0)
        return _rank(context, one, depth + 1) if is_first else None
    if not isinstance(test.ops[0], ast.Eq | ast.Is):
        return None
    for number, rank in ((one, other), (other, one)):
        if isinstance(number, ast.Constant) and number.value == 0 and type(number.value) is int:
            return _rank(context, rank, depth + 1)
        if isinstance(number, ast.Constant) and number.value is True:
            return master(context, rank, depth + 1)
    return None


def _asked(context: Context, call: ast.Call, depth: int) -> Level | None:
    """``xm.is_master_ordinal()``, or a function of the project that answers the same."""
    target = context.target
    if context.resolve(call.func) in (target.symbol("is_master").qualified, *target.other_spellings("is_master")):
        given = [*call.args[:1], *(k.value for k in call.keywords if k.arg == "local")]
        if not given:
            return Level.HOST
        value = given[0].value if isinstance(given[0], ast.Constant) else None
        return Level.HOST if value is True else Level.ALL if value is False else Level.UNSURE
    function = context.flow.structure.run_by(context.view.own, call)
    if function is None:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        return Level.UNSURE if _MASTER.search(name.lower()) else None
    there = context.of(function.facts)
    values = [r.value for r in function.facts.module.returns(function.node) if r.value is not None]
    return _agreed(master(there, value, depth + 1) for value in values if not isinstance(value, ast.Constant))


def _rank(context: Context, node: ast.expr, depth: int) -> Level | None:
    """Among which processes an expression is this one's number."""
    if depth > _MAX_DEPTH:
        return None
    target = context.target
    if isinstance(node, ast.Call):
        name = context.resolve(node.func) or ""
        alls = {target.symbol(meaning).qualified for meaning in ("global_ordinal", "process_index")}
        if name in ("torch.distributed.get_rank", f"{_XM}get_ordinal") or name in alls:
            return Level.ALL
        if name in (f"{_XM}get_local_ordinal", target.symbol("local_ordinal").qualified):
            return Level.HOST
        if name in ("torch.distributed.get_node_local_rank",):
            return Level.HOST
        if name == "builtins.int" and node.args:
            return _rank(context, node.args[0], depth + 1)
        function = context.flow.structure.run_by(context.view.own, node)
        if function is not None:
            there = context.of(function.facts)
            values = [r.value for r in function.facts.module.returns(function.node) if r.value is not None]
            levels = {_rank(there, value, depth + 1) for value in values if not isinstance(value, ast.Constant)}
            return levels.pop() if len(levels) == 1 else None
    if isinstance(node, ast.IfExp):
        return _agreed(_rank(context, value, depth + 1) for value in _open_sides(node))
    read = variable(context, node)
    if read is not None:
        return {"RANK": Level.ALL, "LOCAL_RANK": Level.HOST}.get(read[0])
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return Level.UNSURE if _rank(context, node.left, depth + 1) is not None else None
    if isinstance(node, ast.Name) and (level := _passed(context, node, depth)) is not None:
        return level
    if isinstance(node, ast.Name | ast.Attribute):
        values = [v for v in _values(context, node) if not isinstance(v, ast.Constant | ast.UnaryOp)]
        level = _agreed(_rank(context, value, depth + 1) for value in values)
        if level is not None:
            return level
        name = node.id if isinstance(node, ast.Name) else node.attr
        return Level.UNSURE if _RANK.search(name.lower()) else None
    return None


def _open_sides(choice: ast.IfExp) -> list[ast.expr]:
    """What ``dist.get_rank() if dist.is_initialized() else 0`` may be beside what a process alone is told."""
    return [side for side in (choice.body, choice.orelse) if not isinstance(side, ast.Constant)]


def _agreed(levels: Iterable[Level | None]) -> Level | None:
    """The level that several values have; unsure where they differ, and None where one has none."""
    found = set(levels)
    if not found or None in found:
        return None
    return found.pop() if len(found) == 1 else Level.UNSURE


def _passed(context: Context, name: ast.Name, depth: int) -> Level | None:
    """The level of a parameter: of the first one of what is launched, and of what all calls pass for another."""
    found = context.names.reaching(name)
    function = context.module.function_of(found[0].node) if len(found) == 1 and found[0].how is How.PARAMETER else None
    if function is None:
        return None
    first = next(iter([*function.args.posonlyargs, *function.args.args]), None)
    launch = process_start.launches(context.target)
    for use in context.module.named.get(function.name, ()) if first is found[0].node else ():
        call = context.module.parents[use]
        if isinstance(call, ast.Call) and use in call.args[:1] and context.resolve(call.func) in launch:
            return Level.ALL
    called = Function(context.view.own, function)
    structure = context.flow.structure
    levels = {
        _rank(context.of(site.facts), value, depth + 1) if value is not None else None
        for site in structure.calls_to(called)
        for value in [structure.argument_for(site, called, name.id)]
    }
    return levels.pop() if len(levels) == 1 else None


def _values(context: Context, node: ast.Name | ast.Attribute) -> list[ast.expr]:
    """What a name or an attribute of ``self`` has been given in this file; empty where it may be something else."""
    if isinstance(node, ast.Name):
        found = context.names.reaching(node)
        if any(b.how is not How.ASSIGN or b.value is None for b in found):
            return []
        return [b.value for b in found if b.value is not None]
    owner = context.roles.instance_class(node.value)
    values = context.roles.classes.attribute_values(owner, node.attr) if owner is not None else []
    return [value for value in values if value is not None] if None not in values else []
