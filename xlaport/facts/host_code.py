"""Code that runs on the host alone: a program under ``if __name__ == "__main__":`` that puts nothing on a device.

A module that others import has functions for their tensors, which may lie on a device, and often a small test of its
own under its main guard. That program is the guard, and the functions and classes of the file that nothing else uses.
It stays on the host where neither it nor what it uses in any file speaks of a device, and all that it uses is known.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cached_property

from xlaport.facts.default_device import is_chosen
from xlaport.facts.device_choice import chooses_device
from xlaport.facts.main_guards import main_guard
from xlaport.facts.module import FunctionNode, imported_modules, last_name
from xlaport.facts.names import Names
from xlaport.facts.program import Facts
from xlaport.facts.used_code import DEFINING, runs_at_import, used

_ASKS = "torch.cuda.is_available"
_SEEDS = frozenset({"torch.manual_seed", "torch.cuda.manual_seed", "torch.cuda.manual_seed_all"})
_XLA = "torch_xla"
_PLACES = re.compile("device|loader|launch|spawn|mesh|spmd", re.IGNORECASE)
"""What is in the names of those of its functions that put something on a device."""
_LOADS = frozenset({"torch.load", "torch.jit.load"})
_PLAIN_PACKAGES = frozenset(
    "torch torchvision torchaudio torchtext timm numpy scipy PIL cv2 matplotlib seaborn tqdm sklearn skimage pandas "
    "yaml einops imageio imutils h5py lmdb nltk pytest tensorboard tensorboardX builtins torch_xla".split()
) | (sys.stdlib_module_names - {"importlib", "runpy", "imp"})
"""Packages that put nothing on a device by themselves."""
_BY_NAME = frozenset(f"builtins.{name}" for name in "eval exec __import__ globals vars locals".split())
"""What finds code by a text."""


def host_code_of(facts: Facts) -> HostCode:
    """The code of a file that runs on the host alone."""
    return facts.once("host code", lambda: HostCode(facts))


def seeds_only(names: Names, statement: ast.AST) -> bool:
    """``if torch.cuda.is_available(): torch.cuda.manual_seed(42)``: what uses no device by itself."""
    if isinstance(statement, ast.If):
        asks = isinstance(statement.test, ast.Call) and names.resolve(statement.test.func) == _ASKS
        return asks and not statement.orelse and all(seeds_only(names, s) for s in statement.body)
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and names.resolve(call.func) in _SEEDS


class HostCode:
    """Questions about what runs on the host alone. See `host_code_of`."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.module = facts.module

    def runs(self, node: ast.AST) -> bool:
        """Whether a node runs on the host, whatever the rest of the file does."""
        if not self._statements:
            return False
        around = [node, *self.module.ancestors(node)]
        return len(around) > 1 and around[-2] in self._statements

    @cached_property
    def is_all(self) -> bool:
        """Whether nothing of the file runs elsewhere."""
        return bool(self._statements) and all(
            statement in self._statements or isinstance(statement, ast.Import | ast.ImportFrom)
            for statement in self.module.tree.body
        )

    @cached_property
    def _statements(self) -> frozenset[ast.stmt]:
        """The statements at the top of the file that run on the host alone."""
        guard = main_guard(self.module)
        if guard is None or guard.orelse:
            return frozenset()
        body = self.module.tree.body
        first = [s for s in body if s is guard or runs_at_import(s)]
        if is_chosen(self.facts) or any(
            _speaks(self.facts, n) for s in (guard, *first) for n in _that_count(self.facts, s)
        ):
            return frozenset()
        for facts, node in used(self.facts, first):
            # What else an import of another file runs gives nothing to this one.
            speaks = _speaks if isinstance(node, DEFINING) else _chooses
            if any(speaks(facts, inner) for inner in _that_count(facts, node)):
                return frozenset()
        return self._with_what_only_they_use({guard} if self.facts.view.importers else set(first))

    def _with_what_only_they_use(self, found: set[ast.stmt]) -> frozenset[ast.stmt]:
        """Some statements, and the definitions at the top of the file that nothing else uses."""
        names, view = self.facts.names, self.facts.view
        todo = [s for s in self.module.tree.body if isinstance(s, DEFINING) and self._is_plain(s)]
        tops = {statement.name: statement for statement in todo}
        elsewhere = set() if view.is_alone else view.program.used_elsewhere(self.facts.file, tops)
        changed = True
        while changed:
            changed = False
            for name, statement in tops.items():
                uses = [[use, *self.module.ancestors(use)][-2] for use in names.uses(names.root, name)]
                if statement in found or name in elsewhere or set(uses) <= {statement}:
                    continue
                if len(names.root.bindings[name]) == 1 and all(use in found or use is statement for use in uses):
                    found.add(statement)
                    changed = True
        return frozenset(found)

    def _is_plain(self, statement: ast.AST) -> bool:
        """Whether a definition is in nobody's register; of a file that is alone, one which is given nothing."""
        decorated = getattr(statement, "decorator_list", [])
        if not all((self.facts.names.resolve(d) or "").startswith(("torch.", "functools.")) for d in decorated):
            return False
        return not (self.facts.view.is_alone and isinstance(statement, FunctionNode) and _takes_something(statement))


