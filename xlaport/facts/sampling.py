"""What makes the samples of datasets, on the host: their methods, what is mapped over them, what makes batches."""

from __future__ import annotations

import ast

from xlaport.facts.collating import Collating
from xlaport.facts.module import FunctionNode
from xlaport.facts.program import Facts
from xlaport.facts.structure import Class, Function, Structure
from xlaport.facts.vocabulary import DATASET_BASES, DTYPES, MOVING_METHODS

_DATASETS = DATASET_BASES | frozenset(
    f"torch.utils.data.{name}" for name in ("IterableDataset", "IterDataPipe", "MapDataPipe", "datapipes.iter.Mapper")
)
_MAPPING = frozenset("map map_ignore_error with_transform set_transform then filter".split())
"""Methods of datasets that take a function of samples."""
_PARTIAL = "functools.partial"
_MAX_DEPTH = 4


class Sampling:
    """Answers `makes_samples` for the code of a project."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self._collating = Collating(structure)
        self._known: dict[ast.AST, bool] = {}

    def makes_samples(self, facts: Facts, node: ast.AST) -> bool:
        """Whether code runs for samples, before there are batches: nothing that it has is on a device yet."""
        function = facts.module.function(node)
        if function is None or any(_moves(facts, n) for n in ast.walk(function)):
            return False
        return self._makes(Function(facts, function), 0)

    def _makes(self, function: Function, depth: int) -> bool:
        if function.node not in self._known:
            self._known[function.node] = False  # what calls itself only is called by nobody
            self._known[function.node] = depth <= _MAX_DEPTH and self._found(function, depth)
        return self._known[function.node]

    def _found(self, function: Function, depth: int) -> bool:
        facts, node = function.facts, function.node
        owner = facts.module.parents[node]
        if isinstance(owner, ast.ClassDef):
            return self.structure.derives(Class(facts, owner), _DATASETS)
        if not isinstance(node, ast.FunctionDef) or owner is not facts.module.tree:
            return False
        uses: list[tuple[Facts, ast.expr]] = [(facts, use) for use in facts.names.uses(facts.names.root, node.name)]
        uses += self.structure.references(facts, node.name)
        if not uses or self.structure.is_everywhere(facts, node.name):
            return False
        return all(self._is_for_samples(function, where, use, depth) for where, use in uses)

    def _is_for_samples(self, function: Function, facts: Facts, use: ast.expr, depth: int) -> bool:
        """Whether a use of a function hands it to a dataset, or stands in what makes samples."""
        parent = facts.module.parents[use]
        is_called = isinstance(parent, ast.Call) and parent.func is use
        if not is_called and self._collating.all_of(function.facts, function.node):
            return True
        if isinstance(parent, ast.Call):
            if is_called:
                around = facts.module.function(parent)
                if around is not None and self._collating.loader_of(facts, around) is not None:
                    return True
                return isinstance(around, FunctionNode) and self._makes(Function(facts, around), depth + 1)
            if facts.names.resolve(parent.func) == _PARTIAL:
                return self._is_for_samples(function, facts, parent, depth)
            if isinstance(parent.func, ast.Attribute) and parent.func.attr in _MAPPING:
                return True
            owner = self.structure.class_named(facts, parent.func)
            return owner is not None and self.structure.derives(owner, _DATASETS)
        if isinstance(parent, ast.Assign) and parent.value is use and isinstance(parent.targets[0], ast.Name):
            loads = facts.names.uses_of(parent.targets[0])
            return bool(loads) and all(self._is_for_samples(function, facts, load, depth + 1) for load in loads)
        return False


def _moves(facts: Facts, node: ast.AST) -> bool:
    """``x.to(device)``, ``x.cuda()`` and ``device=device``."""
    if isinstance(node, ast.keyword):
        return node.arg == "device"
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    is_type = node.func.attr == "to" and all(facts.names.resolve(a) in DTYPES for a in node.args)
    return node.func.attr in MOVING_METHODS and not is_type
