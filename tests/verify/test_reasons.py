"""What is said of steps that compiled: the reason that most of them have, and what to do about that."""

from __future__ import annotations

from xlaport.verify.differences import GROWTH, LAST_BATCH, NUMBER, OPERATIONS, SHAPE
from xlaport.verify.events import Counts, Point
from xlaport.verify.verdict import VerdictFinding

from .recording import SYNC, Recording, at, one


def compiles(recording: Recording, reason: str | None, cause: str = "") -> Recording:
    """The barrier of a step compiles, for a reason."""
    added = Counts(1, 1, nodes=50)
    recording.totals = recording.totals + added
    recording.events.append(Point("sync", at(SYNC), added, reason=reason, cause=cause))
    return recording.sync(0, 0)


def trained(*reasons: tuple[str | None, str] | None) -> VerdictFinding:
    """What is said of a loop whose steps, behind six quiet ones, compiled for these reasons; `None` did not."""
    recording = Recording().optimizer().compared(4).train([1, 0, 0, 0, 0, 0])
    for reason in reasons:
        recording.step()
        if reason is None:
            recording.sync()
        else:
            compiles(recording, *reason)
    return one(recording.end().verdict(), "recompile")


def test_the_reason_that_most_steps_have_is_the_one_that_is_told() -> None:
    found = trained(("x grew", SHAPE), *[("x grew: again", GROWTH)] * 5)
    assert found.severity == "fail"
    assert found.reason.endswith("6 of 11 steady steps recompiled: x grew: again")
    assert "collect the values in a list on the host" in found.advice


def test_what_to_do_about_a_number_and_about_a_last_batch() -> None:
    assert "torch.tensor(value, device=device)" in trained(*[("2 became 3", NUMBER)] * 6).advice
    ragged = trained(("x: 8 became 6", LAST_BATCH), *[None] * 8)
    assert (ragged.severity, "drop_last=True" in ragged.advice) == ("note", True)


def test_a_reason_of_no_kind_has_the_advice_for_all() -> None:
    assert trained(*[("unheard of", "")] * 6).advice.startswith("Keep all shapes the same")


def test_steps_without_an_optimizer_are_said_to_be_such() -> None:
    recording = Recording().optimizer().compared(4).train([1, 0, 0, 0, 0, 0])
    compiles(recording, "fewer operations", OPERATIONS).train([0] * 6)
    found = one(recording.end().verdict(), "recompile")
    assert "none with an optimizer step (evaluation" in found.reason
    assert "optimizer step" not in trained(("fewer operations", OPERATIONS), *[None] * 6).reason


def test_the_first_graph_of_a_line_is_no_new_shape() -> None:
    recording = Recording().optimizer().compared(4).train([1, 0, 0, 0, 0, 0])
    recording.point("save", 77, Counts(1, 1)).train([0] * 6)
    found = next(item for item in recording.end().verdict().findings if item.line == 77 and item.kind == "recompile")
    assert found.reason.endswith("recompiled: the first graph of this line")
    assert trained((None, ""), *[None] * 6).reason.endswith("was new")
