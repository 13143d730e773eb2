"""The places of a file that ask for float16: casts, dtypes, types of tensors, and names of dtypes in texts."""

from __future__ import annotations

import ast
import enum
import re
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.loops import LOOPS
from xlaport.facts.vocabulary import HALF
from xlaport.rule import Import, Replace, Span
from xlaport.target import Symbol

from ..exporting import is_choice
from .arrays import computed_by
from .half import AUTOCAST_OF_CUDA, is_autocast, is_for_autocast

_TORCH = Import("torch", "torch")
_BFLOAT16 = "torch.bfloat16"
_TYPES = {"torch.HalfTensor": "BFloat16Tensor", "torch.cuda.HalfTensor": "cuda.BFloat16Tensor"}
_CUSTOM = frozenset({"custom_fwd", "custom_bwd"})
_KEYWORDS = frozenset({"torch_dtype", "dtype"})
_NAMING = ("transformers.", "diffusers.")
"""Libraries that take the name of a dtype for the dtype."""
_SAVING = frozenset(
    {"torch.save", "numpy.save", "numpy.savez", "numpy.savez_compressed", "pickle.dump", "pickle.dumps"}
    | {f"safetensors.torch.{name}" for name in ("save", "save_file", "save_model")}
)
_EXPORTING = frozenset({"torch.onnx.export", "torch.onnx.dynamo_export", "torch.jit.save", "coremltools.convert"})
_TO_HOST = frozenset({"cpu", "numpy", "tolist", "item"})
_BACK = frozenset({"float", "double"})
"""Behind a cast, what only rounds: ``model.half().float()``."""
_TO_DEVICE = frozenset({"cuda", "to", "xpu"})
_FILLED = frozenset({"torch.zeros", "torch.tensor", "torch.full", "torch.zeros_like"})
_WHOLE = re.compile(r"torch\.(u?int\d*|long|short|bool)")
_BYTES = frozenset({"torch.frombuffer"})


class Kind(enum.Enum):
    """What a place is."""

    CAST = "cast"
    """``x.half()``"""
    DTYPE = "dtype"
    """``torch.float16``"""
    TYPE = "type"
    """``torch.HalfTensor``"""
    TEXT = "text"
    """``torch_dtype="float16"``"""
    TYPE_TEXT = "text of a type"
    """``x.type() == "torch.cuda.HalfTensor"``"""


@dataclass(frozen=True)
class HalfPlace:
    """One place that asks for float16."""

    kind: Kind
    node: ast.expr
    """The call of a cast, else the name or the text."""

    @property
    def cast(self) -> ast.expr | None:
        """What a cast is called on."""
        if self.kind is Kind.CAST and isinstance(self.node, ast.Call) and isinstance(self.node.func, ast.Attribute):
            return self.node.func.value
        return None


def half_places(context: Context) -> Iterator[HalfPlace]:
    """The places whose float16 is computed in; not what is stored in it, nor what other rules speak of."""
    for node in context.module.of_type(ast.Call, ast.Constant, ast.Name, ast.Attribute):
        place = _place(context, node)
        # What is computed in the middle of a text is shown, and goes nowhere.
        if place is None or context.module.fstring(place.node) is not None or _is_stored(context, place.node):
            continue
        if is_compared(context, place) or not _is_exported(context, place.node):
            yield place


def choices(context: Context) -> Iterator[ast.expr]:
    """The places that choose between both: ``torch.bfloat16 if args.bf16 else torch.float16``."""
    for node in context.module.of_type(ast.IfExp):
        sides = [node.body, node.orelse]
        names = [context.resolve(side) for side in sides]
        if _BFLOAT16 in names:
            yield from (side for side, name in zip(sides, names, strict=True) if name in HALF)


def left_choices(context: Context) -> Iterator[ast.expr]:
    """The float16 of choices that may come to it on a TPU, and meet what becomes bfloat16."""
    for side in choices(context):
        choice = context.module.parents[side]
        test = choice.test if isinstance(choice, ast.IfExp) else None
        asked = context.resolve(test.func) if isinstance(test, ast.Call) else None
        if asked == "torch.cuda.is_bf16_supported" or is_for_autocast(context, side):
            continue
        if not _is_stored(context, side) and not _is_exported(context, side):
            yield side


