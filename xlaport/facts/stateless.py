"""Models that leave nothing behind where they run: no running statistics, no random numbers, nothing that they keep."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.facts import vocabulary as torch_api
from xlaport.facts.module import FunctionNode
from xlaport.facts.origins import Origins
from xlaport.facts.program import Facts
from xlaport.facts.roles import dotted
from xlaport.facts.structure import Class, Function, Structure

_IN_TRAINING = re.compile(
    r"BatchNorm|Dropout|RReLU|InstanceNorm|FractionalMaxPool|MultiheadAttention|Transformer|RNN|LSTM|GRU"
)
"""The modules of torch that draw numbers, or keep statistics, unless they are in evaluation mode."""
_DRAWING = re.compile(
    r"rand|normal$|normal_$|uniform|bernoulli|multinomial|poisson|exponential|dropout|cauchy|geometric|"
    r"sample|gumbel|rrelu|fractional_max_pool|batch_norm|instance_norm|shuffle"
)
"""The functions and methods that draw random numbers, whose graph grows from one barrier to the next."""
_LIBRARY = ("torch.", "torchvision.models.")
_HOST = ("builtins.", "math.", "numpy.", "warnings.", "logging.")
_MAX_DEPTH = 6


def draws(name: str) -> bool:
    """Whether a function or method of torch may draw random numbers, by its name."""
    return _DRAWING.search(name.rpartition(".")[2]) is not None


class Stateless:
    """Answers for the models of a project. Ask `leaves_nothing`."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self._of_class: dict[Class, bool | None] = {}
        self._open: set[ast.AST] = set()

    def leaves_nothing(self, facts: Facts, model: ast.expr, call: ast.Call) -> bool:
        """Whether all that a call of a model computes is what it gives, as far as each class on the way is seen."""
        if "register_forward" in facts.module.text:
            return False
        found = self._all_made(facts, model, 0)
        if None in found:
            return False
        return True not in found or self._is_evaluated(facts, model, call)

    def _all_made(self, facts: Facts, model: ast.expr, depth: int) -> set[bool | None]:
        """`_made` of all that a model may come from; what is asked already, a pass earlier, is no other."""
        made = Origins(self.structure).of(facts, model)
        if not made:
            return {None}
        spots = [spot for spot in made if spot.node not in self._open]
        self._open.update(spot.node for spot in spots)
        found = {self._made(spot.facts, spot.node, depth) for spot in spots}
        self._open.difference_update(spot.node for spot in spots)
        return found

    def _made(self, facts: Facts, node: ast.AST, depth: int) -> bool | None:
        """Whether what makes a model makes a part that has to be in evaluation mode; None where it is not seen."""
        if not isinstance(node, ast.Call) or depth > _MAX_DEPTH:
            return None
        func = node.func
        if isinstance(func, ast.Attribute) and func.attr in torch_api.MODULE_KEEPING_METHODS:
            if not isinstance(func.value, ast.Name):
                return self._made(facts, func.value, depth)
            found = self._all_made(facts, func.value, depth + 1)  # of `model = model.eval()`
            return None if None in found else True in found
        owner = self.structure.class_named(facts, func)
        if owner is not None:
            return self._class(owner, depth + 1)
        name = facts.names.resolve(func) or ""
        if not name.startswith(("torch.nn.", "torchvision.models.")):
            return None
        inner = [a.value if isinstance(a, ast.Starred) else a for a in node.args]
        parts = {self._made(facts, a, depth + 1) for a in inner if isinstance(a, ast.Call)}
        is_box = name.endswith(("Sequential", "ModuleList")) or name in torch_api.MODULE_WRAPPERS
        if is_box and (None in parts or not all(isinstance(a, ast.Call) for a in inner)):
            return None
        return not name.startswith("torch.nn.") or _IN_TRAINING.search(name) is not None or True in parts

    def _class(self, owner: Class, depth: int) -> bool | None:
        """The same of a class of the project: of what it makes, and what its ``forward()`` does."""
        if owner not in self._of_class:
            self._of_class[owner] = None
            self._of_class[owner] = self._look(owner, depth)
        return self._of_class[owner]

    def _look(self, owner: Class, depth: int) -> bool | None:
        if not self.structure.is_module(owner) or depth > _MAX_DEPTH:
            return None
        found: set[bool | None] = set()
        for base in self.structure.bases(owner):
            if base.node.keywords or base.node.decorator_list:
                return None
            for function in (f for f in base.node.body if isinstance(f, FunctionNode) and f.name == "__init__"):
                found.update(self._parts(base.facts, function, depth))
        if not all(_is_plain(f.facts, f.node) for f in self._that_run(owner)):
            return None
        return None if None in found else True in found

    def _that_run(self, owner: Class) -> list[Function]:
        """The ``forward()`` of a class, and the methods that it calls."""
        found = [f for f in [self.structure.method(owner, "forward")] if f is not None]
        for function in found:
            for node in function.facts.module.that_run(function.node.body, ast.Attribute):
                if isinstance(node.value, ast.Name) and function.facts.names.self_class(node.value) is not None:
                    method = self.structure.method(owner, node.attr)
                    if method is not None and method not in found:
                        found.append(method)
        return found

    def _parts(self, facts: Facts, init: FunctionNode, depth: int) -> Iterator[bool | None]:
        """What each module is that an ``__init__`` makes."""
        for call in (n for n in ast.walk(init) if isinstance(n, ast.Call)):
            name = facts.names.resolve(call.func) or ""
            if name.startswith(("torch.nn.", "torchvision.models.")) and not name.startswith("torch.nn.init."):
                if name.rpartition(".")[2][:1].isupper() or name.startswith("torchvision."):
                    kind = name.startswith("torchvision.") or _IN_TRAINING.search(name) is not None
                    yield kind
            elif (inner := self.structure.class_named(facts, call.func)) is not None:
                yield self._class(inner, depth + 1)
            elif not name.startswith((*_LIBRARY, *_HOST)) and not isinstance(call.func, ast.Attribute):
                yield None  # a layer that the caller chooses, or of a function that is not looked into
        given = {a.arg for a in [*init.args.args[1:], *init.args.kwonlyargs]}
        for node in ast.walk(init):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id in given:
                if any(isinstance(u, ast.Call) for u in self._calls_of(facts, node)):
                    yield None

    def _calls_of(self, facts: Facts, node: ast.Assign) -> Iterator[ast.AST]:
        """The calls of an attribute that a parameter of ``__init__`` was kept in."""
        names = {t.attr for t in node.targets if isinstance(t, ast.Attribute)}
        for name in names:
            for use in facts.module.attributes.get(name, ()):
                parent = facts.module.parents[use]
                if isinstance(parent, ast.Call) and parent.func is use:
                    yield parent

    def _is_evaluated(self, facts: Facts, model: ast.expr, call: ast.Call) -> bool:
        """Whether ``model.eval()`` is what a function, or the file, says last of a model before a call of it."""
        own = facts.module.function(call)
        modes = [(c, c.func.attr) for c in facts.module.calls if isinstance(c.func, ast.Attribute)]
        said = [
            (c, mode)
            for c, mode in modes
            if mode in ("eval", "train") and facts.module.function(c) is own and _whose(c) == dotted(model)
        ]
        before = [(c, mode) for c, mode in said if c.lineno < call.lineno]
        if not before or before[-1][1] != "eval":
            return False
        apart = [p for p in facts.module.ancestors(call) if p not in set(facts.module.ancestors(before[-1][0]))]
        return not any(mode == "train" and p in apart for c, mode in said for p in facts.module.ancestors(c))


