"""Methods that the loop of a training library calls once in each step: the loop itself is in no file of the project.

Sources: the hooks of Lightning 2.6's `LightningModule`, and what the `Trainer` of transformers 4.57 lets one override.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.facts.module import FunctionNode
from xlaport.facts.program import Facts
from xlaport.facts.structure import Class, Structure
from xlaport.facts.vocabulary import LIGHTNING_MODULES

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
    """The hooks that the classes of a file define."""
    return facts.once("hooks of libraries", lambda: tuple(_hooks(facts, structure)))


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
