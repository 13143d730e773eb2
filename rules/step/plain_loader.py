"""What is known of a data loader: where it is made, with which options, and what its dataset does."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.module import FunctionNode, walk_block
from xlaport.facts.names import Binding, How
from xlaport.facts.vocabulary import LOADERS

Options = dict[str, list[ast.expr]]
"""The arguments of a call by name, each with all the values that it may have."""

_POSITIONS = ("dataset", "batch_size", "shuffle", "sampler", "batch_sampler", "num_workers", "collate_fn")

_TORCHVISION = "torchvision.datasets."
_IN_MEMORY = frozenset(
    f"{_TORCHVISION}{name}"
    for name in "MNIST FashionMNIST KMNIST EMNIST QMNIST USPS SVHN CIFAR10 CIFAR100 STL10 FakeData".split()
)
"""Datasets that hold all samples in memory (or compute them) and yield pairs of an image and a label."""

_DRAWING = frozenset({f"{_TORCHVISION}FakeData"})
"""Of these, the ones that use torch's random numbers for each sample."""

_TENSOR_DATASET = "torch.utils.data.TensorDataset"
_PARTS = frozenset({"torch.utils.data.Subset", "torch.utils.data.random_split", "torch.utils.data.ConcatDataset"})

_FIXED_TRANSFORMS = frozenset(
    f"torchvision.transforms.{version}{name}"
    for version in ("", "v2.")
    for name in (
        "ToTensor PILToTensor ToImage ToDtype Normalize Resize CenterCrop Grayscale ConvertImageDtype Pad Compose "
        "Identity"
    ).split()
) | frozenset({"torch.nn.Sequential", "torch.nn.Identity"})
"""Transforms that draw no random numbers. Source: torchvision 0.24."""

_MAX_DEPTH = 8


@dataclass(frozen=True)
class PlainLoader:
    """A loader whose every origin is a `DataLoader` call with the default batching."""

    in_memory: bool
    """Its dataset is known to yield tuples of tensors from memory: no sample can fail to load."""
    quiet: bool
    """Iterating it draws no random numbers on the host beside the main thread."""


def plain_loader(context: Context, node: ast.expr) -> PlainLoader | None:
    """What is known of the loader that an expression stands for; None unless it is plain for certain."""
    calls = values(context, node)
    if not calls:
        return None
    in_memory = quiet = True
    for call in calls:
        if not isinstance(call, ast.Call) or context.resolve(call.func) not in LOADERS:
            return None
        options = arguments(context, call)
        if options is None or not _batches_by_default(options):
            return None
        datasets = options.get("dataset", [])
        in_memory = in_memory and bool(datasets) and all(_is_in_memory(context, d) for d in datasets)
        quiet = quiet and (_has_workers(options) or (bool(datasets) and all(_is_quiet(context, d) for d in datasets)))
    return PlainLoader(in_memory, quiet)


def _batches_by_default(options: Options) -> bool:
    for name in ("collate_fn", "batch_sampler"):
        if not all(_is_none(value) for value in options.get(name, [])):
            return False
    return not any(_is_none(value) for value in options.get("batch_size", []))


def _has_workers(options: Options) -> bool:
    counts = options.get("num_workers", [])
    return bool(counts) and all(
        isinstance(c, ast.Constant) and isinstance(c.value, int) and c.value > 0 for c in counts
    )


# -- datasets ------------------------------------------------------------------------------------------


def _is_in_memory(context: Context, node: ast.expr, depth: int = 0) -> bool:
    found = values(context, node)
    if not found or depth > _MAX_DEPTH:
        return False
    for value in found:
        name = context.resolve(value.func) if isinstance(value, ast.Call) else None
        if name in _PARTS:
            assert isinstance(value, ast.Call)
            if not value.args or not all(_is_in_memory(context, part, depth + 1) for part in _parts(value.args[0])):
                return False
        elif name not in _IN_MEMORY and name != _TENSOR_DATASET:
            return False
    return True


