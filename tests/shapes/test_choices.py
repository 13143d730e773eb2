"""The forms that XP415 and XP403 advise give what the host's decisions give, in one graph, and fetch nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.child import printed_by
from tests.shapes import choices


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    """What both forms give, by their names."""
    found: dict[str, Any] = printed_by("tests.shapes.choices")
    return found


def values(result: dict[str, Any]) -> list[float]:
    flat: list[float] = []
    todo = list(result["given"])
    while todo:
        value = todo.pop()
        flat += [value] if isinstance(value, float) else []
        todo += value if isinstance(value, list) else []
    return flat


@pytest.mark.parametrize("name", choices.FORMS)
def test_it_gives_the_same(results: dict[str, Any], name: str) -> None:
    found, advised = results[name]["cpu"]
    assert values(found)
    assert values(advised) == pytest.approx(values(found))
    for on_xla in results[name]["xla"]:
        assert values(on_xla) == pytest.approx(values(found), rel=1e-4)


@pytest.mark.parametrize("name", choices.FORMS)
def test_the_device_decides_in_one_graph(results: dict[str, Any], name: str) -> None:
    found, advised = results[name]["xla"]
    _, fetched = found["spent"]
    assert fetched >= choices.STEPS - choices.WARM_UP
    assert advised["spent"] == [0, 0]
