"""What a tensor holds, as far as the code tells: floats, integers or truth values, and in how many dimensions.

Where several values may stand for an expression, something is known only if all of them agree on it. Calls are
followed into the functions of the project.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from xlaport.facts.answers import Answers
from xlaport.facts.held import OPEN, SCALAR, Held, Kind, agreed, wider
from xlaport.facts.losses import Key, key_of, losses
from xlaport.facts.module import last_name
from xlaport.facts.names import Binding, How
from xlaport.facts.one_element import OneElement
from xlaport.facts.operations import FIRST_OF_PAIR, Operations, is_reduced
from xlaport.facts.passed import passed, passed_to_any
from xlaport.facts.program import Facts
from xlaport.facts.role import is_none
from xlaport.facts.roles import TENSORS, roles_of
from xlaport.facts.structure import Function, Structure

__all__ = ["Held", "Kind", "Tensors"]

_MAX_DEPTH = 25
_MAX_LOSS_DEPTH = 8


class Tensors:
    """Answers `held` for expressions of the project's files."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self._answers = Answers(Held(), _MAX_DEPTH)
        self._losses: dict[Facts, frozenset[Key]] = {}
        self._operations = Operations(self.held)
        self._one_element = OneElement(structure, self._operations, self.held, self._values)

    def held(self, facts: Facts, node: ast.expr) -> Held:
        """What the value of an expression holds; an empty answer where nothing is known."""
        return self._answers.of(node, lambda: self._infer(facts, node), Held())

    # -- expressions -----------------------------------------------------------------------------------

    def _infer(self, facts: Facts, node: ast.expr) -> Held:
        if isinstance(node, ast.Constant):
            # `loss = None` before it is computed: what takes a number of it would raise, so it is never that.
            return OPEN if node.value is None else _constant(node)
        if isinstance(node, ast.Compare):
            return Held(Kind.BOOL, self._operations.rank_of(facts, [node.left, *node.comparators]))
        if isinstance(node, ast.BinOp):
            return self._operations.arithmetic(facts, node)
        if isinstance(node, ast.UnaryOp):
            return self.held(facts, node.operand)
        if isinstance(node, ast.IfExp):
            return agreed([self.held(facts, node.body), self.held(facts, node.orelse)])
        if isinstance(node, ast.Name):
            return self._name(facts, node)
        if isinstance(node, ast.Attribute):
            return self._attribute(facts, node)
        if isinstance(node, ast.Subscript):
            return self._part(facts, node)
        if isinstance(node, ast.Call):
            return self._call(facts, node)
        return Held()

    def _part(self, facts: Facts, node: ast.Subscript) -> Held:
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            return Held(Kind.INT, 0)
        listed = self._listed(facts, node.value) or self._handed_back(facts, node)
        if listed is not None:
            return listed
        return self._operations.indexed(facts, node) if roles_of(facts).role(node.value) in TENSORS else Held()

    def _handed_back(self, facts: Facts, node: ast.Subscript) -> Held | None:
        """What ``accuracy(output, target)[0]`` holds, of a function that hands back several tensors."""
        index, value = node.slice, node.value
        if not isinstance(index, ast.Constant) or type(index.value) is not int:
            return None
        bound = facts.names.reaching(value) if isinstance(value, ast.Name) else ()
        made = [b.value if b.how is How.ASSIGN else None for b in bound] or [value]
        calls = [call for call in made if isinstance(call, ast.Call)]
        if len(calls) < len(made) or any(self.structure.run_by(facts, call) is None for call in calls):
            return None
        found = agreed([self._element(facts, call, index.value) for call in calls])
        return found if found != Held() else None

    # -- names and attributes --------------------------------------------------------------------------

    def _name(self, facts: Facts, node: ast.Name) -> Held:
        found = facts.names.reaching(node)
        if key_of(facts, node) in self._differentiated(facts):
            # backward() also takes a tensor of one element that has dimensions.
            return Held(Kind.FLOAT) if self._one_element.may_have_dimensions(facts, found) else SCALAR
        return agreed([self._bound(facts, binding) for binding in found]) if found else Held()

    def _bound(self, facts: Facts, binding: Binding) -> Held:
        return self._answers.of(binding, lambda: self._infer_binding(facts, binding), OPEN)

    def _infer_binding(self, facts: Facts, binding: Binding) -> Held:
        value = binding.value
        if binding.how is How.PARAMETER:
            return self._passed(facts, binding)
        if value is None:
            return Held()
        if binding.how is How.ASSIGN:
            return self.held(facts, value)
        if binding.how is How.UNPACK:
            return self._element(facts, value, binding.index)
        if binding.how is How.AUGMENT and isinstance(binding.node, ast.Name):
            before, added = self._name(facts, binding.node), self.held(facts, value)
            if before is OPEN and added.kind is None:
                return OPEN
            if isinstance(facts.module.parents[binding.node], ast.AugAssign) and before.rank is not None:
                return replace(before, kind=wider(before.kind, added.kind))
        return Held()

    def _passed(self, facts: Facts, binding: Binding) -> Held:
        found: list[Held] = []
        for where, value in passed_to_any(self.structure, facts, binding):
            found.append(self.held(where, value) if value is not None else Held())
            if found[-1] == Held():
                break  # nothing is known of all of them
        return agreed(found)

    def _element(self, facts: Facts, value: ast.expr, index: int | None) -> Held:
        """What one element of a value holds that is unpacked."""
        if isinstance(value, ast.Tuple | ast.List):
            fits = index is not None and index < len(value.elts)
            return self.held(facts, value.elts[index or 0]) if fits else Held()
        if isinstance(value, ast.Call):
            name = last_name(value.func)
            if name in FIRST_OF_PAIR and (
                self._operations.reduced_dimension(facts, value)[0] or name in ("topk", "sort")
            ):
                return Held(self._operations.operand(facts, value).kind if index == 0 else Kind.INT)
            function = self.structure.run_by(facts, value)
            if function is not None:
                return self._returned(function, index)
            owner = self.structure.instance_of(facts, value.func)
            forward = self.structure.method(owner, "forward") if owner is not None else None
            if forward is not None:
                return self._returned(forward, index)
        return self._listed(facts, value) or Held()

    def _listed(self, facts: Facts, node: ast.expr) -> Held | None:
        """What the elements of a list hold; None where it is no list that is known."""
        if isinstance(node, ast.List | ast.Tuple):
            return agreed([self.held(facts, element) for element in node.elts])
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            return self.held(facts, node.elt)
        if not isinstance(node, ast.Name):
            return None
        found = facts.names.bindings(node)
        if not found or not all(b.how is How.ASSIGN and isinstance(b.value, ast.List | ast.ListComp) for b in found):
            return None
        parts = [self._listed(facts, b.value) for b in found if b.value is not None and getattr(b.value, "elts", True)]
        home = facts.names.home(node)
        for use in facts.names.uses(home, node.id) if home is not None else ():
            method = facts.module.parents[use]
            call = facts.module.parents[method]
            if isinstance(method, ast.Attribute) and isinstance(call, ast.Call) and call.func is method:
                parts.append(self.held(facts, call.args[0]) if method.attr == "append" and call.args else Held())
        return agreed([part or Held() for part in parts])

    def _attribute(self, facts: Facts, node: ast.Attribute) -> Held:
        is_loss = key_of(facts, node) in self._differentiated(facts)
        if node.attr in ("data", "grad") and not is_loss:
            return self.held(facts, node.value)
        owner = self.structure.instance_of(facts, node.value)
        values = self.structure.assigned(self.structure.bases(owner), node.attr) if owner is not None else []
        if is_loss:
            may = any(value is not None and self._one_element.value_may(where, value) for where, value in values)
            return Held(Kind.FLOAT) if may else SCALAR
        if owner is None:
            return Held()
        return agreed(
            [self.held(w, value) if value is not None else Held() for w, value in values if not is_none(value)]
        )

    def _differentiated(self, facts: Facts) -> frozenset[Key]:
        if facts not in self._losses:
            self._losses[facts] = losses(facts)
        return self._losses[facts]

    # -- calls -----------------------------------------------------------------------------------------

    def _call(self, facts: Facts, node: ast.Call) -> Held:
        name = facts.names.resolve(node.func) or ""
        function = self.structure.run_by(facts, node)
        if function is not None and function.node.name != "__init__":
            return self._returned(function, None)
        if name.startswith("builtins."):
            return self._builtin(facts, node, name.rpartition(".")[2])
        if name.startswith("torch."):
            return self._operations.computed(facts, node, name.rpartition(".")[2])
        if isinstance(node.func, ast.Attribute) and (
            roles_of(facts).role(node.func.value) in TENSORS or self.held(facts, node.func.value).kind is not None
        ):
            return self._operations.computed(facts, node, node.func.attr)
        loss = self._loss_module(facts, node.func)
        if loss is not None:
            return SCALAR if is_reduced(loss) else Held(Kind.FLOAT)
        owner = self.structure.instance_of(facts, node.func)
        forward = self.structure.method(owner, "forward") if owner is not None else None
        return self._returned(forward, None) if forward is not None else Held()

    def _builtin(self, facts: Facts, node: ast.Call, name: str) -> Held:
        if name in ("len", "int", "round") and len(node.args) == 1:
            return Held(Kind.INT, 0)
        if name == "float":
            return SCALAR
        if name == "sum" and node.args:
            return self._listed(facts, node.args[0]) or Held()
        return Held()

    def _loss_module(self, facts: Facts, node: ast.expr, depth: int = 0) -> ast.Call | None:
        """The call that made a loss module: ``nn.CrossEntropyLoss(…)``, however it came to this name."""
        if isinstance(node, ast.Call):
            name = facts.names.resolve(node.func) or ""
            if name.startswith("torch.nn.") and name.endswith("Loss"):
                return node
            if isinstance(node.func, ast.Attribute) and node.func.attr in ("to", "cuda"):
                return self._loss_module(facts, node.func.value, depth + 1)
        values = self._values(facts, node) if depth < _MAX_LOSS_DEPTH else []
        found = [self._loss_module(where, value, depth + 1) if value is not None else None for where, value in values]
        unreduced = next((call for call in found if call is not None and not is_reduced(call)), None)
        return None if None in found or not found else unreduced or found[0]

    def _values(self, facts: Facts, node: ast.expr) -> list[tuple[Facts, ast.expr | None]]:
        """The expressions that give a name, a parameter, a call or an attribute its value; None: something else."""
        if isinstance(node, ast.Attribute):
            owner = self.structure.instance_of(facts, node.value)
            return self.structure.assigned(self.structure.bases(owner), node.attr) if owner is not None else []
        if isinstance(node, ast.Call):
            return self._returns(facts, node)
        found: list[tuple[Facts, ast.expr | None]] = []
        for binding in facts.names.reaching(node) if isinstance(node, ast.Name) else ():
            if binding.how is How.ASSIGN:
                found.append((facts, binding.value))
            elif binding.how is How.PARAMETER:
                found += passed(self.structure, facts, binding)
            elif binding.how is How.UNPACK and isinstance(binding.value, ast.Call):
                found += [
                    (where, value.elts[binding.index])
                    if isinstance(value, ast.Tuple) and binding.index is not None and binding.index < len(value.elts)
                    else (where, None)
                    for where, value in self._returns(facts, binding.value)
                ]
            else:
                found.append((facts, None))
        return found

    def _returns(self, facts: Facts, call: ast.Call) -> list[tuple[Facts, ast.expr | None]]:
        """What the function of the project that a call runs may return."""
        function = self.structure.run_by(facts, call)
        if function is None or function.node.name == "__init__":
            return []
        return [(function.facts, node.value) for node in function.facts.module.returns(function.node)]

    def _returned(self, function: Function, index: int | None) -> Held:
        """What a function of the project returns: the whole of it, or one element."""
        return self._answers.of((function.node, index), lambda: self._infer_returned(function, index), OPEN)

    def _infer_returned(self, function: Function, index: int | None) -> Held:
        values = [n.value for n in function.facts.module.returns(function.node)]
        if index is None:
            return agreed([self.held(function.facts, v) if v is not None else Held() for v in values])
        return agreed([self._element(function.facts, v, index) if v is not None else Held() for v in values])


def _constant(node: ast.Constant) -> Held:
    if isinstance(node.value, bool):
        return Held(Kind.BOOL, 0)
    if isinstance(node.value, int):
        return Held(Kind.INT, 0)
    return SCALAR if isinstance(node.value, float) else Held()
