"""Methods that the loop of a training library calls once in each step: the loop itself is in no file of the project.

Sources: the hooks of Lightning 2.6's `LightningModule`, and what the `Trainer` of transformers 4.57 lets one override.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.facts.module import FunctionNode
from xlaport.facts.program import Facts
from xlaport.facts.structure import Class, Structure
from xlaport.facts.vocabulary import LIGHTNING_MODULES, MODULE_HOOKS

_TRAINERS = frozenset(
    f"transformers.{module}{name}"
    for module in ("", "trainer.", "trainer_seq2seq.")
    for name in ("Trainer", "Seq2SeqTrainer")
)
LIGHTNING = "Lightning"
_LIBRARIES = (
    (LIGHTNING, LIGHTNING_MODULES, ("training_step", "validation_step", "test_step", "predict_step")),
    ("transformers' Trainer", _TRAINERS, ("training_step", "compute_loss", "prediction_step")),
)
"""How a library is called in a message, its classes, and their methods that run in each step."""


@dataclass(frozen=True)
class Hook:
    """A method that runs in each step of a library's loop."""

    function: FunctionNode
    library: str


def hooks_of(facts: Facts, structure: Structure) -> tuple[Hook, ...]:
    """The hooks that the classes of a file define, and those that it registers with modules."""
    return facts.once("hooks of libraries", lambda: (*_hooks(facts, structure), *_registered(facts, structure)))


def _registered(facts: Facts, structure: Structure) -> Iterator[Hook]:
    """``layer.register_forward_hook(watch)``: it runs whenever the layer does."""
    for call in facts.module.calls:
        if isinstance(call.func, ast.Attribute) and call.func.attr in MODULE_HOOKS and call.args:
            function = structure.function_named(facts, call.args[0])
            if function is not None and function.facts is facts:
                yield Hook(function.node, "the hooked layer")


def _hooks(facts: Facts, structure: Structure) -> list[Hook]:
    found: list[Hook] = []
    for node in facts.module.of_type(ast.ClassDef):
        if not node.bases:
            continue
        methods = {s.name: s for s in node.body if isinstance(s, ast.FunctionDef)}
        for library, bases, names in _LIBRARIES:
            if any(name in methods for name in names) and structure.derives(Class(facts, node), bases):
                found += [Hook(methods[name], library) for name in names if name in methods]
    return found
