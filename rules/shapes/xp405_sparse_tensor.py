"""XP405: sparse tensors, which XLA does not have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.origins import Origins
from xlaport.facts.program import Facts
from xlaport.facts.roles import Role, dotted
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule, Span

from .._lib import host_only
from .._lib.device.cuda import is_cpu
from .._lib.parentheses import factor
from .._lib.shapes.saying import say

_MAKERS = frozenset(
    "torch.sparse_coo_tensor torch.sparse_csr_tensor torch.sparse_csc_tensor torch.sparse_bsr_tensor "
    "torch.sparse_bsc_tensor torch.sparse_compressed_tensor torch.sparse.FloatTensor torch.sparse.DoubleTensor "
    "torch.sparse.IntTensor torch.sparse.LongTensor torch.sparse.spdiags".split()
)
_METHODS = frozenset("to_sparse to_sparse_coo to_sparse_csr to_sparse_csc coalesce".split())
_PARTS = frozenset("_indices _values indices values crow_indices col_indices coalesce _nnz is_coalesced".split())
"""What only a sparse tensor has. `values` and `indices` are also names of other things."""
_MAKES = re.compile(rb"sparse_(?:coo|cs[rc]|bs[rc]|compressed)_tensor|sparse\.\w+Tensor|to_sparse|spdiags")
"""What is in the text of each file that makes a sparse tensor."""
_TAKES = re.compile(rb"\.(?:_?indices|_?values|cr?o[wl]_indices|_nnz|(?:is_)?coalesced?)\(")
_DEVICE = re.compile("device|cuda|gpu", re.IGNORECASE)
"""What is in the name of a variable that holds a device."""


class SparseTensor(Rule):
    """Make sparse tensors dense before they move to the TPU.

    ## What it does
    Where a sparse tensor moves to the TPU, `adj.to(device)`, it becomes a dense one first,
    `adj.to_dense().to(device)`. What is made sparse for the move alone, `x.to_sparse().to(device)`, stays dense. A
    sparse tensor that is made on the device, and one whose indices and values are used, in whichever file, are
    reported.

    ## Why
    XLA has no sparse tensors: the move raises NotImplementedError ("… with arguments from the 'SparseXLA' backend").
    `torch.spmm`, `torch.sparse.mm` and `@` take a dense tensor as well, and give the same.

    ## Example
        device = "xla"
        adjacency = torch.eye(100).to_sparse().to(device)
        out = torch.spmm(adjacency, torch.ones(100, 8).to(device))

    becomes

        device = "xla"
        adjacency = torch.eye(100).to_dense().to(device)
        out = torch.spmm(adjacency, torch.ones(100, 8).to(device))

    ## When it is wrong
    A dense matrix of n rows and columns takes 4 n² bytes: for 100 000 nodes 40 GB, which does not fit. Then keep the
    indices and the values as two tensors, and write the product `adj @ x` over the edges, or sample the graph:

        out = torch.zeros(rows, x.size(1), device=x.device)
        out = out.index_add(0, indices[0], values[:, None] * x.index_select(0, indices[1]))

    To drop some edges, multiply the values by a mask: `values[mask]` has another size each time.

    ## When it is left alone
    Dense tensors, and sparse ones that stay on the host.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch, torch.sparse: https://docs.pytorch.org/docs/stable/sparse.html

    ## Related
    XP419, XP416.
    """

    code = "XP405"
    name = "sparse-tensor"
    summary = "a sparse tensor becomes dense before it moves"
    applicability = Applicability.UNSAFE
    harm = Harm.STOPS
    words = ("sparse", ".to(", ".cuda(")
    across = ("sparse",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each sparse tensor that is moved to the device, or made there."""
        if host_only.stays_on_host(context):
            return
        if not _speaks_of_sparse(context):
            return
        origins = Origins(context.flow.structure)
        for node in context.module.calls:
            if not context.editable(node) or not isinstance(node.func, ast.Attribute | ast.Name):
                continue
            if self._is_made_on_device(context, node):
                yield self.finding(context.span(node), say("XP405.made"))
            elif isinstance(node.func, ast.Attribute) and self._is_move(context, node):
                yield from self._moved(context, origins, node.func)

    def _moved(self, context: Context, origins: Origins, func: ast.Attribute) -> Iterator[Finding]:
        tensor = func.value
        if not _is_sparse(context, origins, context.view.own, tensor):
            return
        parts = self._taken_apart(context, origins)
        if parts is not None:
            yield self.finding(context.span(tensor), say("XP405.parts", line=context.line_of(*parts)))
            return
        own = tensor.func if isinstance(tensor, ast.Call) and isinstance(tensor.func, ast.Attribute) else None
        if own is not None and own.attr in ("to_sparse", "to_sparse_coo"):
            start = context.span(own).end - len(own.attr)
            edit = Replace(Span(start, context.span(tensor).end), "to_dense()")
        else:
            text = factor(tensor, context.module.segment(tensor))
            edit = Replace(context.span(tensor), f"{text}.to_dense()")
        yield self.finding(context.span(tensor), say("XP405.moved"), edit)

    def _is_move(self, context: Context, call: ast.Call) -> bool:
        assert isinstance(call.func, ast.Attribute)
        if call.func.attr == "cuda":
            return context.resolve(call.func) is None
        if call.func.attr != "to" or not call.args or context.roles.is_(call, Role.HOST_TENSOR):
            return False
        fact = context.roles.of(call.args[0])
        if is_cpu(context, call.args[0]):
            return False
        if fact is None:
            name = dotted(call.args[0]) if isinstance(call.args[0], ast.Attribute) else None
            return name is not None and _DEVICE.search(name.rpartition(".")[2]) is not None
        return fact.role in (Role.DEVICE, Role.TEXT) or context.roles.is_(call, Role.TENSOR)

    def _is_made_on_device(self, context: Context, call: ast.Call) -> bool:
        if context.resolve(call.func) not in _MAKERS:
            return False
        if any(k.arg == "device" for k in call.keywords):
            return context.roles.is_(call, Role.TENSOR)
        around = context.module.function_of(call)
        in_step = around is not None and around.name == "forward"
        facts = [context.roles.of(part) for part in call.args[:2]]
        # Elsewhere, a tensor of which nothing says where it lies may well be one of the host's preparations.
        return any(fact is not None and fact.role is Role.TENSOR and (in_step or not fact.assumed) for fact in facts)

    def _taken_apart(self, context: Context, origins: Origins) -> tuple[Facts, ast.Attribute] | None:
        """Where this file, or one beside it, asks for a part of a sparse tensor that may be on the device."""
        for facts in self._near(context):
            there = context.of(facts)
            for node in facts.module.of_type(ast.Attribute):
                if node.attr in _PARTS and self._takes_apart(there, origins, node):
                    return facts, node
        return None

    def _near(self, context: Context) -> Iterator[Facts]:
        """This file, and those that import it or that it imports, if they speak of a sparse tensor's parts."""
        own, program = context.view.own, context.view.program
        yield own
        imports = program.graph.imports
        for file in sorted(program.saying(_TAKES) - {own.file}):
            if file in imports.get(own.file, ()) or own.file in imports.get(file, ()):
                facts = context.view.facts(file)
                if facts is not None:
                    yield facts

    def _takes_apart(self, context: Context, origins: Origins, node: ast.Attribute) -> bool:
        call = context.module.parents[node]
        if context.resolve(node) is not None or not isinstance(call, ast.Call) or call.func is not node or call.args:
            return False
        role = context.roles.role(node.value)
        if node.attr == "values":  # of a dict, as a rule
            return role is Role.TENSOR
        if node.attr == "coalesce" and _is_moved(context, call):
            return False
        return role in (None, Role.TENSOR) and not _is_sparse(context, origins, context.view.own, node.value)


def _speaks_of_sparse(context: Context) -> bool:
    """Whether the project makes sparse tensors, by its text."""
    own = _MAKES.search(context.module.text.encode("utf-8", "replace")) is not None
    return own or bool(context.view.program.saying(_MAKES, b"sp"))


def _is_moved(context: Context, call: ast.Call) -> bool:
    """``x.coalesce().to(device)``."""
    parent = context.module.parents[call]
    return isinstance(parent, ast.Attribute) and parent.attr in ("to", "cuda")


def _is_sparse(context: Context, origins: Origins, facts: Facts, node: ast.expr) -> bool:
    """Whether all that a value may come from makes a sparse tensor, and moves it nowhere."""
    spots = origins.of(facts, node)
    return bool(spots) and all(_is_made(context.of(spot.facts), spot.node) for spot in spots or ())


def _is_made(context: Context, node: ast.expr) -> bool:
    """Whether an expression makes a sparse tensor."""
    if not isinstance(node, ast.Call):
        return False
    if context.resolve(node.func) in _MAKERS:
        return True
    return isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS and context.resolve(node.func) is None
