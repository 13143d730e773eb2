"""What gives sparse gradients: the calls that take `sparse=True`, and the ones whose parameters an optimizer trains."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.names import How
from xlaport.facts.passed import passed

from ..._lib.series import series

_TORCH = frozenset(
    ["torch.nn.Embedding", "torch.nn.Embedding.from_pretrained", "torch.nn.functional.embedding"]
)  # what nn.EmbeddingBag is given, XLA ignores
_LIBRARIES = {
    "torch_geometric": frozenset("Node2Vec MetaPath2Vec TransE RotatE ComplEx DistMult".split()),
    "dgl": frozenset("DeepWalk MetaPath2Vec".split()),
}
"""Models of libraries that hand `sparse` to an embedding of theirs."""
_SPARSE_BY_DEFAULT = {"DeepWalk": 8, "MetaPath2Vec": 6}
"""Those of DGL, with the number of parameters up to `sparse`, which is true where it is not given."""


def makes_embedding(name: str | None) -> bool:
    """Whether what is called takes `sparse` for the gradient of an embedding, and nothing else."""
    return name in _TORCH or _model(name, "torch_geometric") or _model(name, "dgl")


def is_sparse_by_default(name: str | None, call: ast.Call) -> bool:
    """Whether a call without `sparse` has sparse gradients, and all that it is given is plain to see."""
    if name is None or not _model(name, "dgl") or not (call.args or call.keywords):
        return False
    is_plain = all(k.arg for k in call.keywords) and not any(isinstance(a, ast.Starred) for a in call.args)
    return is_plain and len(call.args) < _SPARSE_BY_DEFAULT[name.rpartition(".")[2]]


def keyword_of(call: ast.Call) -> ast.keyword | None:
    """``sparse=…`` of a call."""
    return next((k for k in call.keywords if k.arg == "sparse"), None)


def is_dense(keyword: ast.keyword) -> bool:
    """``sparse=False``."""
    return isinstance(keyword.value, ast.Constant) and not keyword.value.value


def chosen_in(context: Context, value: ast.expr) -> str:
    """``line 7`` for a parameter that the call in this line passes something true for; empty where none is known."""
    if not isinstance(value, ast.Name):
        return ""
    lines: dict[str, None] = {}
    for binding in context.names.reaching(value):
        if binding.how is How.PARAMETER:
            for facts, given in passed(context.flow.structure, context.view.own, binding):
                if isinstance(given, ast.Constant) and given.value:
                    lines[f"line {context.line_of(facts, given)}"] = None
    return series(lines) if lines else ""


def trained(context: Context, optimizer: ast.Call) -> list[tuple[ast.Call, ast.keyword]]:
    """The calls with ``sparse=True`` that made what an optimizer is given the parameters of."""
    given = [*optimizer.args[:1], *(k.value for k in optimizer.keywords if k.arg == "params")]
    found = [
        (call, keyword)
        for argument in given
        for call in _made(context, argument)
        if (keyword := keyword_of(call)) is not None and not is_dense(keyword)
    ]
    return list(dict.fromkeys(found))


def _made(context: Context, node: ast.expr) -> Iterator[ast.Call]:
    """The calls that the names in an expression were assigned."""
    for name in ast.walk(node):
        for binding in context.names.reaching(name) if isinstance(name, ast.Name) else ():
            if binding.how is How.ASSIGN and binding.value is not None:
                yield from (call for call in ast.walk(binding.value) if isinstance(call, ast.Call))


def _model(name: str | None, library: str) -> bool:
    package, _, rest = (name or "").partition(".")
    return package == library and rest.rpartition(".")[2] in _LIBRARIES[library]