def _is_quiet(context: Context, node: ast.expr, depth: int = 0) -> bool:
    """Whether reading a sample of a dataset draws no random number."""
    found = values(context, node)
    if not found or depth > _MAX_DEPTH:
        return False
    for value in found:
        name = context.resolve(value.func) if isinstance(value, ast.Call) else None
        assert not name or isinstance(value, ast.Call)
        if name == _TENSOR_DATASET:
            continue
        if name in _PARTS and isinstance(value, ast.Call) and value.args:
            if not all(_is_quiet(context, part, depth + 1) for part in _parts(value.args[0])):
                return False
        elif name not in _IN_MEMORY or name in _DRAWING or not isinstance(value, ast.Call):
            return False
        elif len(value.args) > 3 or not all(_is_fixed(context, t) for t in _transforms(value)):
            return False
    return True


def _parts(node: ast.expr) -> list[ast.expr]:
    return list(node.elts) if isinstance(node, ast.List | ast.Tuple) else [node]


def _transforms(call: ast.Call) -> Iterable[ast.expr]:
    yield from call.args[2:]
    for keyword in call.keywords:
        if keyword.arg is None or keyword.arg.endswith(("transform", "transforms")):
            yield keyword.value


def _is_fixed(context: Context, node: ast.expr, depth: int = 0) -> bool:
    """Whether a transform gives the same result each time."""
    found = values(context, node)
    if not found or depth > _MAX_DEPTH:
        return False
    for value in found:
        if _is_none(value):
            continue
        if isinstance(value, ast.List | ast.Tuple):
            if not all(_is_fixed(context, element, depth + 1) for element in value.elts):
                return False
        elif not isinstance(value, ast.Call) or context.resolve(value.func) not in _FIXED_TRANSFORMS:
            return False
        elif (context.resolve(value.func) or "").endswith(("Compose", "Sequential")):
            if not all(_is_fixed(context, argument, depth + 1) for argument in value.args):
                return False
    return True


# -- where values come from ----------------------------------------------------------------------------


def values(context: Context, node: ast.expr, depth: int = 0) -> list[ast.expr] | None:
    """The expressions that an expression's value may come from, through names, parameters and returns."""
    if depth > _MAX_DEPTH:
        return None
    if isinstance(node, ast.IfExp):
        return _joined([values(context, node.body, depth + 1), values(context, node.orelse, depth + 1)])
    if isinstance(node, ast.Name):
        bindings = context.names.reaching(node)
        return _joined([_bound(context, binding, depth + 1) for binding in bindings]) if bindings else None
    if isinstance(node, ast.Call):
        function = context.names.function_called(node)
        if function is not None:
            return _joined([values(context, value, depth + 1) for value in _returned(function)])
    return [node]


def _bound(context: Context, binding: Binding, depth: int) -> list[ast.expr] | None:
    if binding.how is How.ASSIGN and binding.value is not None:
        return values(context, binding.value, depth)
    if binding.how is How.UNPACK and isinstance(binding.value, ast.Call):
        return _unpacked(context, binding, binding.value, depth)
    if binding.how is How.PARAMETER:
        return _passed(context, binding, depth)
    return None


def _unpacked(context: Context, binding: Binding, call: ast.Call, depth: int) -> list[ast.expr] | None:
    """One element of ``a, b = f()``."""
    function = context.names.function_called(call)
    if function is None:
        return [call] if context.resolve(call.func) in _PARTS else None
    target = context.module.parents[binding.node]
    if not isinstance(target, ast.Tuple | ast.List) or not isinstance(binding.node, ast.expr):
        return None
    index = target.elts.index(binding.node)
    found: list[list[ast.expr] | None] = []
    for value in _returned(function):
        fits = isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts)
        found.append(values(context, value.elts[index], depth) if fits and isinstance(value, ast.Tuple) else None)
    return _joined(found)


def _passed(context: Context, binding: Binding, depth: int) -> list[ast.expr] | None:
    function = context.module.parents[context.module.parents[binding.node]]
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    calls = context.roles.calls_to(function)
    passed = [context.roles.argument_for(call, function, binding.name) for call in calls]
    if not passed or _is_taken_as_a_value(context, function):
        return None
    return _joined([values(context, value, depth) if value is not None else None for value in passed])


