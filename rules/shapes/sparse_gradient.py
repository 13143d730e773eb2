"""XP419: sparse gradients of embeddings, which an XLA device has not."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, RemoveArgument, Replace, Rule

from .. import host_only
from ..host_reads.device_values import torch_name

_EMBEDDINGS = frozenset(
    ["torch.nn.Embedding", "torch.nn.Embedding.from_pretrained", "torch.nn.functional.embedding"]
)  # what nn.EmbeddingBag is given, XLA ignores
_OPTIMIZER = "torch.optim.SparseAdam"


class SparseGradient(Rule):
    """Give embeddings dense gradients.

    ## What it does
    Takes `sparse=True` out of `nn.Embedding(…)` and `nn.functional.embedding(…)`. `torch.optim.SparseAdam`, which takes
    sparse gradients only, becomes `torch.optim.Adam` (`--unsafe`).

    ## Why
    An XLA device has no sparse tensors: `backward()` raises NotImplementedError ("… with arguments from the 'SparseXLA'
    backend"). A dense gradient has the same values, and `SGD` and `Adagrad` do the same with it.

    ## Example
        table = nn.Embedding(1000, 16, sparse=True).to("xla")

    becomes

        table = nn.Embedding(1000, 16).to("xla")

    ## When it is wrong
    A dense gradient is as large as the table, and every step writes all of it. `SparseAdam` left the rows alone that a
    step did not use; `Adam` moves them, too, as long as their moments last.
    """

    code = "XP419"
    name = "sparse-gradient"
    summary = "embeddings get dense gradients"
    applicability = Applicability.SAFE
    words = ("sparse", "SparseAdam")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each embedding with sparse gradients, and each optimizer for them."""
        if host_only.stays_on_host(context):
            return
        for call in context.module.calls:
            name = context.resolve(call.func)
            if not context.editable(call):
                continue
            if name == _OPTIMIZER:
                yield self._optimizer(context, call)
            elif name in _EMBEDDINGS:
                keyword = next((k for k in call.keywords if k.arg == "sparse"), None)
                if keyword is not None and not _is_false(keyword.value):
                    yield self._embedding(context, call, keyword)

    def _embedding(self, context: Context, call: ast.Call, keyword: ast.keyword) -> Finding:
        message = (
            "an XLA device has no sparse gradients: backward() raises NotImplementedError as soon as it asks for one"
        )
        if not isinstance(keyword.value, ast.Constant):
            chosen = context.module.segment(keyword.value)
            return self.finding(
                context.span(keyword), f"{message}, where {chosen} is true. See to it that it is not, or take it out"
            )
        return self.finding(
            context.span(keyword),
            f"{message}. A dense one, as large as the table, has the same values",
            RemoveArgument(context.span(call), context.span(keyword)),
        )

    def _optimizer(self, context: Context, call: ast.Call) -> Finding:
        text, imports = torch_name(context, "optim.Adam", call)
        if isinstance(call.func, ast.Attribute):
            text, imports = f"{context.module.segment(call.func.value)}.Adam", ()
        return self.finding(
            context.span(call.func),
            "SparseAdam raises without sparse gradients, which an XLA device has not: Adam takes the dense ones; "
            "unsafe, since it moves the rows that a step did not use, too, as long as their moments last",
            Replace(context.span(call.func), text),
            imports=imports,
            applicability=Applicability.UNSAFE,
        )


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not node.value
