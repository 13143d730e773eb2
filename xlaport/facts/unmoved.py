"""Modules that lie on the host where some code uses them: they are made there, and nothing has moved them yet."""

from __future__ import annotations

import ast
import re

from xlaport.facts import default_device, known
from xlaport.facts.module import FunctionNode, LoopNode
from xlaport.facts.names import Binding, How
from xlaport.facts.passed import passed
from xlaport.facts.program import Facts
from xlaport.facts.structure import Class, Structure
from xlaport.facts.used_code import ACCELERATOR, words
from xlaport.facts.vocabulary import MODULE_USES, MODULE_WRAPPERS, MOVING_METHODS

_SPEAKING = re.compile(ACCELERATOR, re.IGNORECASE)
_STAYING = MODULE_USES | {"state_dict", "load_state_dict", "modules", "children", "named_children", "zero_grad"}
"""Methods of a module that leave it where it is."""
_ASKING = frozenset({"builtins.print", "builtins.isinstance", "builtins.type"})
_MAX_DEPTH = 4


def is_unmoved(structure: Structure, facts: Facts, name: ast.expr, depth: int = 0) -> bool:
    """Whether a name stands for a module of the host at this place, whatever becomes of it later."""
    found = facts.names.reaching(name) if isinstance(name, ast.Name) else ()
    if not isinstance(name, ast.Name) or len(found) != 1 or depth > _MAX_DEPTH or default_device.is_chosen(facts):
        return False
    if not all(leaves_it(structure, facts, use) for use in _uses_before(facts, name, found[0])):
        return False
    if found[0].how is How.ASSIGN and isinstance(found[0].value, ast.Call):
        return _is_made_on_host(structure, facts, found[0].value)
    given = passed(structure, facts, found[0]) if found[0].how is How.PARAMETER else []
    return bool(given) and all(
        value is not None and is_unmoved(structure, where, value, depth + 1) for where, value in given
    )


def _uses_before(facts: Facts, name: ast.Name, binding: Binding) -> list[ast.Name]:
    """The uses of a name's value that may have run when this one does."""
    home = facts.names.home(name)
    around = [node for node in facts.module.ancestors(name) if isinstance(node, LoopNode)]
    inner = [loop for loop in around if loop not in set(facts.module.ancestors(binding.node))]
    function, place = facts.module.function(name), (name.lineno, name.col_offset)
    return [
        use
        for use in (facts.names.uses(home, name.id) if home is not None else ())
        if use is not name
        and (
            facts.module.function(use) is not function
            or (use.lineno, use.col_offset) < place
            or any(loop in inner for loop in facts.module.ancestors(use))
        )
    ]


def leaves_it(structure: Structure, facts: Facts, use: ast.Name, depth: int = 0) -> bool:
    """Whether a use of a module leaves it where it is: it is called, asked, or handed to code that does no more."""
    parent = facts.module.parents[use]
    if isinstance(parent, ast.Call) and parent.func is use:
        return True
    if isinstance(parent, ast.Call) and use in parent.args:
        return facts.names.resolve(parent.func) in _ASKING or _is_left_by(structure, facts, parent, use, depth)
    return isinstance(parent, ast.Attribute) and parent.attr in _STAYING


def _is_left_by(structure: Structure, facts: Facts, call: ast.Call, use: ast.Name, depth: int) -> bool:
    """Whether a function of the project leaves a module alone that it gets, and all that is done by its name."""
    function = structure.run_by(facts, call) if depth < _MAX_DEPTH else None
    name = structure.parameter_of(call, function, use) if function is not None else None
    scope = function.facts.names.scope_of(function.node) if function is not None else None
    if function is None or name is None or scope is None or len(scope.bindings.get(name, [])) != 1:
        return False
    there = function.facts
    return all(leaves_it(structure, there, inner, depth + 1) for inner in there.names.uses(scope, name))


def _is_made_on_host(structure: Structure, facts: Facts, call: ast.Call) -> bool:
    """``nn.Linear(4, 2)``, and ``Net()`` of a class that speaks of no device, under no ``with torch.device(…):``."""
    blocks = [node for node in facts.module.ancestors(call) if isinstance(node, ast.With)]
    if any(speaks(part) for part in [call, *(item.context_expr for block in blocks for item in block.items)]):
        return False
    owner = structure.class_named(facts, call.func)
    if owner is not None:
        return structure.is_module(owner) and not any(_moves(method) for method in _makers(structure, owner))
    name = facts.names.resolve(call.func) or ""
    return name.startswith("torch.nn.") and known.is_module(name) and name not in MODULE_WRAPPERS and not call.keywords


def _makers(structure: Structure, owner: Class) -> list[FunctionNode]:
    """What makes an object of a class: each ``__init__()``, and the methods that are named there."""
    methods = [s for base in structure.bases(owner) for s in base.node.body if isinstance(s, FunctionNode)]
    found = [method for method in methods if method.name == "__init__"]
    for maker in found:
        named = {node.attr for node in ast.walk(maker) if isinstance(node, ast.Attribute)}
        found += [method for method in methods if method.name in named and method not in found]
    return found


def _moves(method: FunctionNode) -> bool:
    """Whether a method may bring something to a device."""
    moved = (isinstance(node, ast.Attribute) and node.attr in MOVING_METHODS for node in ast.walk(method))
    return any(moved) or speaks(method)


def speaks(node: ast.AST) -> bool:
    """Whether a word in some code is that of a device."""
    return any(_SPEAKING.search(word) for part in ast.walk(node) for word in words(part))
