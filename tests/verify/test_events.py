from __future__ import annotations

from pathlib import Path

import pytest

from xlaport.verify.events import (
    Boundary,
    Counts,
    End,
    Event,
    LeftBehind,
    Loaded,
    OptimizerSeen,
    ParametersCompared,
    Point,
    Site,
    Trace,
    Trouble,
    busiest,
    decode,
    encode,
    read_directory,
    read_lines,
)

SITE = Site("/project/train.py", 12, "main")
EVENTS: tuple[Event, ...] = (
    Loaded("torch_xla", "2.9.0", "CPU"),
    Point("fallback", SITE, Counts(1, 2, 3, 4, {"aten::lgamma": 5}), "SumBackward0", "because"),
    Point("read", None, Counts()),
    Boundary("marker", "sync", SITE, Counts(1)),
    Boundary("optimizer", "step", None, Counts(1), 2),
    OptimizerSeen(0, "SGD", None, 1, 4, 0, 4, 4),
    ParametersCompared(0, 3, 4, 4),
    LeftBehind(0, 4, 4, 11, 10, "moved", SITE),
    Trouble("what"),
    End("exit", Counts(7)),
)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_is_one_line_and_comes_back_as_it_was(event: Event) -> None:
    assert "\n" not in encode(event)
    assert decode(encode(event)) == event


def test_what_a_later_version_adds_is_ignored() -> None:
    line = encode(Trouble("x")).replace("}", ',"more":1}')
    assert decode(line) == Trouble("x")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{",
        "[]",
        "3",
        '{"type":"nothing"}',
        '{"type":"trouble"}',
        '{"a":1}',
        '{"type":[]}',
        '{"type":"end","reason":"exit","totals":3}',
        '{"type":"untied","site":{"path":"train.py"},"names":[]}',
    ],
)
def test_what_is_no_event_is_a_value_error(line: str) -> None:
    with pytest.raises(ValueError, match=r"not an event|Expecting"):
        decode(line)


def test_the_torn_last_line_of_a_killed_process_is_left_out() -> None:
    lines = [encode(event) for event in EVENTS]
    lines[-1] = lines[-1][: len(lines[-1]) // 2]
    assert tuple(read_lines(lines)) == EVENTS[:-1]


def test_a_folder_has_one_file_per_process(tmp_path: Path) -> None:
    (tmp_path / "20.jsonl").write_text(encode(EVENTS[0]) + "\n" + encode(EVENTS[3]) + "\n")
    (tmp_path / "3.jsonl").write_text(encode(EVENTS[0]) + "\n")
    (tmp_path / "4.jsonl").write_bytes(b"\xff\xfe")
    traces = read_directory(tmp_path)
    assert [(trace.pid, len(trace.events)) for trace in traces] == [(3, 1), (4, 0), (20, 2)]
    assert traces[2].loaded == {"torch_xla": "2.9.0"}


def test_the_process_that_makes_the_steps_is_the_one_to_judge() -> None:
    launcher, worker = Trace(1, EVENTS[:1]), Trace(2, EVENTS[3:5])
    loader = Trace(3, ())
    assert busiest([launcher, worker, loader]) is worker
    assert busiest([loader, launcher]) is launcher
    assert busiest([]) is None


def test_counts_add_and_subtract() -> None:
    a, b = Counts(1, 2, 3, 4, {"x": 1}), Counts(1, 1, 1, 1, {"x": 1, "y": 2})
    assert (a + b) - b == a
    assert a - a == Counts()
    assert not (a - a)
    assert a