def names_bfloat16(context: Context) -> ast.expr | None:
    """The first place that names bfloat16, which is another choice than float16 then; not the dtype of an autocast."""
    for node in context.module.of_type(ast.Name, ast.Attribute):
        if context.resolve(node) == _BFLOAT16 and not _is_alias(context, node) and not _is_anothers(context, node):
            return node
    return None


def from_bytes(context: Context) -> ast.expr | None:
    """The first place that reads float16 out of bytes, which stays what it is; None for no such."""
    found = (n for n in context.module.of_type(ast.Name, ast.Attribute) if _reads_bytes(context, n))
    return next(found, None)


def rewritten(context: Context, place: HalfPlace) -> tuple[Replace, tuple[Import, ...]]:
    """The edit that makes bfloat16 of a place, and the imports that it needs."""
    node = place.node
    if place.cast is not None:
        end = context.span(node).end
        return Replace(Span(context.span(place.cast).end, end), ".bfloat16()"), ()
    if isinstance(node, ast.Constant):
        quote = context.module.segment(node)[-1]
        text = "bfloat16"
        if place.kind is Kind.TYPE_TEXT:
            text = _type_texts(context)[str(node.value)]
        return Replace(context.span(node), f"{quote}{text}{quote}"), ()
    name = _TYPES[context.resolve(node) or ""] if place.kind is Kind.TYPE else "bfloat16"
    if is_running_sum(context, place):
        name = "float32"
    text, imports = context.spell(Symbol(_TORCH, name), node)
    return Replace(context.span(node), text), imports


def is_saving(context: Context, call: ast.Call) -> bool:
    """Whether a call writes what it is given to a file."""
    return context.resolve(call.func) in _SAVING


def is_running_sum(context: Context, place: HalfPlace) -> bool:
    """Whether a place makes what is added to in a loop: ``total = torch.zeros(1, dtype=torch.float16)``."""
    keyword = context.module.parents[place.node]
    call = context.module.parents[keyword]
    if not isinstance(keyword, ast.keyword) or not isinstance(call, ast.Call):
        return False
    statement = context.module.statement(call)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    home = context.names.home(target) if isinstance(target, ast.Name) else None
    if context.resolve(call.func) not in _FILLED or home is None or not isinstance(target, ast.Name):
        return False
    return any(
        isinstance(sum_ := context.module.parents[b.node], ast.AugAssign)
        and isinstance(sum_.op, ast.Add)
        and any(isinstance(p, LOOPS) for p in context.module.ancestors(sum_))
        for b in home.bindings[target.id]
    )


def is_compared(context: Context, place: HalfPlace) -> bool:
    """Whether a place only asks what a dtype is: ``x.dtype == torch.float16``."""
    parent = context.module.parents[place.node]
    if isinstance(parent, ast.Tuple | ast.List | ast.Set):
        parent = context.module.parents[parent]
    return isinstance(parent, ast.Compare)


def _place(context: Context, node: ast.AST) -> HalfPlace | None:
    if isinstance(node, ast.Call):
        func = node.func
        is_cast = isinstance(func, ast.Attribute) and func.attr == "half" and not node.args and not node.keywords
        is_cast = is_cast and context.resolve(func) is None and not _is_inherited(context, func)
        return HalfPlace(Kind.CAST, node) if is_cast else None
    if isinstance(node, ast.Constant):
        if _is_type_asked(context, node):
            return HalfPlace(Kind.TYPE_TEXT, node)
        return HalfPlace(Kind.TEXT, node) if _is_named(context, node) else None
    if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load):
        return None
    name = context.resolve(node)
    if name in _TYPES:
        return HalfPlace(Kind.TYPE, node) if _is_taken(context, node) else None
    if name not in HALF or _is_alias(context, node):
        return None
    if _is_anothers(context, node) or _is_beside_bfloat16(context, node) or _is_listed(context, node):
        return None
    return HalfPlace(Kind.DTYPE, node)


def _type_texts(context: Context) -> dict[str, str]:
    """What ``x.type()`` says of float16, and what it says of bfloat16 on the same device (torch_xla 2.9, measured).

    XP108 writes the device's name in the place of CUDA's, in this round or in an earlier conversion.
    """
    on_device = f"torch.{context.target.device_type}"
    there = f"{on_device}.BFloat16Tensor"
    return {
        "torch.HalfTensor": "torch.BFloat16Tensor",
        "torch.cuda.HalfTensor": there,
        f"{on_device}.HalfTensor": there,
    }


