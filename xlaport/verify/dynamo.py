"""What torch.compile says of its guards, in plain words. Read from messages of torch 2.9 (`torch._dynamo`: guards.py);
what is not known here is passed on as torch says it. Its graph breaks are in `graph_breaks`.

Used in the child, too: standard library only.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_DTYPES = {
    "float32": "f32", "float64": "f64", "float16": "f16", "bfloat16": "bf16", "int64": "s64", "int32": "s32",
    "int16": "s16", "int8": "s8", "uint8": "u8", "bool": "pred", "complex64": "c64",
}  # fmt: skip
_LONGEST = 60
"""Characters of a value, or of an expression, that are shown."""

_TENSOR = re.compile(r"tensor '(.+?)' (size|dtype|rank|stride|requires_grad|dispatch key set) mismatch(.*)", re.DOTALL)
_FIGURES = re.compile(r"(?: at index (\d+))?\. expected ([^,]+?)(?:, actual (.+))?$", re.DOTALL)
_ITEM = re.compile(r"\._(?:modules|parameters|buffers)\['([^']+)'\]")
_GLOBAL = re.compile(r"\bG\['(\w+)'\]")
_COMMENT = re.compile(r"\s+# .*?# (\S+):(\d+) in \S+.*$", re.DOTALL)
_STATES = {
    "grad_mode": "whether gradients are recorded (torch.no_grad())",
    "autocast": "autocast",
    "default_dtype": "the default dtype",
}


@dataclass(frozen=True)
class Guard:
    """Why a guard failed, in words, and the line that relies on it, as (the end of) a path and a number."""

    words: str
    path: str | None = None
    line: int | None = None


def guard(message: str, known: Mapping[str, Any], glob: Mapping[str, Any]) -> Guard:
    """The meaning of a guard that failed, such as ``0/1: x.step == 3  # y = x.step * 2  # train.py:7 in step``.

    `known` and `glob` are the local and global variables of the function: what it says now is looked up there.
    """
    _, _, said = message.partition(": ")
    place = _COMMENT.search(said)
    said = _COMMENT.sub("", said).strip()
    where = (place[1], int(place[2])) if place else (None, None)
    return Guard(_words(said, known, glob), *where)


def _words(said: str, known: Mapping[str, Any], glob: Mapping[str, Any]) -> str:
    if tensor := _TENSOR.match(said):
        return _of_tensor(tensor[1], tensor[2], tensor[3], _value(tensor[1], known, glob))
    if said.startswith("GLOBAL_STATE changed:"):
        states = said.partition(":")[2].split()
        return " and ".join(_STATES.get(state, state) for state in states) + " changed"
    if said.startswith("Duplicate tensors found"):
        return "two inputs became one tensor, or stopped being one: " + said.partition(":")[2].strip(" []")
    try:
        tree = ast.parse(said, mode="eval").body
    except SyntaxError:
        return said
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1 and isinstance(tree.ops[0], ast.Eq):
        left, right = ast.unparse(tree.left), ast.unparse(tree.comparators[0])
        now = _value(left, known, glob)
        became = f"{name(left)} was {_short(right)}"
        return became + (f" and is {_short(repr(now))}" if isinstance(now, int | float | str | bool | None) else "")
    if isinstance(tree, ast.Call) and tree.args and ast.unparse(tree.func).startswith("___check_"):
        kind = "of another type" if "type" in ast.unparse(tree.func) else "another object"
        what = name(ast.unparse(tree.args[0])).removesuffix(".__code__")
        return f"{what} is {kind}"
    return said


def _of_tensor(expression: str, kind: str, rest: str, now: Any) -> str:
    what = name(expression)
    figures = _FIGURES.search(rest)
    index, expected, actual = figures.groups() if figures else (None, None, None)
    if kind == "size" and index is not None:
        shape = _shape(now)
        if shape is None or int(index) >= len(shape[1]):
            return f"{what}: {expected} became {actual} in dimension {index}"
        before = [*shape[1][: int(index)], expected, *shape[1][int(index) + 1 :]]
        return f"{what}: {_text(shape[0], before)} became {_text(*shape)}"
    if kind == "requires_grad":
        return f"{what} {'needs no' if expected == 'requires_grad=1' else 'needs a'} gradient now"
    if kind == "stride":
        return f"{what} has another memory layout (a transpose, or a slice of another tensor)"
    if kind == "dispatch key set":
        return f"{what} is a tensor of another kind (another device, or made under torch.inference_mode)"
    return f"{what}: its {'number of dimensions' if kind == 'rank' else kind} was {expected} and is {actual}"


def name(expression: str) -> str:
    """A guard's expression as the user would write it: ``model.0.step`` for ``G['model']._modules['0'].step``."""
    if re.fullmatch(r"_{3}stack\d+", expression):
        return "a value from before a graph break"
    plain = _GLOBAL.sub(r"\1", expression)
    return _short(_ITEM.sub(lambda item: f"[{item[1]}]" if item[1].isdigit() else f".{item[1]}", plain))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 2] + " …"


def _shape(value: Any) -> tuple[str, list[Any]] | None:
    try:
        return str(value.dtype), list(map(int, value.shape))
    except (AttributeError, TypeError, ValueError):
        return None


def shape_text(tensor: Any) -> str | None:
    """The type and shape of a tensor as XLA writes them, such as ``f32[17,128]``; `None` for what has none."""
    shape = _shape(tensor)
    return _text(*shape) if shape else None


def _text(dtype: str, sizes: list[Any]) -> str:
    kind = dtype.rpartition(".")[2]
    return f"{_DTYPES.get(kind, kind)}[{','.join(map(str, sizes))}]"


def _value(expression: str, known: Mapping[str, Any], glob: Mapping[str, Any]) -> Any:
    """What an expression of a guard is now; an object of no use where that cannot be told.

    Only names, attributes, items and ``len`` are followed: what the guard itself has just followed.
    """
    try:
        return _follow(ast.parse(expression, mode="eval").body, known, glob)
    except Exception:  # whatever the user's attributes and items raise
        return _UNKNOWN


_UNKNOWN = object()


def _follow(node: ast.expr, known: Mapping[str, Any], glob: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Name):
        return glob if node.id == "G" and "G" not in known else known[node.id]
    if isinstance(node, ast.Attribute):
        return getattr(_follow(node.value, known, glob), node.attr)
    if isinstance(node, ast.Subscript):
        return _follow(node.value, known, glob)[ast.literal_eval(node.slice)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len":
        return len(_follow(node.args[0], known, glob))
    raise ValueError(ast.dump(node))


RUNTIME = "a call of torch_xla's runtime"
"""What the probe gives torch.compile as the reason why its own functions are not traced."""
