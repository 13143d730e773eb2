"""A comment above a file changes nothing: what is known of the project is the same, seen from its new text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from xlaport.facts.module import Module
from xlaport.facts.program import Facts, Program
from xlaport.facts.structure import CallSite, Class, Function, Structure, structure_of

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
ROOT = "/nowhere"
PROJECTS = sorted(
    folder
    for folder in SNAPSHOTS.glob("*/*/before")
    if folder.parent.parent.name in ("XP201", "XP203", "XP301", "XP303") and len(list(folder.glob("*.py"))) > 1
)
Answer = list[tuple[str, int, int]]


def program_of(folder: Path) -> Program:
    files = {f"{ROOT}/{path.relative_to(folder)}": path.read_bytes() for path in sorted(folder.rglob("*.py"))}
    return Program(files, (ROOT,), parse=lambda _, data: Module(data.decode()))


class Seen:
    """The answers of a structure, with lines as they were before a comment came above one file."""

    def __init__(self, own: Facts, shift: int) -> None:
        self.own, self.shift = own, shift
        self.structure: Structure = structure_of(own.view)

    def place(self, facts: Facts, node: ast.AST) -> tuple[str, int, int]:
        assert isinstance(node, ast.expr | ast.stmt)
        assert node in facts.module.parents, "a definition of the old text"
        moved = self.shift if facts.file == self.own.file else 0
        return facts.file, node.lineno - moved, node.col_offset

    def places(self, found: list[Function] | list[Class] | list[CallSite]) -> Answer:
        return sorted(self.place(each.facts, each.node) for each in found)

    def answers(self) -> Iterator[tuple[object, Answer]]:
        for file in self.own.program.files:
            facts = self.own.view.facts(file)
            assert facts is not None
            for node in facts.module.nodes:
                if isinstance(node, ast.Call):
                    yield ("runs", self.place(facts, node)), self.places(self.structure.runs(facts, node))
                    made = self.structure.made_at(facts, node)
                    yield ("made at", self.place(facts, node), ast.unparse(node)), self.places(made)
                elif isinstance(node, ast.FunctionDef):
                    yield (
                        ("calls", self.place(facts, node)),
                        self.places(self.structure.calls_to(Function(facts, node))),
                    )
                elif isinstance(node, ast.ClassDef):
                    owner = Class(facts, node)
                    yield ("bases", self.place(facts, node)), self.places(self.structure.bases(owner))
                    yield ("derived", self.place(facts, node)), self.places(self.structure.derived(owner))
                    yield ("made", self.place(facts, node)), self.places(self.structure.made(owner))
                elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                    found = list(self.structure.instances_of(facts, node))
                    yield ("instances", self.place(facts, node), ast.unparse(node)), self.places(found)


@pytest.mark.parametrize("folder", PROJECTS, ids=[f"{f.parent.parent.name}-{f.parent.name}" for f in PROJECTS])
def test_a_comment_above_a_file(folder: Path) -> None:
    program = program_of(folder)
    for file in program.files:
        own = program.facts(file)
        assert own is not None
        before = dict(Seen(own, 0).answers())
        after = dict(Seen(program.seen_from(file, Module(f"#\n{own.module.text}")).own, 1).answers())
        changed = {key for key in before if before[key] != after.get(key)}
        assert changed == set()
        assert before.keys() == after.keys()


def test_there_are_enough_projects() -> None:
    assert len(PROJECTS) > 20
