"""XP108: CUDA's tensor types."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.names import How
from xlaport.facts.roles import Role
from xlaport.rule import Applicability, Edit, Finding, Harm, Import, RemoveStatement, Replace, ReplaceStatement, Rule

from .._lib.blocks import newline
from .._lib.device import cuda, placing
from .._lib.device.saying import say
from .._lib.device.type_names import DTYPES, kind_of
from .._lib.parentheses import factor
from .._lib.texts import is_for_people

_FLOATING = frozenset({"Float", "Double", "Half", "BFloat16"})
_DRAWN = {"normal_": "randn", "uniform_": "rand"}
"""What fills a new tensor, and the function that makes it so."""


class TensorTypes(Rule):
    """Replace `torch.cuda.FloatTensor` and its like.

    ## What it does
    `x.type(torch.cuda.FloatTensor)` becomes `x.to(device, torch.float32)`, and `torch.cuda.FloatTensor(2, 3)`
    becomes `torch.empty(2, 3, device=device)`, or `torch.zeros`, `torch.randn` or `torch.rand` where it is filled so.
    A tensor of values is made on the host and moved. A name for such a type, or for the choice between it and the
    CPU's, is followed: it becomes the device, if all of its uses can be rewritten. The text
    `"torch.cuda.FloatTensor"` is treated alike, and becomes `"torch.xla.FloatTensor"` where `x.type()` is compared
    with it.

    ## Why
    These types raise without an NVIDIA GPU, and there is no such type for XLA: `.type("torch.xla.FloatTensor")` raises,
    too, although `.type()` calls a tensor's type that (measured on torch_xla 2.9).

    ## Example
        cuda = True if torch.cuda.is_available() else False
        Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor
        valid = Tensor(8, 1).fill_(1.0)
        images = torch.zeros(8, 1).type(Tensor)

    becomes

        cuda = True if torch.cuda.is_available() else False
        device = torch_xla.device() if cuda else torch.device("cpu")
        valid = torch.empty(8, 1, device=device).fill_(1.0)
        images = torch.zeros(8, 1).to(device, torch.float32)

    ## When it is wrong
    Never for the values. Where a type is handed on (to `isinstance`, to another function), it is reported.

    ## When it is left alone
    The types of the CPU (`torch.FloatTensor`), texts for people, and the default type, of which XP113 speaks.

    ## Sources
    - Measured on PyTorch 2.9 without an NVIDIA GPU, for each name of `rules/cuda_api.toml`.

    ## Related
    XP101, XP113, XP501, XP505.
    """

    code = "XP108"
    name = "cuda-tensor-type"
    summary = "torch.cuda.FloatTensor becomes a dtype and a device"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    words = ("Tensor",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each use of a type, or for each name that stands for one."""
        named = False
        for node in context.module.of_type(ast.Name, ast.Attribute):
            if not isinstance(node.ctx, ast.Load):
                continue
            kind = kind_of(context, node)
            if kind is None or isinstance(context.module.parents[node], ast.Attribute) or _is_default(context, node):
                continue
            if isinstance(node, ast.Name) and any(b.how is How.ASSIGN for b in context.names.bindings(node)):
                continue  # a use of a name that is followed from its assignment
            finding = self._type(context, node, kind)
            if any(isinstance(edit, ReplaceStatement) for edit in finding.edits):
                if named:
                    continue  # the next round finds the device under the name that it gets in this one
                named = True
            yield finding
        for text in context.module.of_type(ast.Constant):
            if (kind := kind_of(context, text)) is not None and not _is_default(context, text):
                yield from self._text(context, text, kind)

    def _text(self, context: Context, node: ast.Constant, kind: str) -> Iterator[Finding]:
        """``x.type("torch.cuda.FloatTensor")``, ``x.type() == "torch.cuda.FloatTensor"``."""
        if isinstance(context.module.parents[node], ast.Expr | ast.JoinedStr | ast.FormattedValue):
            return
        if self._is_use(context, node) and context.editable(node):
            device, imports = placing.device(context, node)
            edit = self._use(context, node, kind, device)
            yield self.finding(context.span(node), say("XP108.type", kind=kind), edit, imports=imports)
        elif _is_compared(context, node):
            yield self._compared(context, node, kind)
        elif not is_for_people(context, node):
            yield self.finding(context.place(node), say("XP108.handed", kind=kind, dtype=DTYPES[kind]))

    def _compared(self, context: Context, node: ast.Constant, kind: str) -> Finding:
        name = f"torch.{context.target.device_type}.{kind}Tensor"
        if not context.editable(node):
            return self.finding(context.place(node), say("XP108.asked", kind=kind, dtype=DTYPES[kind]))
        quote, said = context.module.segment(node)[-1], say("XP108.compared", name=name)
        return self.finding(context.span(node), said, Replace(context.span(node), f"{quote}{name}{quote}"))

    def _type(self, context: Context, node: ast.Name | ast.Attribute, kind: str) -> Finding:
        if self._is_use(context, node) and context.editable(node):
            device, imports = placing.device(context, node)
            edit = self._use(context, node, kind, device)
            return self.finding(context.span(node), say("XP108.type", kind=kind), edit, imports=imports)
        alias = self._alias(context, node, kind)
        if alias is not None:
            edits, imports = alias
            return self.finding(context.span(node), say("XP108.type", kind=kind), *edits, imports=imports)
        if _is_asked(context, node):
            return self.finding(context.place(node), say("XP108.asked", kind=kind, dtype=DTYPES[kind]))
        return self.finding(context.place(node), say("XP108.handed", kind=kind, dtype=DTYPES[kind]))

    # -- uses ------------------------------------------------------------------------------------------

    def _is_use(self, context: Context, node: ast.expr) -> bool:
        """``T(…)`` or ``x.type(T)``."""
        call = context.module.parents[node]
        if not isinstance(call, ast.Call):
            return False
        if call.func is node:
            return not any(keyword.arg == "device" for keyword in call.keywords)
        func = call.func
        return isinstance(func, ast.Attribute) and func.attr == "type" and call.args == [node] and not call.keywords

    def _use(self, context: Context, node: ast.expr, kind: str, device: str) -> Edit:
        call = context.module.parents[node]
        assert isinstance(call, ast.Call)
        torch = self._torch(context)
        if call.func is node:
            arguments = context.tail(call, node)
            text = context.module.text[arguments.start : arguments.end]
            if self._has_sizes(context, call):
                return self._made(context, call, kind, text, f"{torch}.", device)
            only = call.args[0] if len(call.args) == 1 and not call.keywords else None
            if only is not None and context.roles.is_(only, Role.TENSOR):  # which torch.LongTensor(…) takes of the CPU
                value = factor(only, context.module.segment(only))
                return Replace(context.span(call), f"{value}.to({device}, {torch}.{DTYPES[kind]})")
            return Replace(context.span(call), f"{torch}.{kind}Tensor{text}.to({device})")
        func = call.func
        assert isinstance(func, ast.Attribute)
        span = context.tail(call, func.value)
        return Replace(span, f".to({device}, {torch}.{DTYPES[kind]})")

    def _has_sizes(self, context: Context, call: ast.Call) -> bool:
        """``T(2, 3)``, ``T(*x.shape)``, ``T(x.size())``: what it takes are sizes, and no values."""
        if call.keywords or not call.args:
            return False
        only = call.args[0]
        return len(call.args) > 1 or isinstance(only, ast.Starred) or _is_size(context, only)

    def _made(self, context: Context, call: ast.Call, kind: str, arguments: str, torch: str, device: str) -> Edit:
        """A tensor of some sizes, made on the device: ``torch.randn(2, 3, device=d)`` of ``T(2, 3).normal_()``."""
        method = context.module.parents[call]
        filled = context.module.parents[method]
        name, whole = "empty", call
        if isinstance(method, ast.Attribute) and isinstance(filled, ast.Call) and filled.func is method:
            is_drawn = kind in _FLOATING and method.attr in _DRAWN
            if not filled.args and not filled.keywords and (method.attr == "zero_" or is_drawn):
                name, whole = {**_DRAWN, "zero_": "zeros"}[method.attr], filled
        sizes = _aligned(context, call, whole, _followed(context, call, arguments), f"{torch}{name}")
        end = arguments[len(arguments[:-1].rstrip()) :]
        dtype = "" if kind == "Float" else f"dtype={torch}{DTYPES[kind]}, "
        return Replace(context.span(whole), f"{torch}{name}{sizes}{dtype}device={device}{end}")

    def _torch(self, context: Context) -> str:
        """The name by which the file knows torch."""
        for name, bindings in context.names.root.bindings.items():
            if any(b.how is How.IMPORT and b.qualified == "torch" for b in bindings):
                return name
        return "torch"

    # -- names for a type ------------------------------------------------------------------------------

    def _alias(self, context: Context, node: ast.expr, kind: str) -> tuple[list[Edit], tuple[Import, ...]] | None:
        """The edits for ``T = torch.cuda.FloatTensor if cuda else torch.FloatTensor`` and all uses of ``T``."""
        value: ast.expr = node
        chosen = cuda.choice(context.module.parents[node])
        if chosen is not None:
            if chosen.accelerator is not node or context.resolve(chosen.other) not in (
                f"torch.{kind}Tensor",
                "torch.Tensor",
            ):
                return None
            value = chosen.node
        statement = context.module.parents[value]
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return None
        target = statement.targets[0]
        home = context.names.home(target) if isinstance(target, ast.Name) else None
        if home is None or not isinstance(target, ast.Name) or len(home.bindings[target.id]) != 1:
            return None
        uses = context.names.uses(home, target.id)
        if not all(self._is_use(context, use) and context.editable(use) for use in uses):
            return None
        if self._nested(context, uses):
            return None
        device, imports = self._device(context, statement, chosen)
        if device is None:
            return None
        edits: list[Edit] = [self._use(context, use, kind, device[0]) for use in uses]
        if device[1] is None:
            edits.append(RemoveStatement(context.span(statement)))
        else:
            edits.append(ReplaceStatement(context.span(statement), device[1]))
        return edits, imports

    def _nested(self, context: Context, uses: list[ast.Name]) -> bool:
        """Whether one use stands inside the arguments of another: their edits would overlap."""
        calls = {context.module.parents[use] for use in uses}
        return any(ancestor in calls for call in calls for ancestor in context.module.ancestors(call))

    def _device(
        self, context: Context, statement: ast.Assign, chosen: cuda.Choice | None
    ) -> tuple[tuple[str, str | None] | None, tuple[Import, ...]]:
        """How to write the device where the type is used, and the statement that gives it a name (or None)."""
        call, imports = context.symbol("device", statement)
        if self._is_free(context, "device"):
            if chosen is None or cuda.is_available_call(context, chosen.test):
                return ("device", f"device = {call}()"), imports
            test = context.module.segment(chosen.node.test)
            host = f'{self._torch(context)}.device("cpu")'
            sides = (f"{call}()", host) if chosen.node.test is chosen.test else (host, f"{call}()")
            return ("device", f"device = {sides[0]} if {test} else {sides[1]}"), imports
        name, more = placing.device(context, statement)
        if name == "device":
            return ("device", None), more
        if chosen is None or cuda.is_available_call(context, chosen.test):
            return (f"{call}()", None), imports
        return None, ()

    def _is_free(self, context: Context, name: str) -> bool:
        return not any(
            (isinstance(n, ast.Name) and n.id == name) or (isinstance(n, ast.arg) and n.arg == name)
            for n in context.module.nodes
        )


