"""Step loops that need no barrier, since one read runs all that each pass computes, and nothing of it is kept.

Such a read is the execution of the pass, where nothing else of it lives on: names of functions that it calls are gone
when they return. A second read would run anew what both need, and so would the next barrier for an output that has
still a name, which the read left as it was; random numbers, running statistics and what is kept elsewhere go on from
pass to pass, and their graph grows until it is cut.
"""

from __future__ import annotations

import ast

from xlaport.facts.loops import UNSEEN, LoopKind, Loops, StepLoop
from xlaport.facts.module import FunctionNode
from xlaport.facts.names import How
from xlaport.facts.role import Role
from xlaport.facts.scopes import Comprehension
from xlaport.facts.stateless import Stateless, draws
from xlaport.facts.structure import Function
from xlaport.facts.vocabulary import HOST_PACKAGES, HOST_READ_METHODS

_MAX_DEPTH = 12
_LEAF = (
    ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Delete, ast.Assert, ast.Raise, ast.Pass,
    ast.Break, ast.Continue, ast.Import, ast.ImportFrom,
)  # fmt: skip
_NUMBERS = frozenset(f"builtins.{name}" for name in ("int", "float", "bool", "str", "len", "range"))
_LIBRARIES = ("torch.", "builtins.", *HOST_PACKAGES)
_HOST = frozenset({Role.HOST_TENSOR, Role.NUMBER, Role.TEXT, Role.DEVICE})