def _is_type_asked(context: Context, node: ast.Constant) -> bool:
    """``x.type() == "torch.cuda.HalfTensor"``, also among several."""
    if node.value not in _type_texts(context):
        return False
    parent = context.module.parents[node]
    if isinstance(parent, ast.Tuple | ast.List | ast.Set):
        parent = context.module.parents[parent]
    sides = [parent.left, *parent.comparators] if isinstance(parent, ast.Compare) else []
    asked = (side.func for side in sides if isinstance(side, ast.Call) and not side.args)
    return any(isinstance(func, ast.Attribute) and func.attr == "type" for func in asked)


def _is_taken(context: Context, node: ast.expr) -> bool:
    """Whether a tensor is made of a type or cast to it; no tensor is an instance of one, where it is on XLA."""
    call = context.module.parents[node]
    if not isinstance(call, ast.Call) or context.resolve(call.func) == "builtins.isinstance":
        return False
    return call.func is node or node in call.args


def _is_inherited(context: Context, func: ast.expr) -> bool:
    """``super().half()``, in a method of the same name."""
    called = func.value if isinstance(func, ast.Attribute) else None
    return isinstance(called, ast.Call) and context.resolve(called.func) == "builtins.super"


def _is_listed(context: Context, node: ast.expr) -> bool:
    """Whether it is one of many dtypes, integers among them: a table says what each of them is, and chooses none."""
    parent = context.module.parents[node]
    listed: list[ast.expr] = []
    if isinstance(parent, ast.Tuple | ast.List | ast.Set):
        listed = parent.elts
    elif isinstance(parent, ast.Dict):
        listed = parent.values if node in parent.values else [key for key in parent.keys if key is not None]
    return any(_WHOLE.fullmatch(context.resolve(other) or "") for other in listed)


def _is_alias(context: Context, node: ast.Name | ast.Attribute) -> bool:
    """``DTYPE`` of ``DTYPE = torch.float16``, which changes there."""
    return isinstance(node, ast.Name) and any(b.value is not None for b in context.names.bindings(node))


def _is_named(context: Context, node: ast.Constant) -> bool:
    """``from_pretrained(name, torch_dtype="float16")``."""
    keyword = context.module.parents[node]
    if node.value not in ("float16", "half") or not isinstance(keyword, ast.keyword) or keyword.arg not in _KEYWORDS:
        return False
    call = context.module.parents[keyword]
    return isinstance(call, ast.Call) and (context.resolve(call.func) or "").startswith(_NAMING)


def _is_anothers(context: Context, node: ast.expr) -> bool:
    """Whether XP502 or XP504 speaks of it: the dtype of an autocast, of the inputs of a function's own gradient."""
    parent = context.module.parents[node]
    call = context.module.parents[parent] if isinstance(parent, ast.keyword) else parent
    if not isinstance(call, ast.Call):
        return False
    if context.resolve(call.func) in AUTOCAST_OF_CUDA or is_autocast(context, call):
        return True
    return (context.resolve(call.func) or "").rpartition(".")[2] in _CUSTOM


def _is_beside_bfloat16(context: Context, node: ast.expr) -> bool:
    """``x.dtype in (torch.float16, torch.bfloat16)``, and keys of a table that has both: they are as they should be."""
    parent = context.module.parents[node]
    if isinstance(parent, ast.Tuple | ast.List | ast.Set):
        return any(context.resolve(other) == _BFLOAT16 for other in parent.elts)
    if isinstance(parent, ast.Dict) and node in parent.keys:
        return any(context.resolve(other) == _BFLOAT16 for other in parent.keys)
    if isinstance(parent, ast.IfExp):
        return _BFLOAT16 in (context.resolve(parent.body), context.resolve(parent.orelse))
    if isinstance(parent, ast.Compare):
        # `x.dtype == torch.float16 or x.dtype == torch.bfloat16`
        question = context.module.parents[parent]
        values = question.values if isinstance(question, ast.BoolOp) else []
        return any(
            isinstance(v, ast.Compare) and any(context.resolve(c) == _BFLOAT16 for c in v.comparators) for v in values
        )
    return False


