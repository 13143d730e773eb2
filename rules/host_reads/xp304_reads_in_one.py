"""XP304: several reads where one would do."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from xlaport.context import Context
from xlaport.facts.held import Held, Kind
from xlaport.facts.names import How
from xlaport.facts.roles import Role
from xlaport.facts.tensors import Tensors
from xlaport.rule import (
    Applicability,
    Finding,
    Harm,
    Replace,
    Rule,
)

from .._lib import host_only
from .._lib.host_reads.device_values import KIND_OF, device_value, spelled, torch_name
from .._lib.host_reads.saying import code, code_of, say
from .._lib.host_reads.second_loop import second_loop


class ReadsInOne(Rule):
    """Read several values at once.

    ## What it does
    Values that are read one by one come in one transfer: `a, b = x.item(), y.item()` and `[v.item() for v in (x, y)]`
    read what `torch.stack()` puts together, and a vector gives its elements by one `.tolist()`. A loop over a few names
    that are written there (`for split in ("train", "val"):`), each pass of which reads one number, is parted where it
    reads: the numbers of all passes come at once, and a second loop goes on with them.

    ## Why
    Each read waits for the TPU, and takes a transfer. A loop over a tensor of the TPU even makes a graph of each of its
    elements.

    ## Example
        model = nn.Linear(4, 1).to("xla")
        out = model(torch.zeros(2, 4).to("xla"))
        loss, penalty = out.mean(), out.pow(2).mean()
        a, b = loss.item(), penalty.item()

    becomes

        model = nn.Linear(4, 1).to("xla")
        out = model(torch.zeros(2, 4).to("xla"))
        loss, penalty = out.mean(), out.pow(2).mean()
        a, b = torch.stack([loss, penalty]).tolist()

    ## When it is wrong
    Values of one kind only are put together, and only as many as the source spells out: a stack of a list whose length
    changes would recompile for each length (measured: 9 seconds for a thousand values), so such a list is left alone.
    Floats of several widths become the widest, which changes no value. A loss of shape (1,) would give lists of one
    value.

    ## When it is left alone
    Values of different types; lists whose length is not spelled out; a read that takes the name of its tensor; a tuple
    that is used as such; a loop that runs once, or a pass of which needs, changes or prints what another one does.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.

    ## Related
    XP301, XP303, XP302.
    """

    code = "XP304"
    name = "reads-in-one"
    summary = "several values are read at once"
    applicability = Applicability.UNSAFE
    harm = Harm.WAITS
    words = ("item", "float", "int")
    after = ("XP303",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each place that reads several times."""
        if host_only.stays_on_host(context):
            return
        tensors = context.tensors
        for node in context.module.of_type(ast.Assign, ast.ListComp):
            if isinstance(node, ast.Assign):
                yield from self._tuple(context, tensors, node)
            elif isinstance(node, ast.ListComp) and context.editable(node):
                yield from self._comprehension(context, tensors, node)
        for loop in context.module.of_type(ast.For):
            if isinstance(loop, ast.For) and (found := second_loop(context, loop)) is not None:
                read, name = code_of(context, found.read), found.name
                text = say("XP304.second-loop", read=read, name=name)
                yield self.finding(context.place(found.read.node), text, *found.edits, imports=found.imports)

    def _tuple(self, context: Context, tensors: Tensors, node: ast.Assign) -> Iterator[Finding]:
        """``a, b = x.item(), y.item()``."""
        if not isinstance(node.value, ast.Tuple | ast.List) or len(node.value.elts) < 2:
            return
        if isinstance(node.value, ast.Tuple) and not all(isinstance(t, ast.Tuple | ast.List) for t in node.targets):
            return  # a list is no tuple: `"%f %f" % pair`
        bases = self._together(context, tensors, node.value.elts)
        if bases is not None:
            yield self._stacked(context, node.value, bases)

    def _comprehension(self, context: Context, tensors: Tensors, node: ast.ListComp) -> Iterator[Finding]:
        """``[v.item() for v in (x, y)]``, ``[v.item() for v in vector]``."""
        generator = node.generators[0]
        if len(node.generators) > 1 or generator.ifs or generator.is_async or not _reads(node.elt, generator.target):
            return
        own = context.view.own
        if isinstance(generator.iter, ast.Tuple | ast.List):
            parts = generator.iter.elts
            kinds = {self._kind(context, tensors, part) for part in parts}
            if len(parts) > 1 and len(kinds) == 1 and None not in kinds:
                yield self._stacked(context, node, parts)
        elif context.roles.is_(generator.iter, Role.TENSOR) and tensors.held(own, generator.iter).rank == 1:
            vector = spelled(context, generator.iter)
            yield self.finding(
                context.span(node),
                say("XP304.vector", vector=code(context, generator.iter, "a tensor")),
                Replace(context.span(node), f"{vector}.tolist()"),
                applicability=Applicability.SAFE,
            )

    def _stacked(self, context: Context, node: ast.expr, parts: Sequence[ast.expr]) -> Finding:
        stack, imports = torch_name(context, "stack", node)
        listed = ", ".join(context.module.segment(part) for part in parts)
        return self.finding(
            context.span(node),
            say("XP304.stacked"),
            Replace(context.span(node), f"{stack}([{listed}]).tolist()"),
            imports=imports,
        )

    # -- what goes together ----------------------------------------------------------------------------

    def _together(self, context: Context, tensors: Tensors, values: Sequence[ast.expr]) -> list[ast.expr] | None:
        """What several expressions read, if each is a read of one number and all are of one kind."""
        bases: list[ast.expr] = []
        kinds: set[Kind | None] = set()
        for value in values:
            reads = [read for read in context.reads.within([value]) if read.proven]
            found = device_value(context, tensors, reads[0]) if reads else None
            if found is None or found.node is not value:
                return None
            made_by = context.resolve(value.func) if isinstance(value, ast.Call) else None
            number = KIND_OF.get(made_by or "", found.held.kind)
            bases.append(found.tensor)
            kinds.add(found.held.kind if number is found.held.kind else None)
        return bases if len(kinds) == 1 and None not in kinds else None

    def _kind(self, context: Context, tensors: Tensors, node: ast.expr) -> Kind | None:
        """The kind of a scalar on the device."""
        held: Held = tensors.held(context.view.own, node)
        return held.kind if held.is_scalar and self._is_tensor(context, node) else None

    def _is_tensor(self, context: Context, node: ast.expr) -> bool:
        """Whether an expression is a tensor on the device, and never a number (``loss = 0``)."""
        if not context.roles.is_(node, Role.TENSOR):
            return False
        if not isinstance(node, ast.Name):
            return isinstance(node, ast.Call)
        found = context.names.reaching(node)
        return all(b.how is How.ASSIGN and b.value is not None and self._is_tensor(context, b.value) for b in found)


def _reads(node: ast.expr, target: ast.expr) -> bool:
    """``v.item()`` of the variable of a comprehension."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "item"
        and isinstance(node.func.value, ast.Name)
        and isinstance(target, ast.Name)
        and node.func.value.id == target.id
    )
