"""What a name must be, from the methods that a file calls on it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cached_property

from xlaport.facts import vocabulary as torch_api
from xlaport.facts.classes import Classes, dotted
from xlaport.facts.module import Module
from xlaport.facts.names import Names
from xlaport.facts.role import Role

_Key = tuple[object, str]

_STEPPED = "stepped by a scaler"
_CALLED = "called"
_DIFFERENTIATED = "backward()"


class Usage:
    """The uses of names and attributes, gathered over the file."""

    def __init__(self, module: Module, names: Names, classes: Classes, is_scaler: Callable[[ast.expr], bool]) -> None:
        self.module = module
        self.names = names
        self.classes = classes
        self._is_scaler = is_scaler
        self._open = False

    def role(self, node: ast.expr) -> tuple[Role, str] | None:
        """The role that the uses of a name or an attribute show, and a phrase for it."""
        path = dotted(node)
        if path is None or self._open or self.classes.instance_class(node) is not None:
            return None
        self._open = True  # asking for a scaler's role may lead back here
        try:
            uses = self._uses.get(self._key(node, path), frozenset())
        finally:
            self._open = False
        if _STEPPED in uses:
            return Role.OPTIMIZER, f"{path} is stepped by a scaler"
        if "param_groups" in uses or (uses >= {"zero_grad", "step"} and _CALLED not in uses):
            return Role.OPTIMIZER, f"{path} is used as an optimizer"
        shown = uses & torch_api.MODULE_USES
        if len(shown) >= 2 or (shown and uses & {"state_dict", "load_state_dict", _CALLED}):
            return Role.MODEL, f"{path} is used as a model"
        if uses & torch_api.DISTRIBUTION_USES:
            return Role.OTHER, f"{path} is used as a distribution"
        if _DIFFERENTIATED in uses:
            return Role.TENSOR, f"{path}.backward() is called"
        return None

    def _key(self, node: ast.expr, path: str) -> _Key:
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        assert isinstance(root, ast.Name)
        # `self.x` means the same in every method of a class.
        owner = self.names.self_class(root)
        if owner is not None:
            return owner, path.partition(".")[2]
        return self.names.home(root), path

    @cached_property
    def _uses(self) -> dict[_Key, frozenset[str]]:
        uses: dict[_Key, set[str]] = {}

        def note(node: ast.expr, use: str) -> None:
            path = dotted(node)
            if path is not None:
                uses.setdefault(self._key(node, path), set()).add(use)

        for node in self.module.attributes.get("param_groups", ()):
            note(node.value, node.attr)
        for call in self.module.calls:
            note(call.func, _CALLED)
            if not isinstance(call.func, ast.Attribute):
                continue
            method, base = call.func.attr, call.func.value
            if method != "backward":
                note(base, method)
            elif not call.args:
                # With an argument it is the method of a trainer: accelerator.backward(loss).
                note(base, _DIFFERENTIATED)
            if len(call.args) == 1 and (method == "unscale_" or (method == "step" and self._is_scaler(base))):
                note(call.args[0], _STEPPED)
        return {key: frozenset(found) for key, found in uses.items()}
