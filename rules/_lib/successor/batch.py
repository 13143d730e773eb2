"""The statements that bring the batch of a loop to the device: one for each part of it that the body uses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from xlaport.analysis.certain import is_proven
from xlaport.analysis.containers import is_keyed
from xlaport.analysis.value import TENSOR, TEXT, Value
from xlaport.context import Context
from xlaport.facts.each import position
from xlaport.facts.module import last_name
from xlaport.rule import Import
from xlaport.target import Symbol

from ..shapes.moved_later import goes_to_device
from .given import given, is_several
from .given import part as part_of

_OF_DICT = frozenset("items keys values get pop".split())
_IS_TENSOR = Symbol(Import("torch", "torch"), "is_tensor")
_OF_TEXTS = frozenset(name for name in (*dir(str), *dir(list)) if not name.startswith("_")) - {"split", "sort"}
"""What texts and lists have, and no tensor."""
_THROUGH_ELEMENTS = frozenset(f"builtins.{name}" for name in "enumerate iter len list reversed tuple zip".split())
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
    batches, lines = given(context, loop), []
    for part in _parts(target):
        name = part.id if isinstance(part, ast.Name) else ""
        of_batch = context.names.uses_of(part)  # also behind the loop
        if all(_is_moved(context, use) for use in of_batch):
            continue
        uses = list(dict.fromkeys([*_uses(loop.body, name), *of_batch]))
        values = part_of(batches, position(context.module, part)[is_counted:])
        line = _move(context, name, uses, values, device, is_whole=part is target)
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


def _is_moved(context: Context, use: ast.expr) -> bool:
    """Whether a use brings a part to the device itself: ``x.to(device)``, ``{k: v.to(device) for k, v in x.items()}``.

    A name that is given what was moved, ``x = x.to(device)``, is another one from there on.
    """
    parent = context.module.parents[use]
    while isinstance(parent, ast.Subscript) and parent.value is use and isinstance(parent.ctx, ast.Load):
        use, parent = parent, context.module.parents[parent]
    call = context.module.parents[parent]
    if isinstance(parent, ast.Attribute) and isinstance(call, ast.Call) and goes_to_device(context, call):
        return True
    each = (part for t in _element_targets(context, use) if _is_of_comprehension(context, t) for part in _parts(t))
    return any(_is_moved(context, inside) for part in each for inside in context.names.uses_of(part))


def _is_of_comprehension(context: Context, target: ast.expr) -> bool:
    around = next(parent for parent in context.module.ancestors(target) if not isinstance(parent, ast.Tuple | ast.List))
    return isinstance(around, ast.comprehension)


def _move(
    context: Context, name: str, uses: list[ast.Name], values: list[Value], device: str, is_whole: bool
) -> str | None:
    """The statement that moves a part of a batch, which is what some values are, or one of them."""
    parents = [context.module.parents[use] for use in uses]
    shown = [value for value in values if is_several(value)]
    elements = [element for value in shown for element in value.elements or ()]
    if any(map(is_several, elements)):
        return None
    if any(map(is_keyed, shown)) or any(_is_of_dict(parent, use) for parent, use in zip(parents, uses, strict=True)):
        return _move_dict(context, name, uses, device)
    if any(_is_no_tensor(context, use) for use in uses) or any(value.type == TEXT for value in values):
        return None
    is_one = [context.singles.is_one(context.view.own, use) for use in uses]
    is_tensor = any(value.type == TENSOR and is_proven(value) and not is_several(value) for value in values)
    if is_tensor and shown:
        return None
    is_row = bool(shown) or False in is_one or any(map(_is_unpacked, parents, uses))
    is_like_row = any(_is_of_row(parent, use, is_whole) for parent, use in zip(parents, uses, strict=True))
    if not is_tensor and True not in is_one and (is_row or is_like_row):
        if _is_nested(context, uses) or any(element.type == TEXT for element in elements):
            return None
        if not is_row and not all(_is_of_elements(context, use) for use in uses):
            return None  # as a list, it is something else to whoever gets it, if it is a tensor
        return f"{name} = [part.to({device}) for part in {name}]"
    if is_whole and True not in is_one and not any(value.type == TENSOR for value in values):
        return None
    moved = f"{name}.to({device})"
    may_be_none = any(isinstance(parent, ast.Compare) and _asks_for_none(parent) for parent in parents)
    return f"{name} = None if {name} is None else {moved}" if may_be_none else f"{name} = {moved}"


def _asks_for_none(question: ast.Compare) -> bool:
    sides = (question.left, *question.comparators)
    return any(isinstance(side, ast.Constant) and side.value is None for side in sides)


def _move_dict(context: Context, name: str, uses: list[ast.Name], device: str) -> str | None:
    """Whoever takes ``**batch`` takes tensors; otherwise, a key that is not used may be that of a text."""
    parents = [context.module.parents[use] for use in uses]
    if any(isinstance(parent, ast.Attribute) and parent.attr not in _OF_DICT for parent in parents):
        return None  # it is more than a dict
    for item in (parent for parent in parents if isinstance(parent, ast.Subscript)):
        if _is_of_row(context.module.parents[item], item, is_whole=True):
            return None
    if _is_nested(context, uses):
        return None
    is_all = any(isinstance(parent, ast.keyword) for parent in parents)
    asks, imports = ("", ()) if is_all else context.spell(_IS_TENSOR, uses[0])
    if imports:
        return None
    moved = f"v.to({device})" if is_all else f"v.to({device}) if {asks}(v) else v"
    return f"{name} = {{k: {moved} for k, v in {name}.items()}}"


def _is_nested(context: Context, uses: Sequence[ast.expr]) -> bool:
    """Whether an element of a row or dict is used as a row or dict itself: ``batch["target"]["boxes"]``."""
    for use in uses:
        if any(isinstance(target, ast.Tuple | ast.List) for target in _element_targets(context, use)):
            return True
        for element in _elements(context, use):
            parent = context.module.parents[element]
            is_row = _is_of_row(parent, element, is_whole=False)
            if _is_of_dict(parent, element) or (
                is_row and context.singles.is_one(context.view.own, element) is not True
            ):
                return True
    return False


def _elements(context: Context, node: ast.expr) -> Iterator[ast.expr]:
    """What stands for an element of something: ``x[0]``, ``x.get("a")``, the names of ``a, b = x``, ``for a in x``."""
    parent = context.module.parents[node]
    call = context.module.parents[parent]
    taken: ast.AST | None = parent if isinstance(parent, ast.Subscript) and parent.value is node else None
    if isinstance(parent, ast.Attribute) and parent.attr in ("get", "pop"):
        taken = call if isinstance(call, ast.Call) and call.func is parent else None
    targets = _element_targets(context, node)
    if isinstance(taken, ast.expr):
        yield taken
        kept = context.module.parents[taken]
        targets += kept.targets if isinstance(kept, ast.Assign) and kept.value is taken else []
    for target in targets:
        for part in _parts(target):
            yield from context.names.uses_of(part)


def _element_targets(context: Context, node: ast.expr) -> list[ast.expr]:
    """The targets that each get an element of something: of ``x.items()``, the value alone."""
    parent = context.module.parents[node]
    call = context.module.parents[parent]
    if isinstance(parent, ast.Attribute) and isinstance(call, ast.Call) and parent.attr in ("items", "values"):
        around = context.module.parents[call]
        target = around.target if isinstance(around, ast.For | ast.comprehension) and around.iter is call else None
        is_pair = parent.attr == "items" and isinstance(target, ast.Tuple) and len(target.elts) == 2
        return [] if target is None else [target.elts[1]] if is_pair and isinstance(target, ast.Tuple) else [target]
    if isinstance(parent, ast.For | ast.comprehension) and parent.iter is node:
        return [parent.target]
    rows = parent.targets if isinstance(parent, ast.Assign) and parent.value is node else []
    return [element for row in rows if isinstance(row, ast.Tuple | ast.List) for element in row.elts]


def _is_no_tensor(context: Context, node: ast.expr, seen: frozenset[ast.expr] = frozenset()) -> bool:
    """Whether a use shows a text, or a row of them: ``names[0].lower()``, ``tokenizer(texts)``, ``x == "a"``."""
    parent = context.module.parents[node]
    if isinstance(parent, ast.Attribute):
        call = context.module.parents[parent]
        if isinstance(call, ast.Call) and parent.attr == "split":
            return not call.keywords and all(map(_is_text, call.args))
        return parent.attr in _OF_TEXTS
    if isinstance(parent, ast.Compare):
        return any(_is_text(side) for side in (parent.left, *parent.comparators))
    if isinstance(parent, ast.Call) and _takes_texts(context, parent):
        return True
    elements = (element for element in _elements(context, node) if element not in seen)
    return any(_is_no_tensor(context, element, seen | {node}) for element in elements)


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


def _is_of_dict(parent: ast.AST, use: ast.expr) -> bool:
    """``batch["x"]``, ``batch.items()``, ``f(**batch)``"""
    if isinstance(parent, ast.keyword):
        return parent.arg is None
    if isinstance(parent, ast.Attribute):
        return parent.attr in _OF_DICT
    if not isinstance(parent, ast.Subscript) or parent.value is not use:
        return False
    return isinstance(parent.slice, ast.Constant) and isinstance(parent.slice.value, str)


def _is_of_row(parent: ast.AST, use: ast.expr, is_whole: bool) -> bool:
    """``x, y = batch``, ``f(*batch)``, ``for part in batch``, and ``batch[0]`` of a whole batch."""
    if _is_unpacked(parent, use):
        return True
    if isinstance(parent, ast.For | ast.comprehension):
        return parent.iter is use
    if isinstance(parent, ast.Subscript) and parent.value is use and is_whole:
        return isinstance(parent.slice, ast.Constant) and isinstance(parent.slice.value, int)
    return False


def _is_unpacked(parent: ast.AST, use: ast.expr) -> bool:
    """``x, y = batch``, ``f(*batch)``: nobody does so with a tensor of samples, whose number differs."""
    if isinstance(parent, ast.Assign) and parent.value is use:
        return any(isinstance(target, ast.Tuple | ast.List) for target in parent.targets)
    return isinstance(parent, ast.Starred)


def _is_of_elements(context: Context, use: ast.expr) -> bool:
    """Whether a use gives the same for a tensor as for a list of its rows: ``x[0]``, ``for row in x``, ``len(x)``."""
    parent = context.module.parents[use]
    if isinstance(parent, ast.Subscript):
        return parent.value is use and not isinstance(parent.slice, ast.Slice | ast.Tuple)
    if isinstance(parent, ast.Call):
        return (context.resolve(parent.func) or "") in _THROUGH_ELEMENTS
    return _is_of_row(parent, use, is_whole=True)
