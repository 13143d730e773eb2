"""XP419: sparse gradients of embeddings, which an XLA device has not."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, RemoveArgument, Replace, Rule, Trait

from ..._lib import host_only
from ..._lib.host_reads.device_values import torch_name
from ..._lib.series import series
from ..._lib.shapes.saying import say
from .sparse_embeddings import chosen_in, is_dense, is_sparse_by_default, keyword_of, makes_embedding, trained

_OPTIMIZER = "torch.optim.SparseAdam"


class SparseGradient(Rule):
    """Give embeddings dense gradients.

    ## What it does
    Takes `sparse=True` out of `nn.Embedding(…)`, `nn.functional.embedding(…)` and the models of PyTorch Geometric and
    DGL that hand it to an embedding, such as `Node2Vec(…)`. `torch.optim.SparseAdam`, which takes sparse gradients
    only, becomes `torch.optim.Adam`, and what it trains is made with dense ones (`--unsafe`).

    ## Why
    XLA has no sparse tensors: `backward()` raises NotImplementedError ("… with arguments from the 'SparseXLA'
    backend"). A dense gradient has the same values, and `SGD` and `Adagrad` do the same with it. Some models have
    sparse gradients by default: DGL's `DeepWalk()` and `MetaPath2Vec()` get `sparse=False`.

    ## Example
        table = nn.Embedding(1000, 16, sparse=True).to("xla")

    becomes

        table = nn.Embedding(1000, 16).to("xla")

    ## When it is wrong
    A dense gradient is as large as the table, and every step writes all of it. `SparseAdam` left the rows alone that a
    step did not use; `Adam` moves them, too, as long as their moments last.

    ## When it is left alone
    Options called `sparse` of other functions and modules.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch, Embedding: https://docs.pytorch.org/docs/stable/generated/torch.nn.Embedding.html

    ## Related
    XP405.
    """

    code = "XP419"
    name = "sparse-gradient"
    summary = "embeddings get dense gradients"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    traits = (Trait.XLA_TENSOR,)
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
            elif makes_embedding(name):
                keyword = keyword_of(call)
                if keyword is not None and not is_dense(keyword):
                    yield self._embedding(context, call, keyword)
                elif keyword is None and is_sparse_by_default(name, call):
                    yield self._default(context, call)

    def _embedding(self, context: Context, call: ast.Call, keyword: ast.keyword) -> Finding:
        if not isinstance(keyword.value, ast.Constant):
            chosen = context.module.segment(keyword.value)
            where = _in_brackets(chosen_in(context, keyword.value))
            return self.finding(context.span(keyword), say("XP419.chosen", chosen=chosen, where=where))
        default = is_sparse_by_default(context.resolve(call.func), call)
        return self.finding(
            context.span(keyword),
            say("XP419.dense"),
            Replace(context.span(keyword.value), "False")
            if default
            else RemoveArgument(context.span(call), context.span(keyword)),
        )

    def _default(self, context: Context, call: ast.Call) -> Finding:
        last = [*call.args, *call.keywords][-1]
        return self.finding(
            context.span(call.func),
            say("XP419.dense"),
            Replace(context.span(last), f"{context.module.segment(last)}, sparse=False"),
        )

    def _optimizer(self, context: Context, call: ast.Call) -> Finding:
        text, imports = torch_name(context, "optim.Adam", call)
        if isinstance(call.func, ast.Attribute):
            text, imports = f"{context.module.segment(call.func.value)}.Adam", ()
        found = trained(context, call)
        lines = dict.fromkeys(f"line {context.line(keyword)}" for _, keyword in found)
        others = [
            Replace(context.span(keyword.value), "False")
            for made, keyword in found
            if isinstance(keyword.value, ast.Constant)
            and not makes_embedding(context.resolve(made.func))
            and context.editable(made)
        ]
        return self.finding(
            context.span(call.func),
            say("XP419.optimizer", where=_in_brackets(series(lines) if lines else "")),
            Replace(context.span(call.func), text),
            *others,
            imports=imports,
            applicability=Applicability.UNSAFE,
        )


def _in_brackets(lines: str) -> str:
    return f" ({lines})" if lines else ""