def _followed(context: Context, call: ast.Call, arguments: str) -> str:
    """The sizes up to where one more argument stands: in a line of its own where the last one does, or is commented."""
    inside = arguments[:-1].rstrip()
    end = len(arguments) - (context.span(call).end - context.span(call.args[-1]).end)
    code, mark, comment = inside[end:].partition("#")
    sizes = inside[:end] + code.rstrip().removesuffix(",")
    last = sizes.rpartition("\n")[2]
    is_first = last == sizes
    if not mark and (is_first or last.strip() != context.module.segment(call.args[-1])):
        return f"{sizes}, "
    indent = "    " if is_first else last[: len(last) - len(last.lstrip())]
    space = code[len(code.rstrip()) :]
    return f"{sizes},{space}{mark}{comment}{newline(context.module, call.lineno)}{indent}"


def _aligned(context: Context, call: ast.Call, whole: ast.Call, sizes: str, name: str) -> str:
    """The sizes with the line breaks that they have, and what was aligned to their bracket where it is now."""
    old = context.module.position(context.span(call.func).end)[1]
    new = context.module.position(context.span(whole).start)[1] + len(name)
    first, *lines = sizes.splitlines(keepends=True)
    return first + "".join(
        f"{' ' * new}{line.lstrip()}" if len(line) - len(line.lstrip()) == old else line for line in lines
    )


