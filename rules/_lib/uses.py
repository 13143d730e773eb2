"""Where a file uses the names of the catalogue, and in what place each use stands."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from xlaport.context import Context
from xlaport.facts.flow import SinkKind
from xlaport.facts.names import Binding, How
from xlaport.facts.roles import TENSORS, Role

from .arguments import by_parameter, may_give
from .catalogue import Answer, Catalogue, Entry, Kind, catalogue
from .device.shown import is_shown

_TORCH = frozenset({"torch", "torchvision", "torchaudio"})
_FORMAT = re.compile(r"%[-+ #0-9.*]*[^sr%\s]|%[-+ #0-9.*]+[sr]|\{[^{}]*:[^{}]+\}")
"""A place in a text that formats more than the value's own text: ``%d``, ``{:>8}``."""
_NAMED = (Kind.MODULE, Kind.FUNCTION, Kind.CLASS, Kind.VALUE, Kind.PACKAGE)


@dataclass(frozen=True)
class Use:
    """One use of a catalogued name. `node` is what stands for it, `call` the call of it, if it is called here."""

    node: ast.expr
    name: str
    """The qualified name; longer than the entry's where that stands for a family."""
    entry: Entry
    call: ast.Call | None
    places: frozenset[str]

    @property
    def whole(self) -> ast.expr:
        """What the answer stands in for: the call, or the name where it is not called."""
        return self.call or self.node

    @property
    def concerns_us(self) -> bool:
        """Whether the use of the name is enough to speak of it."""
        if self.call is not None and self.entry.unless and _given(self.call, self.entry) & {*self.entry.unless}:
            return False
        if self.entry.without:
            return self.call is None or not any(
                may_give(self.call, self.entry.parameters, p) for p in self.entry.without
            )
        return self.entry.when is None

    @property
    def is_torch(self) -> bool:
        """Whether it is a name of torch, and not of another package."""
        return _is_torch(self.entry.name)

    @property
    def answer(self) -> Answer:
        """What becomes of this use."""
        return self.entry.answer_for(self.places)

    @property
    def shown(self) -> str:
        """The name for a message."""
        return f"{self.name}{'()' if self.call is not None else ''}"


_found: WeakKeyDictionary[Context, tuple[Use, ...]] = WeakKeyDictionary()


def uses(context: Context) -> tuple[Use, ...]:
    """All uses of catalogued names of torch in a file, in source order; what an alias stands for counts as its use."""
    if context not in _found:
        _found[context] = tuple(_uses(context))
    return _found[context]


def _uses(context: Context) -> Iterator[Use]:
    answers = catalogue(context.target.table)
    for node in context.module.of_type(ast.Name, ast.Attribute):
        if isinstance(context.module.parents[node], ast.Attribute):
            continue
        name = context.resolve(node)
        if name is None:
            yield from _method(context, node)
            continue
        if name.partition(".")[0] not in answers.roots or _is_own_binding(node):
            continue
        found = named(answers, node, name)
        if found is not None:
            part, entry = found
            yield use_of(context, part, name if entry.name.endswith("*") else entry.name, entry)


def by_text(context: Context, surely: bool) -> Iterator[Use]:
    """Calls of catalogued names that stand nowhere, ``getattr(nn, kind)(model)``; or of what may be one of them."""
    for call in context.module.calls:
        names = context.roles.by_text(call.func) if context.stands_for(call.func) is None else ()
        for name in names if surely is (context.looked_up(call.func) is not None) else ():
            entry = catalogue(context.target.table).entries.get(name)
            if entry is not None and entry.kind in _NAMED:
                yield use_of(context, call.func, name, entry)


def doubtful(context: Context) -> Iterator[tuple[Use, Binding]]:
    """Uses of names that may be torch's, each with the binding that may give the name another meaning."""
    for node in context.module.of_type(ast.Name, ast.Attribute):
        if isinstance(context.module.parents[node], ast.Attribute):
            continue
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name) or not isinstance(root.ctx, ast.Load) or context.resolve(node) is not None:
            continue
        found = context.names.reaching(root)
        imported = next((b.qualified for b in found if b.how is How.IMPORT and _is_torch(b.qualified or "")), None)
        other = next((b for b in found if b.how is not How.IMPORT), None)
        if imported is None or other is None:
            continue
        name = imported + ast.unparse(node).removeprefix(root.id)
        in_table = named(catalogue(context.target.table), node, name)
        if in_table is not None:
            part, entry = in_table
            yield use_of(context, part, name if entry.name.endswith("*") else entry.name, entry), other


def _is_torch(name: str) -> bool:
    return name.partition(".")[0] in _TORCH


def use_of(context: Context, node: ast.expr, name: str, entry: Entry) -> Use:
    """The use of an entry at a node, with the places in which it stands."""
    parent = context.module.parents[node]
    call = parent if isinstance(parent, ast.Call) and parent.func is node else None
    return Use(node, name, entry, call, frozenset(_places(context, call or node, bool(entry.contexts))))


