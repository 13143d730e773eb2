"""The roles that values can have."""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterable
from dataclasses import dataclass


class Role(enum.Enum):
    """What a value is, as far as porting is concerned."""

    TENSOR = "tensor"
    """A tensor that is, or may be, on the device."""
    HOST_TENSOR = "host tensor"
    """A tensor that was made on the host and not moved."""
    MODEL = "model"
    OPTIMIZER = "optimizer"
    SCHEDULER = "scheduler"
    SCALER = "scaler"
    LOADER = "loader"
    DEVICE_LOADER = "device loader"
    """A loader wrapper whose batches are already on the device."""
    DATASET = "dataset"
    DEVICE = "device"
    NUMBER = "number"
    TEXT = "text"
    OTHER = "other"
    """Known to be none of the above: an instance of a class of this file, a display, None …"""


TENSORS = frozenset({Role.TENSOR, Role.HOST_TENSOR})


@dataclass(frozen=True)
class Fact:
    """A role and what it rests on: `because` is a phrase, `line` its place (from 1)."""

    role: Role
    because: str
    line: int
    assumed: bool = False
    """Whether a tensor is taken to be on the device for want of anything that says where it lies."""


OPEN = Fact(Role.OTHER, "still open", 0)
"""Stands for a question that is being asked already: it neither helps nor hinders a join."""


OUTPUT = "output of a model"
"""The evidence of what a model gives, where nothing more is known of it; with more behind it, where that is."""


def part_of_module(method: str) -> str:
    """The evidence of what a loop gets of a module: ``for p in model.parameters():``."""
    return f"one of a module's .{method}()"


OF_PARAMETERS = (part_of_module("parameters"), part_of_module("named_parameters"))
"""The evidence of a Parameter that a loop gets of a module."""


ANNOTATED = "annotated as"
"""The begin of the evidence of an annotation, which says of no tensor where it lies."""


def fact_at(role: Role, because: str, node: ast.AST) -> Fact:
    """A fact whose evidence is a node."""
    return Fact(role, because, getattr(node, "lineno", 1))


def is_none(node: ast.expr | None) -> bool:
    """The constant ``None``."""
    return isinstance(node, ast.Constant) and node.value is None


def but_none(node: ast.expr) -> ast.expr:
    """``x`` of ``x if condition else None``: what a value is where it is something."""
    if isinstance(node, ast.IfExp) and (is_none(node.body) or is_none(node.orelse)):
        return node.orelse if is_none(node.body) else node.body
    return node


def join(facts: Iterable[Fact | None]) -> Fact | None:
    """The role on which all agree. A number that may become a tensor (``total = 0``) may be a tensor.

    Asks for no more of the facts than it takes to see that they do not agree.
    """
    settled: list[Fact] = []
    roles: set[Role] = set()
    for fact in facts:
        if fact is None:
            return None
        if fact is not OPEN:
            settled.append(fact)
            roles.add(fact.role)
            if len(roles) > 1 and not roles <= _MAY_MEET:
                return None
    if not settled:
        return OPEN
    if len(roles) == 1:
        return _surest(settled)
    strongest = Role.TENSOR if Role.TENSOR in roles else Role.HOST_TENSOR
    return _surest([fact for fact in settled if fact.role is strongest])


_MAY_MEET = frozenset({*TENSORS, Role.NUMBER})


def _surest(facts: list[Fact]) -> Fact:
    return next((fact for fact in facts if not fact.assumed), facts[0])


def combined(facts: list[Fact | None], node: ast.AST) -> Fact | None:
    """What an operator or a comparison gives: a tensor on the device wherever one takes part."""
    settled = [fact for fact in facts if fact is not OPEN]
    if facts and not settled:
        return OPEN
    if of_device := [fact for fact in settled if fact is not None and fact.role is Role.TENSOR]:
        return _surest(of_device)
    hosts = [fact for fact in settled if fact is not None and fact.role is Role.HOST_TENSOR]
    if hosts and None not in settled:
        return hosts[0]
    if all(fact is not None and fact.role is Role.NUMBER for fact in settled):
        return fact_at(Role.NUMBER, "computed from numbers", node)
    texts = any(fact is not None and fact.role is Role.TEXT for fact in settled)
    if texts and not isinstance(node, ast.Compare) and not hosts:
        return fact_at(Role.TEXT, "computed from a string", node)
    return None
