"""What a training library gives back prepared: loaders that move batches and cut, optimizers whose step cuts.

`accelerate` (1.15) wraps each `DataLoader` in torch_xla's device loader wherever torch_xla is installed. Lightning's
Fabric and its modules (2.6) step an optimizer by `xm.optimizer_step(…, barrier=True)`, or cut behind the step.
"""

from __future__ import annotations

import ast

from xlaport.facts.names import How
from xlaport.facts.origins import Origins
from xlaport.facts.program import Facts
from xlaport.facts.role import Fact, Role, fact_at
from xlaport.facts.structure import Class, Structure
from xlaport.facts.vocabulary import LIGHTNING_MODULES

ACCELERATORS = frozenset({"accelerate.Accelerator", "accelerate.accelerator.Accelerator"})
FABRICS = frozenset(
    {"lightning.Fabric", "lightning.fabric.Fabric", "lightning.fabric.fabric.Fabric", "lightning_fabric.Fabric",
     "lightning_fabric.fabric.Fabric"}
)  # fmt: skip
PREPARING = {
    "prepare": ACCELERATORS,
    "prepare_model": ACCELERATORS,
    "prepare_optimizer": ACCELERATORS,
    "prepare_data_loader": ACCELERATORS,
    "prepare_scheduler": ACCELERATORS,
    "skip_first_batches": ACCELERATORS,
    "setup": FABRICS,  # which takes a model and its optimizers, and no loader
    "setup_module": FABRICS,
    "setup_optimizers": FABRICS,
}
"""Methods that give back what they get, in the same order, and of which library's object."""
OF_ONE = frozenset({"prepare_model", "prepare_optimizer", "prepare_data_loader", "prepare_scheduler",
                     "skip_first_batches", "setup_module"})  # fmt: skip


class Prepared:
    """Questions about the calls of training libraries in one file."""

    def __init__(self, facts: Facts, structure: Structure) -> None:
        self.facts = facts
        self.structure = structure
        self._origins = Origins(structure)

    def given(self, call: ast.Call, index: int | None) -> ast.expr | None:
        """The argument that a call gives back: the one at a place, or the only one; None of any other call."""
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in PREPARING:
            return None
        arguments = call.args[:1] if call.func.attr in OF_ONE else call.args
        if not arguments or any(isinstance(argument, ast.Starred) for argument in arguments):
            return None
        if (index is None) is not (len(arguments) == 1) or not self.is_made_by(
            call.func.value, PREPARING[call.func.attr]
        ):
            return None
        return arguments[index or 0] if (index or 0) < len(arguments) else None

    def is_made_by(self, node: ast.expr, classes: frozenset[str]) -> bool:
        """Whether a value is an object of one of a library's classes, as far as its making or its annotation shows."""
        if isinstance(node, ast.Name):
            bindings = self.facts.names.reaching(node)
            annotations = [getattr(b.node, "annotation", None) for b in bindings if b.how is How.PARAMETER]
            if annotations and len(annotations) == len(bindings):
                if all(a is not None and self.facts.names.resolve(a) in classes for a in annotations):
                    return True
        spots = self._origins.of(self.facts, node) or []
        return bool(spots) and all(
            isinstance(spot.node, ast.Call) and spot.facts.names.resolve(spot.node.func) in classes for spot in spots
        )

    def loader(self, iterated: ast.expr) -> Fact | None:
        """The role of what a loop goes through that accelerate has prepared: all that it prepares for loops."""
        if not isinstance(iterated, ast.Name):
            return None
        found = [(b.value, b.index) for b in self.facts.names.reaching(iterated) if b.how in (How.ASSIGN, How.UNPACK)]
        if not found or len(found) != len(self.facts.names.reaching(iterated)):
            return None
        if not all(isinstance(value, ast.Call) and self._by_accelerate(value, index) for value, index in found):
            return None
        return fact_at(Role.DEVICE_LOADER, "what accelerate has prepared", iterated)

    def _by_accelerate(self, call: ast.Call, index: int | None) -> bool:
        func = call.func
        is_ours = isinstance(func, ast.Attribute) and PREPARING.get(func.attr) is ACCELERATORS
        return is_ours and self.given(call, index) is not None

    def step_cuts(self, optimizer: ast.expr) -> bool:
        """Whether the step of an optimizer cuts the graph: one that Fabric has set up, or a Lightning module's own."""
        value = optimizer.value if isinstance(optimizer, ast.Subscript) else optimizer
        spots = self._origins.of(self.facts, value) or []
        return bool(spots) and all(Prepared(spot.facts, self.structure)._hands_out(spot.node) for spot in spots)

    def _hands_out(self, node: ast.expr) -> bool:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return False
        if node.func.attr == "optimizers" and not node.args and not node.keywords:
            return self._is_lightning_module(node.func.value)
        return node.func.attr in ("setup", "setup_optimizers") and self.is_made_by(node.func.value, FABRICS)

    def _is_lightning_module(self, node: ast.expr) -> bool:
        """``self`` in a method of a class that derives from Lightning's module."""
        owner = self.facts.names.self_class(node) if isinstance(node, ast.Name) else None
        return owner is not None and self.structure.derives(Class(self.facts, owner), LIGHTNING_MODULES)
