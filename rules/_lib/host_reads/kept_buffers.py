"""Buffers of a module that steps read, and that are written now and then: flags, counts, options."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.literals import integer
from xlaport.facts.module import FunctionNode
from xlaport.facts.program import Facts
from xlaport.facts.structure import Class

_THROUGH = frozenset("all any bool clone cpu detach float int item long numpy tolist".split())
"""Methods on the way from a buffer to the number that is read."""
_UNSEEN = frozenset("apply_ data_ptr numpy resize_ set_ share_memory_ storage untyped_storage __dlpack__".split())
"""What lets a tensor be written to without being counted."""
_DEEPEST = 3


@dataclass(frozen=True)
class KeptBuffer:
    """The places that read one buffer in each step, and those that write to it by ``.data``, which is not counted."""

    reads: tuple[ast.Attribute, ...]
    uncounted: tuple[ast.Attribute, ...]


def kept_buffers(context: Context) -> Iterator[KeptBuffer]:
    """The buffers of the classes of a file that need not be read in each step."""
    found: dict[tuple[ast.ClassDef, str], list[ast.Attribute]] = {}
    structure = context.flow.structure
    for name, nodes in context.module.attributes.items():
        for node in nodes:
            owner = context.roles.instance_class(node.value)
            if owner is not None and structure.is_buffer([Class(context.view.own, owner)], name):
                found.setdefault((owner, name), []).append(node)
    for (owner, name), nodes in found.items():
        buffer = _kept(context, Class(context.view.own, owner), name, nodes)
        if buffer is not None and buffer.reads:
            yield buffer


def _kept(context: Context, owner: Class, name: str, nodes: list[ast.Attribute]) -> KeptBuffer | None:
    reads = [node for node in nodes if _is_read(context, node) and context.editable(node)]
    in_steps = tuple(r for r in reads if context.step_code.in_step(r) and not _is_asked(context, r))
    if not in_steps:
        return None
    uncounted: list[ast.Attribute] = []
    is_apart = True
    """Whether nothing is computed with it on the device, so that nothing keeps it for a backward pass."""
    for facts in context.flow.structure.files_with(owner, name):
        for use in facts.module.attributes[name]:
            if use in reads:
                continue
            data = facts.module.parents[use]
            if isinstance(data, ast.Attribute) and data.attr == "data":
                if facts is not context.view.own or not _is_copied_into(context, data):
                    return None
                uncounted.append(data)
                use = data
            elif not _is_counted(facts, use):
                return None
            is_write = _is_write(facts, use)
            is_apart = is_apart and (is_write or _is_looked_at(facts, use))
            if is_write and facts is context.view.own and context.step_code.in_step(use):
                if not _is_asked(context, use):
                    return None
    return KeptBuffer(in_steps, tuple(uncounted)) if is_apart or not uncounted else None


def _is_read(context: Context, node: ast.Attribute) -> bool:
    """Whether the host gets the number: ``self.flag.item()``, ``int(self.options[0])``, ``if self.flag == 0:``."""
    if not isinstance(node.ctx, ast.Load):
        return False
    reads = context.reads.within([context.module.statement(node)])
    return any(_root(read.tensor) is node or _root(read.node) is node for read in reads)


def _root(node: ast.expr) -> ast.expr:
    """What a number is read of, without what only chooses, compares and carries it."""
    while True:
        if isinstance(node, ast.Subscript) and integer(node.slice) is not None:
            node = node.value
        elif isinstance(node, ast.Compare) and all(isinstance(other, ast.Constant) for other in node.comparators):
            node = node.left
        elif isinstance(node, ast.UnaryOp):
            node = node.operand
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _THROUGH:
            node = node.func.value
        else:
            return node


def _is_counted(facts: Facts, use: ast.Attribute) -> bool:
    """Whether PyTorch counts all writes that a use may make."""
    parent = facts.module.parents[use]
    if not isinstance(use.ctx, ast.Load):
        return True  # another tensor, or `+=`
    if isinstance(parent, ast.Attribute):
        return parent.attr not in _UNSEEN
    if isinstance(parent, ast.keyword | ast.Call):
        call = facts.module.parents[parent] if isinstance(parent, ast.keyword) else parent
        name = (facts.names.resolve(call.func) if isinstance(call, ast.Call) else None) or ""
        is_out = isinstance(parent, ast.keyword) and parent.arg == "out"
        return name.startswith("torch.") and not name.startswith("torch.distributed.") and not is_out
    return isinstance(parent, ast.Subscript | ast.BinOp | ast.UnaryOp | ast.Compare | ast.BoolOp | ast.If | ast.IfExp)


def _is_write(facts: Facts, use: ast.Attribute) -> bool:
    """Whether a use writes: ``self.flag = …``, ``self.flag[0] = …``, ``self.flag.fill_(1)``."""
    parent = facts.module.parents[use]
    if isinstance(parent, ast.Subscript | ast.Attribute) and not isinstance(parent.ctx, ast.Load):
        return True
    is_method = isinstance(parent, ast.Attribute) and parent.attr.endswith("_")
    return is_method or not isinstance(use.ctx, ast.Load)


def _is_looked_at(facts: Facts, use: ast.Attribute) -> bool:
    parent = facts.module.parents[use]
    return isinstance(parent, ast.Attribute) and parent.attr in ("device", "dtype", "shape", "size", "dim", "numel")


def _is_copied_into(context: Context, data: ast.Attribute) -> bool:
    """``self.flag.data.copy_(…)`` of what has no gradient: without its ``.data``, it does the same, and is counted."""
    method = context.module.parents[data]
    call = context.module.parents[method]
    if not isinstance(method, ast.Attribute) or method.attr not in ("copy_", "fill_", "zero_", "add_"):
        return False
    if not isinstance(call, ast.Call) or call.func is not method or not context.editable(data):
        return False
    values = [context.flow.structure.value(context.view.own, given) for given in call.args]
    return all(
        isinstance(given, ast.Constant) or (value is not None and value.detached)
        for given, value in zip(call.args, values, strict=True)
    )


def _is_asked(context: Context, node: ast.AST, depth: int = 0) -> bool:
    """Whether a place runs under a question, other than whether the model trains: in its function, or at its calls."""
    child: ast.AST = node
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.If) and child is not parent.test and not _asks_for_training(parent.test):
            return True
        if isinstance(parent, FunctionNode):
            behind = parent.body.index(child) if child in parent.body else 0
            if any(_may_leave(statement) for statement in parent.body[:behind]):
                return True
            calls = context.step_code.calls_to(parent) if depth < _DEEPEST else []
            own = [site.node for site in calls if site.facts is context.view.own]
            return bool(calls) and len(own) == len(calls) and all(_is_asked(context, c, depth + 1) for c in own)
        child = parent
    return False


def _may_leave(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and any(isinstance(last, ast.Return) for last in statement.body)


def _asks_for_training(test: ast.expr) -> bool:
    return isinstance(test, ast.Attribute) and test.attr == "training"
