"""The text of a barrier at its place."""

from __future__ import annotations

from xlaport.context import Context
from xlaport.facts.steps import Cut, Side
from xlaport.rule import Edit, InsertStatement


def barrier(context: Context, cut: Cut, sync: str, condition: str = "") -> Edit:
    """A barrier, which is spelled `sync`, where the graph is cut; only under a condition, where there is one."""
    head = "else" if cut.side is Side.ELSE else f"if {condition}" if condition else ""
    code = f"{head}:\n    {sync}()" if head else f"{sync}()"
    return InsertStatement(context.span(cut.statement), code, before=cut.side is Side.BEFORE)
