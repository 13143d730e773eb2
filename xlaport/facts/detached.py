"""Whether a value has no gradient where it stands: numbers, what was detached, and all that is made of these alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from xlaport.analysis.value import NUMBER
from xlaport.facts.held import Kind
from xlaport.facts.names import How
from xlaport.facts.program import Facts
from xlaport.facts.structure import Class, structure_of

WITHOUT = frozenset(
    "argmin argmax argsort bucketize searchsorted bool long int short byte detach item tolist numpy eq ne lt le gt ge "
    "equal allclose isclose isnan isinf isfinite any all nonzero argwhere count_nonzero multinomial size numel "
    "dim".split()
)
"""Functions and methods of tensors through whose result no gradient goes."""
_ASKED = frozenset({"data", "grad", "shape", "dtype", "device", "ndim"})
_ASKING = frozenset({"requires_grad", "requires_grad_"})
"""By what a detached tensor gets gradients again."""
_COMPUTING = frozenset({"torch", "torch.nn.functional", "torch.linalg", "torch.special", "torch.fft"})
"""Where the functions are whose results have gradients only by their arguments."""
_FROM_ELSEWHERE = frozenset({"torch.load", "torch.compile", "torch.func"})
_FILLING = frozenset({"append", "appendleft", "extend", "insert", "add", "update", "setdefault"})
"""Methods that put their arguments into a list, a dict or a set."""
_READING = frozenset({"items", "values", "keys", "clear", "pop", "copy", "index", "count", "sort", "reverse"})
_EMPTY = frozenset(
    {"builtins.dict", "builtins.list", "collections.OrderedDict", "collections.defaultdict", "collections.deque"}
)
_LOOKING = frozenset(
    f"builtins.{name}" for name in "len print sorted zip enumerate reversed isinstance list tuple iter next".split()
)
_MAX_ASKED = 120


def is_detached(facts: Facts, node: ast.expr) -> bool:
    """Whether no gradient can come to what an expression was made of."""
    return _Detached().holds(facts, node)


class _Detached:
    """Follows one value backwards: all that it may be made of has to be detached."""

    def __init__(self) -> None:
        self._seen: set[ast.AST] = set()

    def holds(self, facts: Facts, node: ast.expr) -> bool:
        """Whether a value is detached. What is being asked already decides nothing: all the rest has to hold."""
        if node in self._seen:
            return True
        self._seen.add(node)
        if len(self._seen) > _MAX_ASKED:
            return False
        value = structure_of(facts.view).value(facts, node)
        if value is not None and (value.type == NUMBER or value.holds.kind in (Kind.BOOL, Kind.INT)):
            return True
        match node:
            case ast.Constant() | ast.Compare():
                return True
            case ast.UnaryOp():
                return self.holds(facts, node.operand)
            case ast.BinOp():
                return self.holds(facts, node.left) and self.holds(facts, node.right)
            case ast.Subscript():
                return self.holds(facts, node.value)
            case ast.Tuple() | ast.List():
                return all(self.holds(facts, element) for element in node.elts)
            case ast.Attribute():
                return node.attr in _ASKED or self._kept_by_object(facts, node)
            case ast.Call():
                return self._made(facts, node)
            case ast.Name():
                return self._named(facts, node)
        return False

    def _made(self, facts: Facts, call: ast.Call) -> bool:
        """What a method of a detached tensor gives, or a function of torch's of detached ones."""
        given = [*call.args, *(k.value for k in call.keywords)]
        name = facts.names.resolve(call.func)
        if name is not None:
            module, _, function = name.rpartition(".")
            computes = module in _COMPUTING and function.islower() and name not in _FROM_ELSEWHERE
            asks = any(k.arg in (None, *_ASKING) for k in call.keywords)
            return computes and not asks and (function in WITHOUT or all(self.holds(facts, part) for part in given))
        if not isinstance(call.func, ast.Attribute) or call.func.attr in _ASKING:
            return False
        if call.func.attr in WITHOUT and all(isinstance(part, ast.Constant) for part in given):
            return True
        return all(self.holds(facts, part) for part in [call.func.value, *given])

    def _named(self, facts: Facts, node: ast.Name) -> bool:
        found = facts.names.reaching(node)
        for binding in found:
            value = binding.value
            if binding.how not in (How.ASSIGN, How.UNPACK) or value is None:
                return False
            target = binding.node if isinstance(binding.node, ast.expr) else None
            if any(_asks(facts, use) for use in facts.names.uses_of(target)):
                return False
            home, is_container = facts.names.home(node), _is_container(facts, value)
            uses = facts.names.uses(home, node.id) if home is not None else []
            if home is None or not self._are_detached_fills(facts, uses, is_container):
                return False
            if not is_container and not self.holds(facts, value):
                return False
        return bool(found)

    # -- what is kept ----------------------------------------------------------------------------------

    def _kept_by_object(self, facts: Facts, node: ast.Attribute) -> bool:
        """``self.seen``, which is only ever filled with detached values, in each file that has such an object."""
        structure = structure_of(facts.view)
        owner = structure.instance_of(facts, node.value)
        if owner is None:
            return False
        files = list(structure.files_with(owner, node.attr))
        files += [base.facts for base in structure.bases(owner) if base.facts not in files]
        uses = {there: list(self._uses(there, owner, node.attr)) for there in files}
        stored = [(there, use) for there in files for use in uses[there] if not isinstance(use.ctx, ast.Load)]
        values = [(there, _stored(there, use)) for there, use in stored]
        if not values:
            return False
        has_container = False
        for there, value in values:
            if value is None:
                return False
            if _is_container(there, value):
                has_container = True
            elif not self.holds(there, value):
                return False
        return all(self._are_detached_fills(there, uses[there], has_container) for there in files)

    def _uses(self, facts: Facts, owner: Class, name: str) -> Iterator[ast.Attribute]:
        """The places that may name an attribute of a class: not those of an object of another one."""
        structure = structure_of(facts.view)
        for node in facts.module.nodes:
            if isinstance(node, ast.Attribute) and node.attr == name:
                others = structure.instances_of(facts, node.value)
                if not others or any(structure.is_related(other, owner) for other in others):
                    yield node

    def _are_detached_fills(self, facts: Facts, uses: Sequence[ast.expr], is_container: bool) -> bool:
        return all(self._leaves_detached(facts, use, is_container) for use in uses)

    def _leaves_detached(self, facts: Facts, use: ast.expr, is_container: bool) -> bool:
        """Whether what is kept is as detached after a use as before it."""
        parent = facts.module.parents[use]
        if not isinstance(getattr(use, "ctx", None), ast.Load | None):
            return True  # what is stored there is asked by itself
        if isinstance(parent, ast.Subscript) and parent.value is use:
            return self._item_leaves_detached(facts, parent)
        if isinstance(parent, ast.Attribute):
            call = facts.module.parents[parent]
            if not isinstance(call, ast.Call) or call.func is not parent:
                return parent.attr not in _ASKING
            given = [*call.args, *(k.value for k in call.keywords)]
            if parent.attr.endswith("_") and parent.attr not in _ASKING:
                return all(self.holds(facts, part) for part in given) and self._leaves_detached(facts, call, False)
            if parent.attr in _FILLING:
                return all(self.holds(facts, part) for part in given)
            return parent.attr in _READING or parent.attr == "get" or not (is_container or parent.attr in _ASKING)
        if not is_container:
            return True
        if isinstance(parent, ast.Call):
            name = facts.names.resolve(parent.func) or ""
            return parent.func is not use and (name in _LOOKING or name.rpartition(".")[0] in _COMPUTING)
        # By another name, it may be filled with anything.
        is_iterated = isinstance(parent, ast.For | ast.comprehension) and parent.iter is use
        return is_iterated or isinstance(parent, ast.Compare | ast.If | ast.BoolOp | ast.UnaryOp | ast.Delete)

    def _item_leaves_detached(self, facts: Facts, item: ast.Subscript) -> bool:
        """``self.seen[name] = x.detach()``, also of an item's item; what is read there may be filled by a method."""
        parent = facts.module.parents[item]
        while isinstance(parent, ast.Subscript) and parent.value is item:
            item, parent = parent, facts.module.parents[parent]
        if isinstance(item.ctx, ast.Del):
            return True
        if isinstance(item.ctx, ast.Store):
            value = parent.value if isinstance(parent, ast.Assign | ast.AugAssign | ast.AnnAssign) else None
            return value is not None and (_is_container(facts, value) or self.holds(facts, value))
        if isinstance(parent, ast.Attribute) and (parent.attr in _FILLING or parent.attr in _ASKING):
            call = facts.module.parents[parent]
            is_filled = parent.attr in _FILLING and isinstance(call, ast.Call)
            return is_filled and isinstance(call, ast.Call) and all(self.holds(facts, part) for part in call.args)
        return True


def _is_container(facts: Facts, value: ast.expr) -> bool:
    """``{}`` and ``[]``, ``dict()``, ``defaultdict(list)``: nothing is in it yet."""
    if isinstance(value, ast.Call):
        name = facts.names.resolve(value.func)
        return name in _EMPTY and all(facts.names.resolve(a) in _EMPTY for a in value.args) and not value.keywords
    return (isinstance(value, ast.List) and not value.elts) or (isinstance(value, ast.Dict) and not value.keys)


def _stored(facts: Facts, target: ast.Attribute) -> ast.expr | None:
    """What is assigned or added to an attribute; None where that is not plain to see."""
    parent = facts.module.parents[target]
    return parent.value if isinstance(parent, ast.Assign | ast.AnnAssign | ast.AugAssign) else None


def _asks(facts: Facts, use: ast.Name) -> bool:
    """``x.requires_grad = True`` and ``x.requires_grad_()``."""
    parent = facts.module.parents[use]
    return isinstance(parent, ast.Attribute) and parent.attr in _ASKING
