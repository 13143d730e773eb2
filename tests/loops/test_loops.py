"""Thirty loops and more, as people write them: ported, run on XLA:CPU, and compared with the original on the CPU.

`pytest tests/loops --snapshot-update` writes TABLE.md; with `-k NAME`, the rows of those programs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from . import conversion, session, table
from .comparing import differences
from .counts import Measured, measured
from .rows import ROWS

TABLE = Path(__file__).parent / "TABLE.md"
NAMES = conversion.names(session.SHAPES)


@pytest.fixture(scope="session")
def observed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """All that the programs did that this session has tests of."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if hasattr(request.config, "workerinput") else base
    calls = (getattr(item, "callspec", None) for item in request.session.items)
    names = sorted({call.params["name"] for call in calls if call is not None and call.params.get("name") in ROWS})
    return session.observe(names, shared / "loops")


@pytest.fixture(scope="session")
def rows(observed: dict[str, dict[str, Any]]) -> dict[str, Measured]:
    """What was measured of each port."""
    originals = {name.split(" ")[0]: seen for name, seen in observed.items() if name.endswith(" host")}
    assert not [seen["error"] for seen in originals.values() if "error" in seen]
    found = {}
    for name, seen in observed.items():
        if not name.endswith(" host"):
            other = [] if "error" in seen else differences(originals[name.split(" ")[0]], seen)
            found[name] = measured(seen, other)
    return found


@pytest.fixture(scope="session")
def expected(request: pytest.FixtureRequest, rows: dict[str, Measured]) -> dict[str, str]:
    """The rows of the document, by name; written anew where that is asked for."""
    before = table.read(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else {}
    if request.config.getoption("--snapshot-update"):
        measured_now = {name: _line(name, found) for name, found in rows.items()}
        run = {name.split(" ")[0] for name in rows}
        kept = {name: row for name, row in before.items() if name.split(" ")[0] in set(NAMES) - run}
        TABLE.write_text(table.document(kept | measured_now), encoding="utf-8")
        before = kept | measured_now
    return before


def _line(name: str, found: Measured) -> str:
    return table.line(name, ROWS[name.split(" ")[0]], found)


@pytest.mark.parametrize("name", NAMES)
def test_port(name: str, rows: dict[str, Measured], expected: dict[str, str]) -> None:
    """Its row is as it was measured last, with ``--unsafe`` and, where that makes a difference, without."""
    mine = {key: _line(key, found) for key, found in rows.items() if key.split(" ")[0] == name}
    assert mine == {key: row for key, row in expected.items() if key.split(" ")[0] == name}


@pytest.mark.parametrize("name", NAMES)
def test_whatever_misses_the_goal_says_why(name: str, rows: dict[str, Measured]) -> None:
    row = ROWS[name]
    met = rows[name].meets_the_goal(row.steps + row.apart)
    assert [met, bool(row.nature), bool(row.open)].count(True) == 1, rows[name]


@pytest.mark.parametrize("name", NAMES)
def test_a_safe_port_has_the_values_of_the_original(name: str, rows: dict[str, Measured]) -> None:
    """Unless what is wrong has nothing to do with ``--unsafe``."""
    safe = rows.get(f"{name} safe")
    assert safe is None or safe.values in ("equal", rows[name].values)


def test_the_document_is_whole() -> None:
    text = TABLE.read_text(encoding="utf-8")
    found = table.read(text)
    assert {name.split(" ")[0] for name in found} == set(NAMES) == set(ROWS)
    assert text == table.document(found)
    assert len(NAMES) >= 30
