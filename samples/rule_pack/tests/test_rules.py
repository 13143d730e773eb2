"""The rules by example; `XLAPORT_UPDATE=1 pytest` writes what comes out."""

from pathlib import Path

import pytest

from xlaport import testing

HERE = Path(__file__).parent
CASES = testing.cases(HERE / "snapshots", packs=[HERE.parent / "acme_rules"])


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: testing.Case) -> None:
    case.check()