def _whose(call: ast.Call) -> str | None:
    """``model`` of ``model.to(device).eval()``."""
    node: ast.expr = call
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    return dotted(node)


def _is_plain(facts: Facts, function: FunctionNode) -> bool:
    """Whether a method does nothing but compute: it keeps nothing, draws no numbers, calls nothing that is not seen."""
    for node in facts.module.that_run(function.body, ast.Call, ast.Attribute, ast.Subscript, ast.Global, ast.Yield):
        if isinstance(node, ast.Global | ast.Yield):
            return False
        if isinstance(node, ast.Attribute | ast.Subscript):
            if not isinstance(node.ctx, ast.Load):
                return False
        elif isinstance(node, ast.Call) and not _is_plain_call(facts, node):
            return False
    return True


def _is_plain_call(facts: Facts, call: ast.Call) -> bool:
    name = facts.names.resolve(call.func)
    if name is not None and name.startswith((*_LIBRARY, *_HOST)):
        return not draws(name) and not name.endswith("_")
    if not isinstance(call.func, ast.Attribute):
        return isinstance(call.func, ast.Call) and facts.names.resolve(call.func.func) == "builtins.super"
    of_itself = isinstance(call.func.value, ast.Name) and facts.names.self_class(call.func.value) is not None
    if of_itself and _is_part(facts, call.func):
        return True  # what a module of torch does is asked where it is made
    if of_itself or isinstance(call.func.value, ast.Subscript):
        return not draws(call.func.attr)
    return not draws(call.func.attr) and not call.func.attr.endswith("_") and call.func.attr not in ("append", "extend")


def _is_part(facts: Facts, called: ast.Attribute) -> bool:
    """Whether a class keeps what it calls as a module of torch: ``self.dropout = nn.Dropout(0.1)``."""
    owner = facts.module.class_of(called)
    uses = facts.module.attributes.get(called.attr, ())
    stores = [u for u in uses if not isinstance(u.ctx, ast.Load) and facts.module.class_of(u) is owner]
    kept = [facts.module.parents[store] for store in stores]
    made = [k.value if isinstance(k, ast.Assign) else None for k in kept]
    return bool(made) and all(
        isinstance(m, ast.Call) and (facts.names.resolve(m.func) or "").startswith("torch.nn.") for m in made
    )
