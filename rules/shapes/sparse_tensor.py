"""XP405: sparse tensors, which an XLA device has not."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.origins import Origins
from xlaport.facts.role import Role
from xlaport.rule import Applicability, Finding, Replace, Rule, Span

from .. import host_only

_MAKERS = frozenset(
    "torch.sparse_coo_tensor torch.sparse_csr_tensor torch.sparse_csc_tensor torch.sparse_compressed_tensor "
    "torch.sparse.FloatTensor torch.sparse.DoubleTensor torch.sparse.LongTensor torch.sparse.spdiags".split()
)
_METHODS = frozenset("to_sparse to_sparse_coo to_sparse_csr to_sparse_csc coalesce".split())
_PARTS = frozenset("_indices _values indices values crow_indices col_indices coalesce _nnz is_coalesced".split())
"""What only a sparse tensor has. `values` and `indices` are also names of other things."""
_OF_OTHERS = frozenset({"indices", "values"})


class SparseTensor(Rule):
    """Make sparse tensors dense before they move to the device.

    ## What it does
    Where a sparse tensor moves to the XLA device, `adj.to(device)`, it becomes a dense one first,
    `adj.to_dense().to(device)`. What is made sparse for the move alone, `x.to_sparse().to(device)`, stays dense. A
    sparse tensor that is made on the device, and one whose indices and values are used, are reported.

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
    A dense matrix of n rows and columns takes 4 n² bytes: for 100 000 nodes 40 GB, which does not fit. Then write the
    product by `index_select` and `index_add_` over the edges, or sample the graph.

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
    words = ("sparse",)
    across = ("sparse",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each sparse tensor that is moved to the device, or made there."""
        if host_only.stays_on_host(context):
            return
        origins = Origins(context.flow.structure)
        for node in context.module.calls:
            if not context.editable(node) or not isinstance(node.func, ast.Attribute | ast.Name):
                continue
            if self._is_made_on_device(context, node):
                yield self.finding(
                    context.span(node),
                    "an XLA device has no sparse tensors, so this raises NotImplementedError: make a dense tensor, if "
                    "it fits into the device's memory, or compute with the indices and values by index_select() and "
                    "index_add_()",
                )
            elif isinstance(node.func, ast.Attribute) and self._is_move(context, node):
                yield from self._moved(context, origins, node.func)

    def _moved(self, context: Context, origins: Origins, func: ast.Attribute) -> Iterator[Finding]:
        tensor = func.value
        spots = origins.of(context.view.own, tensor)
        if not spots or not all(_is_made(context.of(spot.facts), spot.node) for spot in spots):
            return
        parts = next((node for node in context.module.nodes if self._takes_apart(context, origins, node)), None)
        message = "a sparse tensor cannot move to an XLA device, which has none: it raises NotImplementedError"
        if parts is not None:
            yield self.finding(
                context.span(tensor),
                f"{message}. Line {context.line(parts)} takes a sparse tensor apart, so this is left to you: make it "
                "dense, if it fits into the device's memory, or keep its indices and values as two tensors",
            )
            return
        own = tensor.func if isinstance(tensor, ast.Call) and isinstance(tensor.func, ast.Attribute) else None
        if (
            own is not None
            and own.attr in ("to_sparse", "to_sparse_coo")
            and len(spots) == 1
            and spots[0].node is tensor
        ):
            start = context.span(own).end - len(own.attr)
            edit = Replace(Span(start, context.span(tensor).end), "to_dense()")
        else:
            end = context.span(tensor).end
            text = context.module.text[context.span(tensor).start : end]
            edit = Replace(context.span(tensor), f"{text}.to_dense()")
        yield self.finding(
            context.span(tensor), f"{message}; as a dense one, of 4 bytes for each zero, too, it moves", edit
        )

    def _is_move(self, context: Context, call: ast.Call) -> bool:
        assert isinstance(call.func, ast.Attribute)
        if call.func.attr == "cuda":
            return context.resolve(call.func) is None
        if call.func.attr != "to" or not call.args or context.roles.is_(call, Role.HOST_TENSOR):
            return False
        return context.roles.is_(call.args[0], Role.DEVICE, Role.TEXT) or context.roles.is_(call, Role.TENSOR)

    def _is_made_on_device(self, context: Context, call: ast.Call) -> bool:
        if context.resolve(call.func) not in _MAKERS:
            return False
        return any(k.arg == "device" for k in call.keywords) and context.roles.is_(call, Role.TENSOR)

    def _takes_apart(self, context: Context, origins: Origins, node: ast.AST) -> bool:
        """Whether a node asks for a part of a sparse tensor that may be on the device."""
        if not isinstance(node, ast.Attribute) or node.attr not in _PARTS or context.resolve(node) is not None:
            return False
        called = context.module.parents[node]
        if node.attr in _OF_OTHERS:
            return isinstance(called, ast.Call) and context.roles.is_(node.value, Role.TENSOR)
        spots = origins.of(context.view.own, node.value)
        return not spots or not all(_is_made(context.of(spot.facts), spot.node) for spot in spots)


def _is_made(context: Context, node: ast.expr) -> bool:
    """Whether an expression makes a sparse tensor."""
    if not isinstance(node, ast.Call):
        return False
    if context.resolve(node.func) in _MAKERS:
        return True
    return isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS and context.resolve(node.func) is None
