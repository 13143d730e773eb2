"""Questions that ask each other: each is worked out once, and circles end."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from xlaport.facts.answers import Answers

Graph = dict[int, list[int]]


class Reach:
    """Whether one of the goals can be reached from a place, asked of its neighbours."""

    def __init__(self, graph: Graph, goals: set[int]) -> None:
        self.graph = graph
        self.goals = goals
        self.answers = Answers(False, 1000)
        self.worked_out = 0

    def of(self, place: int) -> bool:
        return self.answers.of(place, lambda: self._infer(place), False)

    def _infer(self, place: int) -> bool:
        self.worked_out += 1
        # All neighbours are asked, as those do that join what several say.
        found = [self.of(other) for other in self.graph.get(place, [])]
        return place in self.goals or any(found)


def _layers(number: int) -> Graph:
    """Each place of a layer leads to both of the next one: ``2 ** number`` ways."""
    return {2 * n + side: [2 * n + 2, 2 * n + 3] for n in range(number) for side in (0, 1)}


def test_ways_that_meet_again_are_walked_once() -> None:
    reach = Reach(_layers(40), {80})
    assert reach.of(0)
    assert reach.worked_out <= 82


def test_ways_within_a_circle_are_walked_a_few_times() -> None:
    graph = _layers(40)
    graph[80], graph[81] = [0], [0]
    reach = Reach(graph, set())
    assert not reach.of(0)
    assert reach.worked_out <= 82


def test_too_deep_is_unknown_and_not_kept() -> None:
    asked: list[int] = []
    answers = Answers("unknown", 3)

    def of(number: int) -> str:
        asked.append(number)
        return answers.of(number, lambda: of(number + 1) if number < 5 else "end", "again")

    assert of(0) == "unknown"
    assert of(3) == "end"


_PLACES = st.integers(0, 7)


@given(st.dictionaries(_PLACES, st.lists(_PLACES, max_size=3)), st.sets(_PLACES, max_size=2), st.permutations(range(8)))
def test_what_is_asked_first_is_as_if_asked_alone(graph: Graph, goals: set[int], order: list[int]) -> None:
    def alone(place: int, seen: frozenset[int]) -> bool:
        return place in goals or any(alone(n, seen | {n}) for n in graph.get(place, []) if n not in seen)

    reach = Reach(graph, goals)
    for place in order:
        assert reach.of(place) == alone(place, frozenset({place}))
