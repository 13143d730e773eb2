"""What is known of a step loop, and what the code in it does."""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from xlaport.facts.module import LoopNode


class LoopKind(enum.Enum):
    """What a step loop does."""

    TRAIN = "training"
    EVAL = "evaluation"
    DENOISE = "denoising"
    GENERATE = "generation"
    OPTIMIZE = "optimizing"
    """Changes a tensor by its gradient: an attack on an input, an image that is made to please a model."""
    ACT = "acting"
    """Asks a model, with gradients, and reads the answer on every pass: an agent in its environment."""


CHOSEN = "runs a model, and goes on with what that chose"
"""What shows a loop that generates where gradients are not off."""
CUTS = "cuts the graph"
MADE = "computes what is read on every pass, and gradients are off"
SET = "runs a model that was set to eval()"


@dataclass(frozen=True)
class StepLoop:
    """One step loop and what shows that it is one."""

    node: LoopNode
    kind: LoopKind
    because: str
    evidence: ast.AST
    """What shows it: the optimizer's step, or the call of the model."""
    barriers: tuple[ast.Call, ...]
    """Calls in its own body that cut the graph already."""
    cut_by_loader: bool
    """It iterates a device loader, which cuts the graph at every batch."""

    @property
    def needs_its_reads(self) -> bool:
        """Whether its reads alone show that it is a step loop, and cut its graph: without them nothing would."""
        return (self.kind is LoopKind.ACT or self.because in (MADE, SET)) and not (self.barriers or self.cut_by_loader)


@dataclass(frozen=True)
class Effects:
    """What one run of some code does to the device, loops inside it that step by themselves left out.

    Each is a node of the code itself: what does it, or the call of the function that does.
    """

    steps: ast.AST | None = None
    backward: ast.AST | None = None
    model: ast.AST | None = None
    barriers: tuple[ast.Call, ...] = ()
    find_quiet: Callable[[], ast.AST | None] = field(default=lambda: None, repr=False, compare=False)

    @cached_property
    def quiet(self) -> ast.AST | None:
        """A model that runs with gradients switched off. It may take the whole project to say."""
        return self.find_quiet()

    @property
    def steps_what_is_kept(self) -> bool:
        """``self.optimizer.step()``: of a trainer that is a module; a layer's own optimizer is made where it steps."""
        func = self.steps.func if isinstance(self.steps, ast.Call) else None
        return isinstance(func, ast.Attribute) and isinstance(func.value, ast.Attribute)