class OneRead:
    """Answers for the step loops of a file. Ask `takes_all`."""

    def __init__(self, loops: Loops) -> None:
        self.loops = loops
        self.facts = loops.facts
        self.module = loops.module
        self.roles = loops.roles
        self.stateless = Stateless(loops.structure)
        self._found: dict[StepLoop, bool] = {}
        self._functions: dict[Function, int | None] = {}
        self._asked: set[ast.expr] = set()

    def takes_all(self, loop: StepLoop) -> bool:
        """Whether each pass of a loop reads once, and leaves nothing behind that a barrier would have to run."""
        if loop.kind not in (LoopKind.EVAL, LoopKind.ACT, LoopKind.GENERATE) or loop.because == UNSEEN:
            return False
        if loop not in self._found:
            body = loop.node.body
            is_one = self._reads(body) == 1 and not self._goes_on(loop)
            names = self._names_left(body) if is_one else set()
            is_left = bool(names) and (self._is_cut_later(loop) or self._are_used_later(names, loop))
            self._found[loop] = is_one and not is_left
        return self._found[loop]

    def _are_used_later(self, names: set[str], loop: StepLoop) -> bool:
        """Whether what the passes leave under some names is used behind the loop: ``return output``."""
        inside = set(ast.walk(loop.node))
        around = self.module.function(loop.node) or self.module.tree
        return any(
            node.id in names and node not in inside and any(b.node in inside for b in self.facts.names.reaching(node))
            for node in self.module.that_run(around.body, ast.Name)
            if isinstance(node.ctx, ast.Load)
        )

    def _is_cut_later(self, loop: StepLoop) -> bool:
        """Whether a graph is cut while the last pass's names stand: by the loader, or by what the function does next.

        Between two passes they cost nothing: a read runs what it needs, and a name that is bound anew lets go. A
        barrier costs as little where gradients are off, and shows where a pass ends; where they are on, it brings out
        all that backward() would want (a pass of PointNet takes 0.27 s with it and 0.15 s without).
        """
        first = next(iter(self.loops.reads.within(loop.node.body)), None)
        if loop.cut_by_loader or self.loops.gradients_are_off(loop.node if first is None else first.node):
            return True
        for node in (loop.node, *self.module.ancestors(loop.node)):
            if isinstance(node, FunctionNode):
                return False
            if isinstance(node, ast.For | ast.While) and node is not loop.node:
                return True
            if isinstance(node, ast.stmt):
                block = self.module.block(node)
                if self.loops.runs_step_loop(block[block.index(node) + 1 :]):
                    return True
        return False

    def _goes_on(self, loop: StepLoop) -> bool:
        """Whether a pass uses a tensor that an earlier one made."""
        for node in self.module.that_run(loop.node.body, ast.Name):
            if not isinstance(node.ctx, ast.Load) or self.roles.is_(node, Role.MODEL):
                continue  # what a model keeps of a pass is asked where it is called
            for binding in self.facts.names.reaching(node):
                inside = any(parent is loop.node for parent in self.module.ancestors(binding.node))
                is_later = inside and getattr(binding.node, "lineno", 0) >= node.lineno and binding.how is not How.FOR
                if is_later and (binding.value is None or not self._is_of_host(binding.value)):
                    return True
        return False

    def _names_left(self, body: list[ast.stmt]) -> set[str]:
        """The names that a pass ends with for what it computed on the device, other than its data."""
        gone = {n.id for n in self.module.that_run(body, ast.Name) if isinstance(n.ctx, ast.Del)}
        found: set[str] = set()
        for node in self.module.that_run(body, ast.Assign, ast.AnnAssign, ast.AugAssign):
            if not isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
                continue
            if node.value is not None and not (self._is_of_host(node.value) or self._is_data(node.value)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found |= {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)} - gone
        return found

    def _is_data(self, value: ast.expr) -> bool:
        """``x.to(device)`` of a batch, and several of these: what is copied to the device, and not computed there."""
        if isinstance(value, ast.Tuple):
            return all(self._is_data(element) for element in value.elts)
        func = value.func if isinstance(value, ast.Call) else None
        if not isinstance(value, ast.Call) or not isinstance(func, ast.Attribute) or func.attr not in ("to", "cuda"):
            return False
        if len(value.args) > 1 or any(k.arg not in ("device", "non_blocking") for k in value.keywords):
            return False
        moved = func.value
        if isinstance(moved, ast.Name):
            found = self.facts.names.reaching(moved)
            return bool(found) and all(
                b.how is How.FOR or (b.value is not None and (b.value is value or self._is_of_host(b.value)))
                for b in found
            )
        return self._is_of_host(moved)

    def _was_moved(self, tensor: ast.expr) -> bool:
        """Whether what is read is a batch that was copied to the device: there is nothing to run for it."""
        found = self.facts.names.reaching(tensor) if isinstance(tensor, ast.Name) else []
        return bool(found) and all(
            b.how in (How.ASSIGN, How.UNPACK) and b.value is not None and self._is_data(b.value) for b in found
        )

    # -- statements ------------------------------------------------------------------------------------

    def _reads(self, statements: list[ast.stmt]) -> int | None:
        """How many reads statements make at the most; None where they may leave something behind."""
        found = 0
        for statement in statements:
            reads = self._statement(statement)
            if reads is None:
                return None
            found += reads
        return found

    def _statement(self, node: ast.stmt) -> int | None:
        if isinstance(node, _LEAF):
            return self._leaf(node)
        if isinstance(node, FunctionNode | ast.ClassDef):
            return 0
        if isinstance(node, ast.If):
            return _sum(self._expressions([node.test], node), _most(self._reads(node.body), self._reads(node.orelse)))
        if isinstance(node, ast.With):
            return _sum(self._expressions([i.context_expr for i in node.items], node), self._reads(node.body))
        if isinstance(node, ast.Try):
            handled = [self._reads(handler.body) for handler in node.handlers]
            return _sum(_most(self._reads(node.body), *handled), self._reads([*node.orelse, *node.finalbody]))
        if isinstance(node, ast.For | ast.While) and self.loops.step_loop(node) is None:
            first = node.iter if isinstance(node, ast.For) else node.test
            inside = self._reads([*node.body, *node.orelse])
            return _sum(self._expressions([first], node), None if inside else inside)
        return None

    def _leaf(self, node: ast.stmt) -> int | None:
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            targets = [node.target]
        value = getattr(node, "value", None)
        for target in (t for root in targets for t in ast.walk(root)):
            if isinstance(target, ast.Attribute | ast.Subscript) and not isinstance(target.ctx, ast.Load):
                if value is None or not (self._is_of_host(value) or self._is_array(target.value)):
                    return None
        if isinstance(node, ast.AugAssign):
            owner = node.target.value if isinstance(node.target, ast.Attribute | ast.Subscript) else node.target
            if self.roles.is_(owner, Role.TENSOR, Role.MODEL) or not self._is_of_host(node.value):
                return None
        return self._expressions([node], node)

    def _is_of_host(self, value: ast.expr, depth: int = 0) -> bool:
        """Whether a value is none of the device: what was read, and what unknown code makes of such values only."""
        if depth > _MAX_DEPTH:
            return False
        if self.roles.is_(value, *_HOST) or isinstance(value, ast.Constant):
            return True
        if self.roles.is_(value, Role.TENSOR):
            return False
        if isinstance(value, ast.Subscript | ast.Attribute):
            is_named = (self.facts.names.resolve(value) or "").startswith(HOST_PACKAGES)
            return is_named or self._is_of_host(value.value, depth + 1)
        if isinstance(value, ast.IfExp):
            return self._is_of_host(value.body, depth + 1) and self._is_of_host(value.orelse, depth + 1)
        if isinstance(value, ast.Tuple | ast.List | ast.BinOp | ast.Compare | ast.BoolOp | ast.UnaryOp):
            parts = (v for v in ast.iter_child_nodes(value) if isinstance(v, ast.expr))
            return all(self._is_of_host(v, depth + 1) for v in parts)
        if isinstance(value, ast.Call):
            return self._gives_host(value, depth + 1)
        if isinstance(value, ast.Name):
            found = self.facts.names.reaching(value)
            made = [b.value for b in found if b.how in (How.ASSIGN, How.UNPACK) and b.value is not None]
            if not made or len(made) < len(found):
                return False
            new = [v for v in made if v not in self._asked]  # what is asked already, a pass earlier, is no other
            self._asked.update(new)
            answer = all(self._is_of_host(v, depth + 1) for v in new)
            self._asked.difference_update(new)
            return answer
        return False

    def _is_array(self, node: ast.expr) -> bool:
        """Whether a name is an array that NumPy makes, which keeps no tensor."""
        made = [b.value for b in self.facts.names.reaching(node)] if isinstance(node, ast.Name) else []
        return bool(made) and all(
            isinstance(v, ast.Call) and (self.facts.names.resolve(v.func) or "").startswith("numpy.") for v in made
        )

    def _gives_host(self, call: ast.Call, depth: int) -> bool:
        func = call.func
        if isinstance(func, ast.Attribute) and func.attr in HOST_READ_METHODS:
            return True
        functions = self.loops.run_by(call)
        if functions:
            return all(self._returns_host(function, depth) for function in functions)
        name = self.facts.names.resolve(func) or ""
        if name.startswith(HOST_PACKAGES) or name in _NUMBERS:
            return True
        if self.loops.stepping.is_model_call(call) or name.startswith("torch"):
            return False
        if isinstance(func, ast.Attribute) and self._is_of_host(func.value, depth):
            return True
        return all(self._is_of_host(v, depth) for v in [*call.args, *(k.value for k in call.keywords)])

    def _returns_host(self, function: Function, depth: int) -> bool:
        there = self if function.facts is self.facts else OneRead(self.loops.elsewhere(function.facts))
        given = [r.value for r in function.facts.module.returns(function.node) if r.value is not None]
        return bool(given) and all(there._is_of_host(v, depth) for v in given)

    # -- expressions -----------------------------------------------------------------------------------

    def _expressions(self, nodes: list[ast.expr] | list[ast.stmt], statement: ast.stmt) -> int | None:
        for node in self.module.that_run(nodes, ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr, ast.Lambda):
            return None if node is not None else 0
        reads = [read for read in self.loops.reads.within(nodes) if not self._was_moved(read.tensor)]
        found = len({read.node for read in reads})
        for read in reads:
            if any(isinstance(p, Comprehension) for p in self._within(read.node, statement)):
                return None
        for call in self.module.that_run(nodes, ast.Call):
            inside = self._call(call)
            if inside is None or (inside and any(isinstance(p, Comprehension) for p in self._within(call, statement))):
                return None
            found += inside
        return found

    def _within(self, node: ast.AST, statement: ast.stmt) -> list[ast.AST]:
        around = list(self.module.ancestors(node))
        return around[: around.index(statement)]

    def _call(self, call: ast.Call) -> int | None:
        """How many reads the functions make that a call runs."""
        func, stepping = call.func, self.loops.stepping
        if stepping.is_barrier(call) or stepping.is_step(call) or stepping.is_backward(call):
            return None
        if stepping.is_model_call(call):
            model = func.value if isinstance(func, ast.Attribute) and func.attr == "forward" else func
            return 0 if self.stateless.leaves_nothing(self.facts, model, call) else None
        functions = self.loops.run_by(call)
        if functions:
            return _most(*(self._function(f) for f in functions))
        name = self.facts.names.resolve(func)
        if name is not None and name.startswith(_LIBRARIES):
            drawn = name.startswith("torch.") and draws(name) and not self.roles.is_(call, Role.HOST_TENSOR)
            return None if drawn or name.endswith("_") else 0
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if isinstance(func, ast.Attribute) and self.roles.is_(func.value, Role.TENSOR):
            return None if draws(func.attr) or func.attr.endswith("_") else 0
        if isinstance(func, ast.Attribute) and self.roles.is_(func.value, Role.MODEL):
            return 0 if func.attr in ("eval", "train") else None
        if isinstance(func, ast.Attribute) and func.attr in ("to", *HOST_READ_METHODS):
            return 0
        tensors = any(self.roles.is_(value, Role.TENSOR) for value in given)
        if isinstance(func, ast.Attribute) and not tensors and self._is_of_host(func.value):
            return 0
        return 0 if all(self._is_of_host(value) for value in given) else None

    def _function(self, function: Function) -> int | None:
        there = self if function.facts is self.facts else OneRead(self.loops.elsewhere(function.facts))
        if function not in there._functions:
            there._functions[function] = None  # while it is asked: a function that calls itself
            rebinds = list(there.module.that_run(function.node.body, ast.Global, ast.Nonlocal))
            there._functions[function] = None if rebinds else there._reads(function.node.body)
        return there._functions[function]


def _sum(*parts: int | None) -> int | None:
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None


def _most(*parts: int | None) -> int | None:
    known = [part for part in parts if part is not None]
    return max(known, default=0) if len(known) == len(parts) else None
