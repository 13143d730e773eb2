"""XP312: a step reads from the TPU what the host has anyway."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.in_place import changes, sharing
from xlaport.facts.looked_at import only_looks, uses_of_parameter
from xlaport.facts.module import FunctionNode, LoopNode, last_name, walk_block
from xlaport.facts.program import Facts
from xlaport.facts.reads import place_of
from xlaport.facts.roles import Role
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule

from .._lib import host_only
from .._lib.host_reads.saying import code, say

_NUMBERS = frozenset({"item", "tolist"})
_SIZES = frozenset({"shape", "dtype", "ndim"})
_SIZE_METHODS = frozenset({"size", "dim", "numel"})
_LATER = ast.Lambda | ast.GeneratorExp
_MAX_DEPTH = 4


class KnownOnHost(Rule):
    """Take what the host has anyway from the host.

    ## What it does
    In a step, a tensor of the host that is moved to the TPU only to be copied back (`y = y.to(device)`, and `y.cpu()`
    in the loss, the only use of it) stays on the host. A second copy of a tensor, `x.cpu()`, of which a name holds one
    already, becomes that name.

    ## Why
    A copy to the host waits for the TPU, in each step, for numbers that are here.

    ## Example
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x, y in DataLoader([(torch.zeros(4), 1)]):
            x, y = x.to(device), y.to(device)
            loss = model(x).mean() * len(torch.unique(y.cpu()))
            loss.backward()
            optimizer.step()

    becomes

        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x, y in DataLoader([(torch.zeros(4), 1)]):
            x, y = x.to(device), y
            loss = model(x).mean() * len(torch.unique(y.cpu()))
            loss.backward()
            optimizer.step()

    ## When it is wrong
    Where one of two copies is changed by a name that nobody sees here. Gradients through one copy are added up on the
    host, and no more on the TPU.

    ## When it is left alone
    A tensor that the TPU computes with, too; one that is changed, or kept, in the meantime; copies that are changed,
    kept, handed to code out of sight, or made on other ways.

    ## Sources
    - PyTorch/XLA, Troubleshoot: https://docs.pytorch.org/xla/release/r2.7/learn/troubleshoot.html

    ## Related
    XP301, XP308, XP311.
    """

    code = "XP312"
    name = "known-on-host"
    summary = "a step copies to the host what the host has already"
    applicability = Applicability.SAFE
    harm = Harm.WAITS
    words = ("cpu", "item", "tolist", "to")
    across = ("cpu", "item", "tolist")
    after = ("XP202", "XP303")  # a loader that moves its batches beside the steps, and what needs no read at all

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each move that serves its way back alone, and for each second copy."""
        if host_only.stays_on_host(context):
            return
        for call in context.module.calls:
            tensor = call.func.value if isinstance(call.func, ast.Attribute) else None
            if not isinstance(tensor, ast.Name) or not context.editable(call):
                continue
            text, in_step = tensor.id, context.step_code.in_step(call)
            is_repeated = in_step or any(isinstance(parent, LoopNode) for parent in context.module.ancestors(call))
            if is_repeated and _is_moved_in_vain(context, call, tensor):
                yield self.finding(context.span(call), say("XP312.moved", name=text), Replace(context.span(call), text))
            elif in_step and (held := _held(context, call, tensor)) is not None:
                copied = code(context, call, "This")
                said = say("XP312.held", copy=copied, name=held.id, line=context.line(held))
                yield self.finding(
                    context.span(call), said, Replace(context.span(call), held.id), applicability=Applicability.UNSAFE
                )


def _fetched(facts: Facts, use: ast.expr) -> ast.Call | None:
    """The copy, or the numbers, on the host that a use of a tensor asks for: ``x.cpu()``, ``x.tolist()``."""
    attribute = facts.module.parents[use]
    call = facts.module.parents[attribute]
    if not isinstance(attribute, ast.Attribute) or not isinstance(call, ast.Call) or call.func is not attribute:
        return None
    if attribute.attr in _NUMBERS | {"cpu"} and not call.args and not call.keywords:
        return call
    if attribute.attr == "to" and len(call.args) == 1 and not call.keywords:
        place = place_of(facts.names, call.args[0])
        return call if isinstance(place, ast.Constant) and place.value == "cpu" else None
    return None


# -- a move to the TPU -----------------------------------------------------------------------------------


def _is_moved_in_vain(context: Context, call: ast.Call, tensor: ast.Name) -> bool:
    """``y = y.to(device)`` of which all that is asked is what the host has: its numbers, and its sizes."""
    target, facts = _target(context, call), context.view.own
    if target is None or last_name(call.func) != "to" or len(call.args) != 1:
        return False
    if any(k.arg != "non_blocking" for k in call.keywords):
        return False
    if not context.roles.is_(call, Role.TENSOR) or not context.roles.is_(tensor, Role.HOST_TENSOR):
        return False
    uses = context.names.uses_of(target)
    reads = [use for use in uses if not _asks_for_size(facts, use)]
    if not reads or not all(_is_read_back(facts, use, frozenset()) for use in reads):
        return False
    if any(len(context.names.reaching(use)) != 1 for use in uses):
        return False
    return _is_unchanged(context, {target.id, tensor.id}, call)


