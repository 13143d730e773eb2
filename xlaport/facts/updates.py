"""Updates without an optimizer: parameters, or an input, that code changes by their gradients."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from xlaport.facts.module import LoopNode, Module, root_name
from xlaport.facts.names import Binding, Names

_CHANGES = ("add_", "sub_", "addcdiv_", "addcmul_", "copy_", "lerp_")
"""Methods by which a tensor is changed in a step that is written out."""
_GRADIENTS = frozenset({"torch.autograd.grad", "torch.func.grad", "torch.func.grad_and_value"})


class Updates:
    """Questions about the updates in some code of one file."""

    def __init__(self, module: Module, names: Names) -> None:
        self.module = module
        self.names = names

    def of_parameters(self, nodes: Iterable[ast.AST]) -> ast.AST | None:
        """A step that is written out: ``p.data.add_(p.grad, alpha=-lr)``, ``w -= lr * w.grad``."""
        for node in nodes:
            changed = _changed(node)
            if changed is None or _own_gradients(changed):
                continue  # what scales or clips a gradient is no step yet
            if any(root_name(gradient) == root_name(changed) is not None for gradient in _own_gradients(node)):
                return node
        return None

    def of_what_it_differentiates(self, nodes: list[ast.AST], loop: LoopNode, backward: bool) -> ast.AST | None:
        """What makes the tensor of the next pass from the gradient by that of this one: ``x = x + a * grad.sign()``.

        The gradient is ``torch.autograd.grad(loss, x)``, or ``x.grad`` where the loop runs ``backward()``. Of several
        such statements, the last.
        """
        if "grad" not in self.module.text:
            return None
        for source in nodes:
            for wanted in self._differentiated(source, backward):
                found = self._leads_back(wanted, source, loop) or self._changed_in_place(wanted, source, nodes, loop)
                if found is not None:
                    return found
        return None

    def _differentiated(self, node: ast.AST, backward: bool) -> list[ast.expr]:
        """The tensors by which an expression is a gradient."""
        if backward and isinstance(node, ast.Attribute) and node.attr == "grad" and isinstance(node.ctx, ast.Load):
            return [node.value]
        if isinstance(node, ast.Call) and self.names.resolve(node.func) in _GRADIENTS:
            return [*node.args[1:2], *(k.value for k in node.keywords if k.arg == "inputs")]
        return []

    def _leads_back(self, wanted: ast.expr, source: ast.AST, loop: LoopNode) -> ast.stmt | None:
        """The last statement of a pass by which the next one's value depends on the gradient."""
        seen: dict[ast.AST, Binding] = {}
        comes_back = False
        todo = [wanted]
        while todo:
            for binding in self._made_inside(todo.pop(), loop):
                if binding.node in seen or binding.value is None:
                    continue
                seen[binding.node] = binding
                if any(node is source for node in ast.walk(binding.value)):
                    comes_back = True
                else:
                    todo.append(binding.value)
        if not comes_back:
            return None
        return max((self.module.statement(node) for node in seen), key=lambda statement: statement.lineno)

    def _changed_in_place(
        self, wanted: ast.expr, source: ast.AST, nodes: list[ast.AST], loop: LoopNode
    ) -> ast.AST | None:
        """``x.data = x + a * grad.sign()``, ``x.data.add_(step)``."""
        names = {n.id for n in ast.walk(wanted) if isinstance(n, ast.Name)}
        for node in nodes:
            changed = _changed(node)
            if changed is None or root_name(changed) not in names or any(n is source for n in ast.walk(changed)):
                continue
            if not _own_gradients(changed) and self._depends(node, source, loop):
                return node
        return None

    def _depends(self, node: ast.AST, source: ast.AST, loop: LoopNode) -> bool:
        """Whether what a node computes depends on an expression of the loop."""
        seen: set[ast.AST] = set()
        todo = [node]
        while todo:
            value = todo.pop()
            if any(n is source for n in ast.walk(value)):
                return True
            for binding in self._made_inside(value, loop):
                if binding.node not in seen and binding.value is not None:
                    seen.add(binding.node)
                    todo.append(binding.value)
        return False

    def _made_inside(self, value: ast.AST, loop: LoopNode) -> Iterator[Binding]:
        """The bindings in the body of a loop that the names of an expression may come from."""
        for name in ast.walk(value):
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load):
                for binding in self.names.reaching(name):
                    if any(parent is loop for parent in self.module.ancestors(binding.node)):
                        yield binding


def _changed(node: ast.AST) -> ast.expr | None:
    """What a node changes in place, without binding a name anew."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
        return node.func.value
    if isinstance(node, ast.AugAssign):
        return node.target
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
        if isinstance(target, ast.Subscript) or (isinstance(target, ast.Attribute) and target.attr == "data"):
            return target
    return None


def _own_gradients(node: ast.AST) -> list[ast.Attribute]:
    return [n for n in ast.walk(node) if isinstance(n, ast.Attribute) and n.attr == "grad"]
