"""Calls that hand over a closure, which a later barrier runs."""

from __future__ import annotations

import ast

from xlaport.context import Context


def hands_closure(context: Context, call: ast.Call) -> bool:
    """Whether a call hands something over to a closure, which a later barrier runs."""
    return context.resolve(call.func) == context.target.symbol("add_step_closure").qualified
