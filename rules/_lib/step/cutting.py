"""The text of a barrier at its place."""

from __future__ import annotations

from xlaport.context import Context
from xlaport.facts.steps import Cut, Side
from xlaport.rule import Edit, InsertStatement


def barrier(context: Context, cut: Cut, sync: str) -> Edit:
    """A barrier, which is spelled `sync`, where the graph is cut."""
    code = f"else:\n    {sync}()" if cut.side is Side.ELSE else f"{sync}()"
    return InsertStatement(context.span(cut.statement), code, before=cut.side is Side.BEFORE)