def _that_count(facts: Facts, statement: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a statement, but for what does nothing by itself.

    That are the seeds of a GPU, imports of what is for XLA, and the names of options, which count where they are read.
    """
    todo = [statement]
    while todo:
        node = todo.pop()
        is_import = isinstance(node, ast.Import | ast.ImportFrom) and all(map(_is_for_xla, imported_modules(node)))
        if is_import or seeds_only(facts.names, node):
            continue
        yield node
        is_option = isinstance(node, ast.Call) and last_name(node.func) == "add_argument"
        todo += [child for child in ast.iter_child_nodes(node) if not (is_option and _names_option(child))]


def _names_option(node: ast.AST) -> bool:
    """``"--cuda"`` and ``help="Use cuda"`` of an ``add_argument(…)``; a default may be a device by itself."""
    return isinstance(node, ast.Constant) or (isinstance(node, ast.keyword) and node.arg == "help")


def _is_for_xla(name: str) -> bool:
    return name.split(".")[0] == _XLA


def _speaks(facts: Facts, node: ast.AST) -> bool:
    """Whether a node may put something on a device, or get something from where nobody sees it made."""
    if isinstance(node, ast.Call) and _loads_placed(facts, node):
        return True
    return _is_unseen(facts, node) or _chooses(facts, node)


def _chooses(facts: Facts, node: ast.AST) -> bool:
    """Whether a node may put something on a device: a barrier that a conversion has set does not."""
    name = facts.names.resolve(node) if isinstance(node, ast.Name | ast.Attribute) else None
    if name is not None and _is_for_xla(name):
        return _PLACES.search(name.rpartition(".")[2]) is not None
    return chooses_device(facts, node)


def _is_unseen(facts: Facts, node: ast.AST) -> bool:
    """A name of an unknown package, what finds code by a text, or a name that the file itself does not say."""
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return isinstance(node, ast.Attribute) and node.attr == "__dict__"
    spelled = facts.names.spelled(node)
    if not spelled:
        return not facts.names.bindings(node) and any(a.name == "*" for a in facts.module.of_type(ast.alias))
    if facts.program.is_own(facts.file, spelled):
        # ``getattr(models, name)``
        parent = facts.module.parents[node]
        return isinstance(parent, ast.Call) and facts.names.resolve(parent.func) == "builtins.getattr"
    return any(name in _BY_NAME or name.split(".")[0] not in _PLAIN_PACKAGES for name in spelled)


def _loads_placed(facts: Facts, call: ast.Call) -> bool:
    """Whether a call loads what may come back on a device, where it is not only copied into a model."""
    if facts.names.resolve(call.func) not in _LOADS:
        return False
    place = next((k.value for k in call.keywords if k.arg == "map_location"), None)
    if isinstance(place, ast.Constant) and place.value == "cpu":
        return False
    taken = facts.module.parents[call]
    while isinstance(taken, ast.Subscript):
        taken = facts.module.parents[taken]
    return not (isinstance(taken, ast.Call) and last_name(taken.func) == "load_state_dict")


def _takes_something(function: FunctionNode) -> bool:
    arguments = function.args
    return bool(arguments.posonlyargs or arguments.args or arguments.kwonlyargs or arguments.vararg or arguments.kwarg)
