"""What the loaders of a loop give for a batch, as far as the code of their datasets says."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from xlaport.analysis.certain import is_proven
from xlaport.analysis.containers import is_keyed
from xlaport.analysis.value import TENSOR, UNKNOWN, Value
from xlaport.context import Context
from xlaport.facts.loaders import code_of, loaders_of
from xlaport.facts.module import FunctionNode, walk_block


def given(context: Context, loop: ast.For) -> list[Value]:
    """What the datasets of a loop's loaders, or their `collate_fn`, return: one value for each `return`.

    A dataset that is a tensor gives tensors.
    """
    structure, found = context.flow.structure, []
    for loader in loaders_of(structure, context.view.own, loop.iter):
        name, method = ("collate_fn", "__call__") if loader.has("collate_fn") else ("dataset", "__getitem__")
        source = loader.given.get(name, UNKNOWN)
        found += [source] if source.type == TENSOR and is_proven(source) else []
        for facts, code in code_of(structure, loader.facts, source, method):
            found += [structure.value(facts, node) or UNKNOWN for node in _returned(code)]
    return found


def part(values: Sequence[Value], path: Sequence[int]) -> list[Value]:
    """The same for a part of a batch: (1, 0) is that of the first of a row's second element."""
    for place in path:
        rows = [value.elements for value in values if value.elements is not None and not is_keyed(value)]
        values = [row[place] for row in rows if place < len(row)]
    return list(values)


def is_several(value: Value) -> bool:
    """Whether it is a row or a dict, and no tensor."""
    return value.elements is not None or value.element is not None


def _returned(code: FunctionNode | ast.Lambda) -> list[ast.expr]:
    if isinstance(code, ast.Lambda):
        return [code.body]
    return [n.value for n in walk_block(code.body) if isinstance(n, ast.Return) and n.value is not None]
