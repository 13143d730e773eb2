"""What is known of a data loader: where it is made, with which options, and what its dataset does."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from xlaport.analysis.value import LOADER
from xlaport.context import Context
from xlaport.facts.loaders import Loader, loaders_of
from xlaport.facts.names import How
from xlaport.facts.origins import Origins
from xlaport.facts.spot import Spot
from xlaport.facts.structure import structure_of
from xlaport.facts.vocabulary import PASSING_WRAPPERS

from ..step_closures import hands_closure
from .saying import say

ITERATING = frozenset({"builtins.zip", "builtins.iter", "builtins.next", "itertools.islice", "itertools.cycle"})
_BARS = PASSING_WRAPPERS - ITERATING
_TRANSPARENT = _BARS | {"builtins.enumerate"}
"""Callables that go once through a loader, from its start to its end."""

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
        return isinstance(handed, ast.keyword) and isinstance(call, ast.Call) and hands_closure(context, call)
    return isinstance(parent, ast.Attribute)


def plain_loader(context: Context, node: ast.expr) -> PlainLoader | None:
    """What is known of the loader that an expression stands for; None unless it is plain for certain."""
    calls = {spot.node for spot in origins(context, node) or ()}
    value = context.flow.structure.value(context.view.own, node)
    found = loaders_of(context.flow.structure, context.view.own, node)
    if value is None or value.type != LOADER or len(found) < len(value.objects):
        return None
    if not calls.issuperset(loader.node for loader in found):
        return None
    inspection = _Inspection(context)
    in_memory = quiet = True
    for loader in found:
        if not _batches_by_default(loader):
            return None
        datasets = loader.spots("dataset")
        in_memory = in_memory and bool(datasets) and all(inspection.is_in_memory(d) for d in datasets)
        quiet = quiet and (_has_workers(loader) or (bool(datasets) and all(inspection.is_quiet(d) for d in datasets)))
    return PlainLoader(in_memory, quiet) if found else None


def _batches_by_default(loader: Loader) -> bool:
    has_size = "batch_size" not in loader.given or loader.has("batch_size")
    return has_size and not loader.has("collate_fn") and not loader.has("batch_sampler")


def _has_workers(loader: Loader) -> bool:
    count = loader.given["num_workers"].constant if "num_workers" in loader.given else None
    return isinstance(count, int) and count > 0


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
