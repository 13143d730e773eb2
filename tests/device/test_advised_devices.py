"""An advice names a device by what the code has: `device=device` only where `device` is bound."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
NAMED = [path.parent for path in sorted(SNAPSHOTS.glob("XP*/*/findings.txt")) if "device=device" in path.read_text()]


def bound(path: Path) -> set[str]:
    """The names that a file assigns, or has for parameters."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    stored = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return stored | {n.arg for n in nodes if isinstance(n, ast.arg)}


def test_there_are_some() -> None:
    assert NAMED


@pytest.mark.parametrize("case", NAMED, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_the_name_is_bound(case: Path) -> None:
    files = [case / "before.py"] if (case / "before.py").exists() else sorted((case / "before").rglob("*.py"))
    assert any("device" in bound(path) for path in files)