def _target(context: Context, call: ast.Call) -> ast.Name | None:
    """The name that an assignment gives a value: ``y`` of ``x, y = x.to(device), y.to(device)``."""
    parent = context.module.parents[call]
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
        target = parent.targets[0]
        return target if isinstance(target, ast.Name) else None
    assignment = context.module.parents[parent]
    if not isinstance(parent, ast.Tuple) or not isinstance(assignment, ast.Assign) or len(assignment.targets) != 1:
        return None
    targets = assignment.targets[0]
    if not isinstance(targets, ast.Tuple) or len(targets.elts) != len(parent.elts):
        return None
    target = targets.elts[parent.elts.index(call)]
    return target if isinstance(target, ast.Name) else None


def _asks_for_size(facts: Facts, use: ast.expr) -> bool:
    parent = facts.module.parents[use]
    if isinstance(parent, ast.Attribute):
        called = facts.module.parents[parent]
        is_called = isinstance(called, ast.Call) and called.func is parent
        return parent.attr in (_SIZE_METHODS if is_called else _SIZES)
    return isinstance(parent, ast.Call) and facts.names.resolve(parent.func) == "builtins.len"


def _is_read_back(facts: Facts, use: ast.expr, opened: frozenset[ast.AST]) -> bool:
    """Whether a use asks for a copy on the host that is only looked at, itself or in a function of the project."""
    fetched = _fetched(facts, use)
    if fetched is not None:
        return last_name(fetched.func) in _NUMBERS or only_looks(facts, fetched)
    call = facts.module.parents[use]
    call = facts.module.parents[call] if isinstance(call, ast.keyword) else call
    if not isinstance(call, ast.Call) or call.func is use or len(opened) > _MAX_DEPTH:
        return False
    try:
        there, function, uses = uses_of_parameter(facts, call, use)
    except LookupError:
        return False
    if function in opened or not uses:
        return False
    inner = opened | {function}
    return all(_asks_for_size(there, used) or _is_read_back(there, used, inner) for used in uses)


def _is_unchanged(context: Context, names: set[str], node: ast.AST) -> bool:
    """Whether nothing in a function changes what some names may stand for."""
    facts, function = context.view.own, context.module.function(node)
    shared = sharing(facts, names, function)
    around: FunctionNode | ast.Module = function or context.module.tree
    return not any(
        isinstance(use, ast.Name) and use.id in shared and isinstance(use.ctx, ast.Load) and changes(facts, use)
        for use in ast.walk(around)
    )


# -- a second copy ---------------------------------------------------------------------------------------


def _held(context: Context, call: ast.Call, tensor: ast.Name) -> ast.Name | None:
    """The name that holds such a copy already, where both are only looked at, and so is the tensor between them."""
    facts = context.view.own
    if not _is_copy(facts, tensor) or not context.roles.is_(tensor, Role.TENSOR):
        return None
    for use in context.names.uses(context.names.home(tensor) or context.names.root, tensor.id):
        first = _fetched(facts, use) if use is not tensor and _is_copy(facts, use) else None
        statement = context.module.parents[first] if first is not None else None
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            continue
        name = statement.targets[0]
        if isinstance(name, ast.Name) and name.id != tensor.id and _is_still(context, statement, name, tensor):
            looked = [*context.names.uses_of(name), call]
            if all(only_looks(facts, node) for node in looked):
                return name
    return None


def _is_copy(facts: Facts, use: ast.expr) -> bool:
    fetched = _fetched(facts, use)
    return fetched is not None and last_name(fetched.func) not in _NUMBERS


def _is_still(context: Context, statement: ast.Assign, name: ast.Name, tensor: ast.Name) -> bool:
    """Whether a name still holds where a tensor is copied what it was given, and the tensor is what it was."""
    module = context.module
    if module.function(statement) is not module.function(tensor):
        return False
    if any(isinstance(parent, _LATER) for parent in module.ancestors(tensor)):
        return False
    bound = context.names.bindings(name)
    block = module.block(statement)
    place, end = block.index(statement), module.place_in(block, tensor)
    if len(bound) != 1 or end is None or end <= place:
        return False
    between = block[place + 1 : end + 1]
    inside = set(walk_block(between))
    if any(binding.node in inside for binding in context.names.bindings(tensor)):
        return False
    names = [node for node in inside if isinstance(node, ast.Name) and node.id == tensor.id]
    return all(only_looks(context.view.own, node) for node in names if node is not tensor) and _is_unchanged(
        context, {name.id, tensor.id}, tensor
    )