def _is_size(context: Context, node: ast.expr) -> bool:
    """``x.size()``, ``x.shape``, ``torch.Size((2, 3))``, ``3``: the sizes of a tensor and never its values."""
    if isinstance(node, ast.Call):
        is_asked = isinstance(node.func, ast.Attribute) and node.func.attr == "size"
        return is_asked or context.resolve(node.func) == "torch.Size"
    if isinstance(node, ast.Name):
        values = [b.value if b.how is How.ASSIGN else None for b in context.names.reaching(node)]
        known = (v is not None and not isinstance(v, ast.Name) and _is_size(context, v) for v in values)
        return bool(values) and all(known)
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    return isinstance(node, ast.Attribute) and node.attr == "shape"


def _is_asked(context: Context, node: ast.expr) -> bool:
    """``x.type() == torch.cuda.FloatTensor``, ``isinstance(x, torch.cuda.FloatTensor)``: a mere question."""
    parent = context.module.parents[node]
    if isinstance(parent, ast.Tuple):
        parent = context.module.parents[parent]
    is_call = isinstance(parent, ast.Call) and context.resolve(parent.func) == "builtins.isinstance"
    return is_call or isinstance(parent, ast.Compare)


def _is_default(context: Context, node: ast.AST) -> bool:
    """Whether a type is to be that of all tensors, which another rule speaks of."""
    around = (parent for parent in context.module.ancestors(node) if not isinstance(parent, ast.IfExp))
    call = next(around, None)
    return isinstance(call, ast.Call) and context.resolve(call.func) == "torch.set_default_tensor_type"


def _is_compared(context: Context, node: ast.AST) -> bool:
    """``x.type() == "…"``, ``x.type() in ("…", "…")``: what is compared is the name of a tensor's type."""
    parent = context.module.parents[node]
    if isinstance(parent, ast.Tuple | ast.List | ast.Set):
        parent = context.module.parents[parent]
    if not isinstance(parent, ast.Compare):
        return False
    sides = [context.names.assigned(side) or side for side in (parent.left, *parent.comparators)]
    return any(
        isinstance(side, ast.Call)
        and isinstance(side.func, ast.Attribute)
        and side.func.attr == "type"
        and not side.args
        for side in sides
    )
