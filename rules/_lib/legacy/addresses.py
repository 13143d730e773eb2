"""Where a file names the address of a process group."""

from __future__ import annotations

import ast

from xlaport.context import Context

OLD_ADDRESS = "pjrt://"


def old_addresses(context: Context) -> list[ast.Constant]:
    """Every mention of the old address."""
    return [n for n in context.module.nodes if isinstance(n, ast.Constant) and n.value == OLD_ADDRESS]


def init_methods(context: Context) -> list[ast.expr]:
    """What is passed to ``init_process_group`` as its address."""
    found: list[ast.expr] = []
    for call in context.module.calls:
        if (context.resolve(call.func) or "").endswith(".init_process_group"):
            found += [k.value for k in call.keywords if k.arg == "init_method"] + call.args[1:2]
    return found


def all_are_rewritten(context: Context) -> bool:
    """Whether the file uses the old address, and only where it can be rewritten."""
    addresses, arguments = old_addresses(context), init_methods(context)
    return bool(addresses) and all(node in arguments for node in addresses)
