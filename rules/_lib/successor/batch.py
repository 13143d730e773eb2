"""The statements that bring the batch of a loop to the device: one for each part of it that the body uses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from xlaport.context import Context
from xlaport.facts.module import last_name, walk_block
from xlaport.rule import Import
from xlaport.target import Symbol

_OF_DICT = frozenset("items keys values get pop".split())
_IS_TENSOR = Symbol(Import("torch", "torch"), "is_tensor")
_MOVING = frozenset({"to", "cuda"})
_OF_TEXTS = frozenset(name for name in (*dir(str), *dir(list)) if not name.startswith("_")) - {"split", "sort"}
"""What texts and lists have, and no tensor."""
_TAKES_TEXTS = re.compile(r"tokeniz", re.IGNORECASE)
_PACKAGES_OF_TEXTS = frozenset({"os", "json", "pathlib", "shutil", "PIL", "cv2"})


def moves(context: Context, loop: ast.For, is_counted: bool, device: str) -> list[str] | None:
    """The statements for the head of a loop's body; None where a part may be no tensor, nor a row or dict of some."""
    target = loop.target
    if is_counted:
        if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
            return None
        target = target.elts[1]
    if not all(isinstance(part, ast.Name) for part in _parts(target)):
        return None
    lines = []
    for part in _parts(target):
        name = part.id if isinstance(part, ast.Name) else ""
        uses = list(dict.fromkeys([*_uses(loop.body, name), *context.names.uses_of(part)]))  # also behind the loop
        if not uses or _is_moved(loop.body, name):
            continue
        line = _move(context, loop, name, uses, device, is_whole=isinstance(target, ast.Name))
        if line is None:
            return None
        lines.append(line)
    return lines


def _parts(target: ast.expr) -> Iterator[ast.expr]:
    if isinstance(target, ast.Tuple | ast.List):
        for element in target.elts:
            yield from _parts(element)
    else:
        yield target


def _uses(body: Sequence[ast.stmt], name: str) -> list[ast.Name]:
    return [n for s in body for n in ast.walk(s) if isinstance(n, ast.Name) and n.id == name and _is_read(n)]


def _is_read(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _is_moved(body: Sequence[ast.stmt], name: str) -> bool:
    """Whether the body brings it to the device itself, or its parts: ``x = x.to(device)``."""
    for node in walk_block(body):
        if not isinstance(node, ast.Assign) or not any(_says(target, name) for target in node.targets):
            continue
        for call in ast.walk(node.value):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _MOVING:
                return True
    return False


def _says(node: ast.expr, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node))


def _move(context: Context, loop: ast.For, name: str, uses: list[ast.Name], device: str, is_whole: bool) -> str | None:
    parents = [context.module.parents[use] for use in uses]
    if any(_is_of_dict(parent, use) for parent, use in zip(parents, uses, strict=True)):
        return _move_dict(context, name, uses, device)
    if any(_is_no_tensor(context, use, loop) for use in uses):
        return None
    is_one = [context.singles.is_one(context.view.own, use) for use in uses]
    is_row = any(_is_of_row(context, parent, use, is_whole) for parent, use in zip(parents, uses, strict=True))
    if True not in is_one and (is_row or False in is_one):
        return f"{name} = [part.to({device}) for part in {name}]"
    if is_whole and True not in is_one:
        return None
    return f"{name} = {name}.to({device})"


def _move_dict(context: Context, name: str, uses: list[ast.Name], device: str) -> str | None:
    """Whoever takes ``**batch`` takes tensors; otherwise, a key that is not used may be that of a text."""
    parents = [context.module.parents[use] for use in uses]
    if any(isinstance(parent, ast.Attribute) and parent.attr not in _OF_DICT for parent in parents):
        return None  # it is more than a dict
    for item in (parent for parent in parents if isinstance(parent, ast.Subscript)):
        if _is_of_row(context, context.module.parents[item], item, is_whole=True):
            return None
    is_all = any(isinstance(parent, ast.keyword) for parent in parents)
    asks, imports = ("", ()) if is_all else context.spell(_IS_TENSOR, uses[0])
    if imports:
        return None
    moved = f"v.to({device})" if is_all else f"v.to({device}) if {asks}(v) else v"
    return f"{name} = {{k: {moved} for k, v in {name}.items()}}"


def _is_no_tensor(context: Context, node: ast.expr, loop: ast.For, seen: frozenset[str] = frozenset()) -> bool:
    """Whether a use shows a text, or a row of them: ``names[0].lower()``, ``tokenizer(texts)``, ``x == "a"``."""
    parent = context.module.parents[node]
    if isinstance(parent, ast.Attribute):
        call = context.module.parents[parent]
        if isinstance(call, ast.Call) and parent.attr == "split":
            return not call.keywords and all(map(_is_text, call.args))
        return parent.attr in _OF_TEXTS
    if isinstance(parent, ast.Subscript):
        return parent.value is node and _is_no_tensor(context, parent, loop, seen)
    if isinstance(parent, ast.Compare):
        return any(_is_text(side) for side in (parent.left, *parent.comparators))
    if isinstance(parent, ast.Assign) and parent.value is node:
        targets: list[ast.expr] = [t for t in parent.targets if isinstance(t, ast.Tuple | ast.List)]
    elif isinstance(parent, ast.For | ast.comprehension) and parent.iter is node:
        targets = [parent.target]
    else:
        return isinstance(parent, ast.Call) and _takes_texts(context, parent)
    names = (part for target in targets for part in _parts(target))
    parts = {name.id for name in names if isinstance(name, ast.Name)} - seen
    uses = (use for part in sorted(parts) for use in _uses(loop.body, part))
    return any(_is_no_tensor(context, use, loop, seen | parts) for use in uses)


def _takes_texts(context: Context, call: ast.Call) -> bool:
    if isinstance(call.func, ast.Attribute) and _is_text(call.func.value):
        return True  # `" ".join(words)`
    called = context.resolve(call.func) or ""
    is_tokenizer = _TAKES_TEXTS.search(last_name(call.func) or "") or any(
        k.arg == "return_tensors" for k in call.keywords
    )
    return bool(is_tokenizer) or called == "builtins.open" or called.partition(".")[0] in _PACKAGES_OF_TEXTS


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_of_dict(parent: ast.AST, use: ast.Name) -> bool:
    """``batch["x"]``, ``batch.items()``, ``f(**batch)``"""
    if isinstance(parent, ast.keyword):
        return parent.arg is None
    if isinstance(parent, ast.Attribute):
        return parent.attr in _OF_DICT
    if not isinstance(parent, ast.Subscript) or parent.value is not use:
        return False
    return isinstance(parent.slice, ast.Constant) and isinstance(parent.slice.value, str)


def _is_of_row(context: Context, parent: ast.AST, use: ast.expr, is_whole: bool) -> bool:
    """``x, y = batch``, ``f(*batch)``, ``for part in batch``, and ``batch[0]`` of a whole batch."""
    if isinstance(parent, ast.Starred):
        return True
    if isinstance(parent, ast.Assign) and parent.value is use:
        return any(isinstance(target, ast.Tuple | ast.List) for target in parent.targets)
    if isinstance(parent, ast.For | ast.comprehension):
        return parent.iter is use
    if isinstance(parent, ast.Subscript) and parent.value is use and is_whole:
        return isinstance(parent.slice, ast.Constant) and isinstance(parent.slice.value, int)
    return False