def _is_stored(context: Context, node: ast.expr) -> bool:
    """Whether float16 is for the host, or for a file: ``x.half().cpu().numpy()``, ``torch.save(x.half(), f)``."""
    if _reads_bytes(context, node):
        return True
    call = node
    parent = context.module.parents[node]
    if not isinstance(node, ast.Call) and isinstance(parent, ast.Call) and node in parent.args:
        call = parent  # x.to(torch.float16)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return False
    behind = _methods_behind(context, call)
    if behind and behind[0] in _TO_HOST | _BACK:
        return True
    if _is_put_in_file(context, call) or _is_cast_for_file(context, call.func.value):
        return True
    if "cpu" in _methods_before(call.func.value) and not _TO_DEVICE.intersection(behind):
        return True
    for above in context.module.ancestors(call):
        if isinstance(above, ast.stmt):
            break
        if isinstance(above, ast.Call) and is_saving(context, above):
            return True
    return False


def _is_exported(context: Context, node: ast.expr) -> bool:
    """Whether a place stands in code that exports, or calls what does, and runs no steps: it is for another runtime."""
    function, own = context.module.function(node), context.view.own
    if any(context.module.function(loop.node) is function for loop in context.loops.all()):
        return False
    for call in context.module.calls:
        if context.module.function(call) is not function:
            continue
        run = context.flow.structure.run_by(own, call)
        there = [call] if run is None else [n for n in ast.walk(run.node) if isinstance(n, ast.Call)]
        names = own.names if run is None else run.facts.names
        exports = any(names.resolve(inner.func) in _EXPORTING for inner in there)
        if exports and not is_choice(context, call, context.module.ancestors(node)):
            return True
    return False


def _is_put_in_file(context: Context, cast: ast.expr) -> bool:
    """``weights[name] = value.half()``, ``weights = {name: value.half()}``, where ``weights`` is saved."""
    statement = context.module.statement(cast)
    if not isinstance(statement, ast.Assign):
        return False
    target = statement.targets[0]
    is_table = isinstance(statement.value, ast.Dict | ast.DictComp)
    kept = target.value if isinstance(target, ast.Subscript) else target if is_table else None
    if not isinstance(kept, ast.Name):
        return False
    home = context.names.home(kept)
    return home is not None and any(_is_saved(context, use) for use in context.names.uses(home, kept.id))


def _is_cast_for_file(context: Context, cast: ast.expr) -> bool:
    """``checkpoint["model"].half()``, of what is saved and not computed with."""
    if not isinstance(cast, ast.Subscript):
        return False
    root: ast.expr = cast
    while isinstance(root, ast.Subscript | ast.Attribute):
        root = root.value
    home = context.names.home(root) if isinstance(root, ast.Name) else None
    if home is None or not isinstance(root, ast.Name) or any(computed_by(context, cast)):
        return False
    return any(_is_saved(context, use) for use in context.names.uses(home, root.id))


def _is_saved(context: Context, use: ast.expr) -> bool:
    parent = context.module.parents[use]
    if isinstance(parent, ast.Dict):
        parent = context.module.parents[parent]
    return isinstance(parent, ast.Call) and is_saving(context, parent)


def _reads_bytes(context: Context, node: ast.expr) -> bool:
    """``data.view(torch.float16)``, ``torch.frombuffer(data, dtype=torch.float16)``."""
    parent = context.module.parents[node]
    call = context.module.parents[parent] if isinstance(parent, ast.keyword) else parent
    if not isinstance(call, ast.Call) or call.func is node or context.resolve(node) not in HALF:
        return False
    is_view = isinstance(call.func, ast.Attribute) and call.func.attr == "view" and context.resolve(call.func) is None
    return is_view or context.resolve(call.func) in _BYTES


def _methods_behind(context: Context, call: ast.expr) -> list[str]:
    """``["cpu", "numpy"]`` of ``call.cpu().numpy()``."""
    found: list[str] = []
    while isinstance(method := context.module.parents[call], ast.Attribute):
        outer = context.module.parents[method]
        if not isinstance(outer, ast.Call) or outer.func is not method:
            break
        found.append(method.attr)
        call = outer
    return found


def _methods_before(node: ast.expr) -> list[str]:
    found: list[str] = []
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        found.append(node.func.attr)
        node = node.func.value
    return found
