"""The names of tensor types, ``torch.cuda.FloatTensor``, written out or as a text."""

from __future__ import annotations

import ast
import re

from xlaport.context import Context

DTYPES = {
    "Float": "float32", "Double": "float64", "Half": "float16", "BFloat16": "bfloat16", "Long": "int64",
    "Int": "int32", "Short": "int16", "Char": "int8", "Byte": "uint8", "Bool": "bool",
}  # fmt: skip
"""What is before ``Tensor`` in the name of a type, and the dtype."""
_KINDS = "|".join(DTYPES)
_CUDA = re.compile(rf"torch\.cuda\.({_KINDS})Tensor")
_HOST = re.compile(rf"torch\.({_KINDS})Tensor")


def kind_of(context: Context, node: ast.AST) -> str | None:
    """``Float`` of ``torch.cuda.FloatTensor`` and of the text ``"torch.cuda.FloatTensor"``."""
    return _kind(_CUDA, context, node)


def host_kind_of(context: Context, node: ast.AST) -> str | None:
    """The same for the types of the CPU."""
    return _kind(_HOST, context, node)


def _kind(pattern: re.Pattern[str], context: Context, node: ast.AST) -> str | None:
    text = node.value if isinstance(node, ast.Constant) else context.resolve(node)
    match = pattern.fullmatch(text) if isinstance(text, str) else None
    return match[1] if match is not None else None