def _method(context: Context, node: ast.Name | ast.Attribute) -> Iterator[Use]:
    """A member of a tensor or a module: by what the object is, or by a name that only they have."""
    part: ast.expr = node
    while isinstance(part, ast.Attribute):
        for entry in catalogue(context.target.table).methods.get(part.attr, ()):
            if _fits(context, part, entry):
                yield use_of(context, part, entry.name, entry)
                return
        part = part.value


def _fits(context: Context, member: ast.Attribute, entry: Entry) -> bool:
    role = context.roles.role(member.value)
    if role is None:
        return entry.anywhere and _is_nobody_elses(context, member)
    return role in TENSORS if entry.name.startswith("torch.Tensor.") else role is Role.MODEL


def _is_nobody_elses(context: Context, member: ast.Attribute) -> bool:
    """Whether a name that tells what it is stands for that: called, and not defined here (``args.enable_…``)."""
    if member.attr.startswith("__"):
        return True
    call = context.module.parents[member]
    if not isinstance(call, ast.Call) or call.func is not member:
        return False
    return not any(node.name == member.attr for node in context.module.of_type(ast.FunctionDef, ast.AsyncFunctionDef))


def _given(call: ast.Call, entry: Entry) -> set[str]:
    """The arguments of a call as source, all by name."""
    return {f"{name}={ast.unparse(value)}" for name, value in by_parameter(call, entry.parameters).items()}


def _is_own_binding(node: ast.Name | ast.Attribute) -> bool:
    """The target of ``sync = torch.cuda.synchronize``: it takes the name, and does not use it."""
    return isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)


def named(
    answers: Catalogue, node: ast.Name | ast.Attribute, name: str
) -> tuple[ast.Name | ast.Attribute, Entry] | None:
    """The longest part of a dotted name that has an entry of its own, else the whole with that of its family."""
    part: ast.expr = node
    shorter = name
    while isinstance(part, ast.Name | ast.Attribute) and shorter:
        entry = answers.entries.get(shorter)
        if entry is not None and entry.kind in _NAMED and not (entry.kind is Kind.MODULE and part is not node):
            return part, entry
        if not isinstance(part, ast.Attribute):
            break
        part, shorter = part.value, shorter.rpartition(".")[0]
    family = answers.find(name)
    return (node, family) if family is not None and family.kind in _NAMED else None


# -- places --------------------------------------------------------------------------------------------


def _places(context: Context, node: ast.expr, wants_all: bool) -> Iterator[str]:
    parent = context.module.parents[node]
    if isinstance(node, ast.Name | ast.Attribute) and not isinstance(node.ctx, ast.Load):
        yield "store"
    if isinstance(parent, ast.Expr):
        yield "statement"
    if isinstance(parent, ast.withitem):
        yield "with"
    if node in getattr(parent, "decorator_list", ()):
        yield "decorator"
    if not wants_all:
        return
    if isinstance(parent, ast.keyword) and parent.arg is not None:
        yield f"argument:{parent.arg}"
    if isinstance(parent, ast.Compare):
        yield "comparison"
    if isinstance(parent, ast.BinOp):
        yield from _arithmetic(parent, node)
    if is_shown(context, node) and not _is_formatted(context, node):
        yield "text"
    if _decides(context, node):
        yield "condition"
    if _reaches_device(context, node):
        yield "device"


def _arithmetic(parent: ast.BinOp, node: ast.expr) -> Iterator[str]:
    if isinstance(parent.op, ast.Mult | ast.Div | ast.FloorDiv):
        yield "factor"
    elif isinstance(parent.op, ast.Mod) and parent.right is node and not _is_text(parent.left):
        yield "modulus"


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _is_formatted(context: Context, node: ast.expr) -> bool:
    """Whether a text that shows a value wants more of it than its own text, which only a number may give."""
    parent = context.module.parents[node]
    if isinstance(parent, ast.Tuple):
        parent = context.module.parents[parent]
    if isinstance(parent, ast.FormattedValue):
        return parent.format_spec is not None
    texts: list[ast.expr] = []
    if isinstance(parent, ast.BinOp):
        texts = [parent.left]
    elif isinstance(parent, ast.Call):
        texts = [*parent.args, *([parent.func.value] if isinstance(parent.func, ast.Attribute) else [])]
    return any(isinstance(t, ast.Constant) and isinstance(t.value, str) and _FORMAT.search(t.value) for t in texts)


def _decides(context: Context, node: ast.expr) -> bool:
    """Part of a condition, through ``and``, ``or``, ``not`` and comparisons."""
    child: ast.AST = node
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.If | ast.While | ast.IfExp | ast.Assert):
            return child is parent.test
        if isinstance(parent, ast.comprehension):
            return child in parent.ifs
        if not isinstance(parent, ast.BoolOp | ast.UnaryOp | ast.Compare):
            return False
        child = parent
    return False


def _reaches_device(context: Context, node: ast.expr) -> bool:
    return any(sink.kind is SinkKind.DEVICE for sink in context.flow.reach(node).sinks)
