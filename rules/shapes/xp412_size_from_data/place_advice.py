"""What to do by hand about the places where a mask is true, as all of their uses say."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace

from xlaport.context import Context
from xlaport.wording import Text

from ..._lib.shapes.batch_norms import counted
from ..._lib.shapes.saying import say
from ..._lib.shapes.true_places import Places, Use, Used, formed, texts, uses_of

_TO_HOST = frozenset({"cpu", "tolist", "numpy"})
_READS = frozenset({"item", *_TO_HOST})


def advice(context: Context, places: Places, text: Text) -> Text:
    """What is said of a call, with what to do as far as that is plain from how the places are used."""
    uses = uses_of(context, places)
    names = texts(context, places.mask)
    if _is_for_host(context, places, uses):
        return replace(text, recipe=say.phrase("places_on_host", mask=names["operand"]))
    looped = next((used for used in uses if used.how is Use.LOOPED), None)
    if looped is not None:
        recipe = say.phrase("loop_reads") if _reads_values(looped) else say.phrase("loop", mask=names["mask"])
        return replace(text, recipe=recipe)
    hows = {used.how for used in uses}
    if hows == {Use.COUNTED}:
        return replace(text, recipe=say.phrase("count", count=names["count"]))
    if hows == {Use.FIRST}:
        one = names["operand"] if names["true"] == "true" else f"({names['mask']})"
        return replace(text, recipe=say.phrase("first", mask=one))
    reads = (used.node for used in uses if used.how is Use.READ and isinstance(used.node, ast.expr))
    return replace(text, recipe=f"{text.recipe}{counted(context, reads)}")


# -- the host ------------------------------------------------------------------------------------------


def _is_for_host(context: Context, places: Places, uses: list[Used]) -> bool:
    """Whether the places themselves go to the host, where they can be listed."""
    if any(_is_method(context, node, *_TO_HOST) for node in _chain(context, places)):
        return True
    ends = [used for used in uses if used.how is Use.OTHER]
    return bool(ends) and all(_is_fetched(context, used.node) for used in ends)


def _chain(context: Context, places: Places) -> Iterator[ast.AST]:
    """The call, and what is made of it, up to the whole form."""
    whole = formed(context, places)
    node: ast.AST = places.call
    while node is not whole:
        yield node
        node = context.module.parents[node]


def _is_fetched(context: Context, node: ast.AST) -> bool:
    """Whether the expression around a use ends in `.cpu()` or the like."""
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.stmt):
            return False
        if isinstance(parent, ast.Call) and _is_one_of(parent, _TO_HOST):
            return True
    return False


def _reads_values(used: Used) -> bool:
    """Whether a loop over places reads values."""
    body = used.node.body if isinstance(used.node, ast.For) else []
    return any(isinstance(n, ast.Call) and _is_one_of(n, _READS) for s in body for n in ast.walk(s))


def _is_method(context: Context, node: ast.AST, *methods: str) -> bool:
    """Whether a method is called on an expression."""
    parent = context.module.parents[node]
    return isinstance(parent, ast.Attribute) and parent.attr in methods


def _is_one_of(call: ast.Call, methods: Iterable[str]) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in methods