def _is_taken_as_a_value(context: Context, function: FunctionNode) -> bool:
    """Whether a function is handed on, so that some of its calls are out of sight."""
    home = context.names.scope(function)
    return any(
        not (isinstance(call := context.module.parents[use], ast.Call) and call.func is use)
        for use in context.names.uses(home, function.name)
    )


def _returned(function: FunctionNode) -> list[ast.expr]:
    return [n.value for n in walk_block(function.body) if isinstance(n, ast.Return) and n.value is not None]


def _joined(found: list[list[ast.expr] | None]) -> list[ast.expr] | None:
    result: list[ast.expr] = []
    for part in found:
        if part is None:
            return None
        result += [value for value in part if value not in result]
    return result


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


# -- arguments -----------------------------------------------------------------------------------------


def arguments(context: Context, call: ast.Call) -> Options | None:
    """The arguments of a loader's call, those in ``**options`` included; None where some are out of sight."""
    if len(call.args) > len(_POSITIONS) or any(isinstance(a, ast.Starred) for a in call.args):
        return None
    found: Options = {name: [value] for name, value in zip(_POSITIONS, call.args, strict=False)}
    for keyword in call.keywords:
        if keyword.arg is not None:
            found[keyword.arg] = [keyword.value]
            continue
        more = _options(context, keyword.value, 0)
        if more is None:
            return None
        _merge(found, more)
    return found


def _merge(found: Options, more: Options) -> None:
    for name, candidates in more.items():
        found.setdefault(name, []).extend(candidates)


def _options(context: Context, node: ast.expr, depth: int) -> Options | None:
    """The items that a dict of options may have."""
    if depth > _MAX_DEPTH:
        return None
    found: Options = {}
    if isinstance(node, ast.IfExp):
        parts = [_options(context, node.body, depth + 1), _options(context, node.orelse, depth + 1)]
    elif isinstance(node, ast.Name):
        return _named_options(context, node, depth)
    elif isinstance(node, ast.Call) and context.resolve(node.func) == "builtins.dict" and not node.args:
        parts = [_options(context, k.value, depth + 1) if k.arg is None else {k.arg: [k.value]} for k in node.keywords]
    elif isinstance(node, ast.Dict):
        parts = [_item(context, k, v, depth) for k, v in zip(node.keys, node.values, strict=True)]
    else:
        return None
    for part in parts:
        if part is None:
            return None
        _merge(found, part)
    return found


def _item(context: Context, key: ast.expr | None, value: ast.expr, depth: int) -> Options | None:
    if key is None:
        return _options(context, value, depth + 1)
    return {key.value: [value]} if isinstance(key, ast.Constant) and isinstance(key.value, str) else None


def _named_options(context: Context, node: ast.Name, depth: int) -> Options | None:
    """The items of a dict that has a name, with all that is put into it under that name."""
    home = context.names.home(node)
    if home is None:
        return None
    parts = [
        _options(context, b.value, depth + 1) if b.how is How.ASSIGN and b.value is not None else None
        for b in context.names.bindings(node)
    ]
    for use in context.names.uses(home, node.id):
        parent = context.module.parents[use]
        outer = context.module.parents[parent]
        if isinstance(parent, ast.Subscript) and isinstance(parent.ctx, ast.Store) and isinstance(outer, ast.Assign):
            parts.append(_item(context, parent.slice, outer.value, depth))
        elif isinstance(parent, ast.Attribute) and isinstance(outer, ast.Call) and outer.func is parent:
            added = parent.attr == "update" and not outer.keywords and len(outer.args) == 1
            parts.append(_options(context, outer.args[0], depth + 1) if added else None)
        elif not (isinstance(parent, ast.keyword) and parent.arg is None) and not _reads_only(parent):
            parts.append(None)
    found: Options = {}
    for part in parts:
        if part is None:
            return None
        _merge(found, part)
    return found


def _reads_only(parent: ast.AST) -> bool:
    """``print(options)``, ``other.update(options)``, ``options["x"]``."""
    if isinstance(parent, ast.Subscript):
        return isinstance(parent.ctx, ast.Load)
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Attribute):
        return parent.func.attr == "update"
    return isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id == "print"
