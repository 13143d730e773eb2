"""Functions that launch kernels of Triton: they run on GPUs alone, and what they compute there is another matter."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.module import Module, imported_modules, walk_block


def launches_kernel(context: Context, function: ast.AST | None) -> bool:
    """Whether a function of a file that knows Triton calls ``kernel[grid](…)``."""
    return (
        isinstance(function, ast.FunctionDef)
        and _knows_triton(context)
        and any(isinstance(n, ast.Call) and isinstance(n.func, ast.Subscript) for n in walk_block(function.body))
    )


def _knows_triton(context: Context) -> bool:
    return context.view.own.once("knows triton", lambda: _imports_triton(context.module))


def _imports_triton(module: Module) -> bool:
    imports = module.of_type(ast.Import, ast.ImportFrom)
    return any(name.split(".")[0] == "triton" for node in imports for name in imported_modules(node))
