"""What is known of a data loader: where it is made, with which options, and what its dataset does."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.names import How
from xlaport.facts.origins import Origins
from xlaport.facts.program import Facts
from xlaport.facts.reach import Spot
from xlaport.facts.structure import structure_of
from xlaport.facts.vocabulary import LOADERS, PASSING_WRAPPERS

from .saying import say

Options = dict[str, list[Spot]]
"""The arguments of a call by name, each with all the values that it may have."""

ITERATING = frozenset({"builtins.zip", "builtins.iter", "builtins.next", "itertools.islice", "itertools.cycle"})
_BARS = PASSING_WRAPPERS - ITERATING
_TRANSPARENT = _BARS | {"builtins.enumerate"}
"""Callables that go once through a loader, from its start to its end."""

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

    @property
    def doubts(self) -> list[str]:
        """What to check or change before it is iterated in the background."""
        found = []
        if not self.in_memory:
            found.append(say.phrase("XP202.errors"))
        if not self.quiet:
            found.append(say.phrase("XP202.draws"))
        return found


def origins(context: Context, node: ast.expr) -> list[Spot] | None:
    """The expressions, in any file, that the value of an expression in this one may come from."""
    return Origins(context.flow.structure).of(context.view.own, node)


def iterated(context: Context, node: ast.For) -> ast.expr:
    """The loader of a loop, under ``enumerate`` and a progress bar: these only ask it for its length."""
    iterable = node.iter
    while True:
        if isinstance(iterable, ast.Name) and (bar := _bar(context, node, iterable)) is not None:
            iterable = bar
        if not isinstance(iterable, ast.Call) or not iterable.args:
            return iterable
        if context.resolve(iterable.func) not in _TRANSPARENT:
            return iterable
        iterable = iterable.args[0]


def _bar(context: Context, node: ast.For, name: ast.Name) -> ast.expr | None:
    """The progress bar, ``bar = tqdm(loader)``, which was made in the block of a loop that alone goes through it."""
    found = context.names.reaching(name)
    bar = found[0].value if len(found) == 1 and found[0].how in (How.ASSIGN, How.WITH) else None
    if not isinstance(bar, ast.Call) or not bar.args or context.resolve(bar.func) not in _BARS:
        return None
    making, block = context.module.statement(bar), context.module.block(node)
    if block != (making.body if isinstance(making, ast.With) else context.module.block(making)):
        return None
    home = context.names.home(name)
    uses = context.names.uses(home, name.id) if home is not None else []
    others = [use for use in uses if found[0] in context.names.reaching(use) and not _is_shown(context, use)]
    return bar if others == [name] else None


def _is_shown(context: Context, bar: ast.Name) -> bool:
    """``bar.set_postfix(…)``, there or in what shows it behind the step."""
    parent = context.module.parents[bar]
    if isinstance(parent, ast.Tuple):
        handed = context.module.parents[parent]
        call = context.module.parents[handed]
        closure = context.target.symbol("add_step_closure").qualified
        return isinstance(handed, ast.keyword) and isinstance(call, ast.Call) and context.resolve(call.func) == closure
    return isinstance(parent, ast.Attribute)


def made(context: Context, node: ast.expr) -> list[tuple[Spot, Options]] | None:
    """The calls that make the loader that an expression stands for, with their options; None unless all are in sight.

    Seen through the wrapper that brings batches to the device, and through progress bars.
    """
    calls = origins(context, node)
    inspection = _Inspection(context)
    found: list[tuple[Spot, Options]] = []
    for spot in [inner for call in calls or [] for inner in _behind_wrapper(context, call)]:
        if not isinstance(spot.node, ast.Call) or spot.facts.names.resolve(spot.node.func) not in LOADERS:
            return None
        options = inspection.arguments(spot.facts, spot.node)
        if options is None:
            return None
        found.append((spot, options))
    return found or None


def _behind_wrapper(context: Context, spot: Spot, seen: tuple[ast.expr, ...] = ()) -> list[Spot]:
    """What makes the loader that is wrapped for the device, or in a progress bar; the call itself, where none is."""
    if spot.node in seen:
        return []  # wrapped again in the next pass: `loader = tqdm(loader)`
    if not isinstance(spot.node, ast.Call) or not spot.node.args:
        return [spot]
    if spot.facts.names.resolve(spot.node.func) not in context.target.loaders | _BARS:
        return [spot]
    inner = Origins(context.flow.structure).of(spot.facts, spot.node.args[0])
    if inner is None:
        return [spot]
    return [b for each in inner for b in _behind_wrapper(context, each, (*seen, spot.node))]


def plain_loader(context: Context, node: ast.expr) -> PlainLoader | None:
    """What is known of the loader that an expression stands for; None unless it is plain for certain."""
    calls = origins(context, node)
    if not calls:
        return None
    inspection = _Inspection(context)
    in_memory = quiet = True
    for spot in calls:
        if not isinstance(spot.node, ast.Call) or spot.facts.names.resolve(spot.node.func) not in LOADERS:
            return None
        options = inspection.arguments(spot.facts, spot.node)
        if options is None or not _batches_by_default(options):
            return None
        datasets = options.get("dataset", [])
        in_memory = in_memory and bool(datasets) and all(inspection.is_in_memory(d) for d in datasets)
        quiet = quiet and (_has_workers(options) or (bool(datasets) and all(inspection.is_quiet(d) for d in datasets)))
    return PlainLoader(in_memory, quiet)


def _batches_by_default(options: Options) -> bool:
    for name in ("collate_fn", "batch_sampler"):
        if not all(_is_none(spot.node) for spot in options.get(name, [])):
            return False
    return not any(_is_none(spot.node) for spot in options.get("batch_size", []))


def _has_workers(options: Options) -> bool:
    counts = [spot.node for spot in options.get("num_workers", [])]
    return bool(counts) and all(
        isinstance(c, ast.Constant) and isinstance(c.value, int) and c.value > 0 for c in counts
    )


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _parts(node: ast.expr) -> list[ast.expr]:
    return list(node.elts) if isinstance(node, ast.List | ast.Tuple) else [node]


def _transforms(call: ast.Call) -> Iterable[ast.expr]:
    yield from call.args[2:]
    for keyword in call.keywords:
        if keyword.arg is None or keyword.arg.endswith(("transform", "transforms")):
            yield keyword.value


class _Inspection:
    """Looks at what a loader is made of."""

    def __init__(self, context: Context) -> None:
        self.origins = Origins(structure_of(context.view))

    # -- datasets --------------------------------------------------------------------------------------

    def is_in_memory(self, spot: Spot, depth: int = 0) -> bool:
        """Whether all samples of a dataset are in memory."""
        found = self.origins.of(spot.facts, spot.node)
        if not found or depth > _MAX_DEPTH:
            return False
        for value in found:
            name = self._called(value)
            if name in _PARTS and isinstance(value.node, ast.Call):
                parts = [Spot(value.facts, p) for a in value.node.args[:1] for p in _parts(a)]
                if not parts or not all(self.is_in_memory(part, depth + 1) for part in parts):
                    return False
            elif name not in _IN_MEMORY and name != _TENSOR_DATASET:
                return False
        return True

    def is_quiet(self, spot: Spot, depth: int = 0) -> bool:
        """Whether reading a sample of a dataset draws no random number."""
        found = self.origins.of(spot.facts, spot.node)
        if not found or depth > _MAX_DEPTH:
            return False
        for value in found:
            name, node = self._called(value), value.node
            if name == _TENSOR_DATASET:
                continue
            if name in _PARTS and isinstance(node, ast.Call) and node.args:
                if not all(self.is_quiet(Spot(value.facts, part), depth + 1) for part in _parts(node.args[0])):
                    return False
            elif name not in _IN_MEMORY or name in _DRAWING or not isinstance(node, ast.Call):
                return False
            elif len(node.args) > 3 or not all(self._is_fixed(Spot(value.facts, t)) for t in _transforms(node)):
                return False
        return True

    def _is_fixed(self, spot: Spot, depth: int = 0) -> bool:
        """Whether a transform gives the same result each time."""
        found = self.origins.of(spot.facts, spot.node)
        if not found or depth > _MAX_DEPTH:
            return False
        for value in found:
            node = value.node
            if _is_none(node):
                continue
            if isinstance(node, ast.List | ast.Tuple):
                if not all(self._is_fixed(Spot(value.facts, element), depth + 1) for element in node.elts):
                    return False
            elif not isinstance(node, ast.Call) or self._called(value) not in _FIXED_TRANSFORMS:
                return False
            elif (self._called(value) or "").endswith(("Compose", "Sequential")):
                if not all(self._is_fixed(Spot(value.facts, argument), depth + 1) for argument in node.args):
                    return False
        return True

    def _called(self, spot: Spot) -> str | None:
        return spot.facts.names.resolve(spot.node.func) if isinstance(spot.node, ast.Call) else None

    # -- arguments -------------------------------------------------------------------------------------

    def arguments(self, facts: Facts, call: ast.Call) -> Options | None:
        """The arguments of a loader's call, those in ``**options`` included; None where some are out of sight."""
        if len(call.args) > len(_POSITIONS) or any(isinstance(a, ast.Starred) for a in call.args):
            return None
        found: Options = {name: [Spot(facts, value)] for name, value in zip(_POSITIONS, call.args, strict=False)}
        for keyword in call.keywords:
            if keyword.arg is not None:
                found[keyword.arg] = [Spot(facts, keyword.value)]
                continue
            more = self._options(facts, keyword.value, 0)
            if more is None:
                return None
            _merge(found, more)
        return found

    def _options(self, facts: Facts, node: ast.expr, depth: int) -> Options | None:
        """The items that a dict of options may have."""
        if depth > _MAX_DEPTH:
            return None
        if isinstance(node, ast.IfExp):
            parts = [self._options(facts, branch, depth + 1) for branch in (node.body, node.orelse)]
        elif isinstance(node, ast.Name):
            parts = self._named_options(facts, node, depth)
        elif isinstance(node, ast.Call) and facts.names.resolve(node.func) == "builtins.dict" and not node.args:
            parts = [
                self._options(facts, k.value, depth + 1) if k.arg is None else {k.arg: [Spot(facts, k.value)]}
                for k in node.keywords
            ]
        elif isinstance(node, ast.Dict):
            parts = [self._item(facts, k, v, depth) for k, v in zip(node.keys, node.values, strict=True)]
        else:
            return None
        found: Options = {}
        for part in parts:
            if part is None:
                return None
            _merge(found, part)
        return found

    def _item(self, facts: Facts, key: ast.expr | None, value: ast.expr, depth: int) -> Options | None:
        if key is None:
            return self._options(facts, value, depth + 1)
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            return {key.value: [Spot(facts, value)]}
        return None

    def _named_options(self, facts: Facts, node: ast.Name, depth: int) -> list[Options | None]:
        """The items of a dict that has a name, with all that is put into it under that name."""
        home = facts.names.home(node)
        if home is None:
            return [None]
        parts = [
            self._options(facts, b.value, depth + 1) if b.how is How.ASSIGN and b.value is not None else None
            for b in facts.names.bindings(node)
        ]
        for use in facts.names.uses(home, node.id):
            parent = facts.module.parents[use]
            outer = facts.module.parents[parent]
            if (
                isinstance(parent, ast.Subscript)
                and isinstance(parent.ctx, ast.Store)
                and isinstance(outer, ast.Assign)
            ):
                parts.append(self._item(facts, parent.slice, outer.value, depth))
            elif isinstance(parent, ast.Attribute) and isinstance(outer, ast.Call) and outer.func is parent:
                added = parent.attr == "update" and not outer.keywords and len(outer.args) == 1
                parts.append(self._options(facts, outer.args[0], depth + 1) if added else None)
            elif not (isinstance(parent, ast.keyword) and parent.arg is None) and not _reads_only(parent):
                parts.append(None)
        return parts


def _merge(found: Options, more: Options) -> None:
    for name, candidates in more.items():
        found.setdefault(name, []).extend(candidates)


def _reads_only(parent: ast.AST) -> bool:
    """``print(options)``, ``other.update(options)``, ``options["x"]``."""
    if isinstance(parent, ast.Subscript):
        return isinstance(parent.ctx, ast.Load)
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Attribute):
        return parent.func.attr == "update"
    return isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id == "print"
