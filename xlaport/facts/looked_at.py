"""Uses that only look at a tensor: two names for one copy of it are as good as a copy for each.

It is neither changed nor kept, and no code that nobody sees gets it.
"""

from __future__ import annotations

import ast

from xlaport.facts.in_place import changes, whole_view
from xlaport.facts.module import FunctionNode
from xlaport.facts.program import Facts
from xlaport.facts.role import TENSORS, Role
from xlaport.facts.roles import roles_of
from xlaport.facts.structure import structure_of
from xlaport.facts.vocabulary import VIEW_METHODS

_OF_BUILTINS = frozenset(
    f"builtins.{name}" for name in "len int float bool str repr print isinstance abs round".split()
)
_SHARING = VIEW_METHODS | {"asarray", "asanyarray", "ascontiguousarray", "broadcast_tensors", "meshgrid", "save"}
"""Functions of torch and numpy that may give what shares memory with what they get."""
_METHODS_KEEPING = frozenset("numpy numpy_force storage untyped_storage data_ptr set_ register_hook".split())
_MAX_DEPTH = 4


def only_looks(facts: Facts, use: ast.expr, opened: frozenset[ast.AST] = frozenset()) -> bool:
    """Whether a use of a tensor only looks at it, also under other names and in functions of the project."""
    if changes(facts, use) or len(opened) > _MAX_DEPTH:
        return False
    node = whole_view(facts, use)
    match parent := facts.module.parents[node]:
        case ast.Call() if parent.func is node:
            return isinstance(node, ast.Attribute) and node.attr not in _METHODS_KEEPING
        case ast.Call():
            return _takes(facts, parent, node, opened)
        case ast.keyword():
            call = facts.module.parents[parent]
            return isinstance(call, ast.Call) and _takes(facts, call, node, opened)
        case ast.Assign(targets=[ast.Name() as target]):
            return target not in opened and _all_look(facts, facts.names.uses_of(target), opened | {target})
        case ast.BinOp() | ast.Compare() | ast.FormattedValue() | ast.Expr() | ast.Assert() | ast.If() | ast.While():
            return True
        case ast.UnaryOp():
            return not isinstance(parent.op, ast.UAdd)
        case ast.AugAssign():
            return parent.value is node
        case ast.IfExp():
            return parent.test is node
        case ast.Tuple():  # `"%f, %f" % (loss, score)`
            above = facts.module.parents[parent]
            return isinstance(above, ast.BinOp) and isinstance(above.op, ast.Mod) and above.right is parent
        case ast.Subscript():
            return parent.slice is node
    return isinstance(node, ast.Attribute) and node.attr in ("shape", "dtype", "ndim", "device")


def _all_look(facts: Facts, uses: list[ast.Name], opened: frozenset[ast.AST]) -> bool:
    return all(only_looks(facts, use, opened) for use in uses)


def uses_of_parameter(facts: Facts, call: ast.Call, argument: ast.expr) -> tuple[Facts, FunctionNode, list[ast.Name]]:
    """The function of the project that gets an argument, and its uses there; `LookupError` where none is known."""
    structure = structure_of(facts.view)
    functions = structure.runs(facts, call)
    parameter = structure.parameter_of(call, functions[0], argument) if len(functions) == 1 else None
    if parameter is None:
        raise LookupError(argument)
    there, node = functions[0].facts, functions[0].node
    written = next(a for a in ast.walk(node.args) if isinstance(a, ast.arg) and a.arg == parameter)
    scope = there.names.scope_of(node)
    if scope is None:
        raise LookupError(argument)
    uses = there.names.uses(scope, written.arg)
    return there, node, [use for use in uses if any(b.node is written for b in there.names.reaching(use))]


def _takes(facts: Facts, call: ast.Call, argument: ast.expr, opened: frozenset[ast.AST]) -> bool:
    """Whether what is called only looks at an argument."""
    name = facts.names.resolve(call.func)
    if name is not None and name.startswith(("torch.", "numpy.", "math.", "builtins.")):
        last = name.rpartition(".")[2]
        return name in _OF_BUILTINS or not (
            name.startswith("builtins.") or last in _SHARING or last[:1].isupper() or last.endswith("_")
        )
    try:
        there, function, uses = uses_of_parameter(facts, call, argument)
    except LookupError:
        func = call.func
        if name is not None or not isinstance(func, ast.Attribute):
            return False
        above = facts.module.parents[call]
        is_scaled = func.attr == "scale" and isinstance(above, ast.Attribute) and above.attr == "backward"
        is_gradient = func.attr == "backward" or is_scaled  # `accelerator.backward(loss)`, of whatever object
        return is_gradient or roles_of(facts).is_(func.value, *TENSORS, Role.TEXT, Role.SCALER)
    return function not in opened and _all_look(there, uses, opened | {function})
