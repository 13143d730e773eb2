"""A recorded run in a file: what goes in comes out, and what is no recording is one clear line."""

from __future__ import annotations

import json
import linecache
import zipfile
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import pytest

from xlaport.errors import UserError
from xlaport.report.verdict_text import as_text
from xlaport.verify import Budgets
from xlaport.verify.events import Boundary, Counts, GraphSeen, Loaded, Point, Site, Trace
from xlaport.verify.graph_text import to_text
from xlaport.verify.graphs import Node, graph_of
from xlaport.verify.judge import judge
from xlaport.verify.launch import Run
from xlaport.verify.recording import Machine, gather_lines, load, save
from xlaport.verify.recording import Recording as Recorded

from .recording import HERE, SCRIPT, Recording, one

MACHINE = Machine("tpu-vm", "Linux x86_64", {"Python": "3.10.12", "torch_xla": "2.9.0"})
WHEN = "2026-11-22T12:00:00+00:00"
SOURCES = {SCRIPT: {29: "for batch in loader:", 30: "    print(loss.item())  # ä"}}


@pytest.fixture(autouse=True)
def _forget_lines() -> Iterator[None]:
    """What a recording shows of its lines stays for the life of a process."""
    yield
    linecache.clearcache()


def reading() -> Recording:
    """A loop that reads the device in every step."""
    recording = Recording(device="TPU")
    for compiles in (1, *[0] * 11):
        recording.step().sync(compiles).read()
    return recording.end()


def saved(folder: Path, recording: Recorded | None = None) -> Path:
    path = folder / "run.xlaport"
    save(recording or Recorded(reading().run(tail="loss: 1\n"), MACHINE, WHEN, SOURCES), path)
    return path


def with_head(path: Path, **changes: object) -> Path:
    """The recording with another head; `None` takes a key out."""
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    head = {**json.loads(members["recording.json"]), **changes}
    members["recording.json"] = json.dumps({k: v for k, v in head.items() if v is not None or k == "signal"}).encode()
    with zipfile.ZipFile(path, "w") as file:
        for name, data in members.items():
            file.writestr(name, data)
    return path


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    for run in (
        reading().run(tail="naïve\n"),
        reading().run(exit_code=None, signal=9),
        replace(reading().run(timed_out=True), traces=()),
        replace(reading().run(), interrupted=True),
    ):
        recorded = Recorded(run, MACHINE, WHEN, SOURCES)
        assert load(saved(tmp_path, recorded)) == recorded
    assert [path.name for path in tmp_path.iterdir()] == ["run.xlaport"]


def test_nothing_of_a_run_is_left_out(tmp_path: Path) -> None:
    with zipfile.ZipFile(saved(tmp_path)) as file:
        head = json.loads(file.read("recording.json"))
    assert {item.name for item in fields(Run)} - {"traces"} <= set(head)


def test_the_verdict_is_that_of_the_run(tmp_path: Path) -> None:
    recording = load(saved(tmp_path))
    verdict = recording.verdict(Budgets())
    assert verdict == judge(reading().run(), Budgets())
    assert (verdict.verdict, verdict.device) == ("fail", "TPU")
    assert recording.verdict(Budgets(transfers=1.0)).verdict == "pass"


def test_the_report_shows_lines_that_are_not_on_this_machine(tmp_path: Path) -> None:
    recording = load(saved(tmp_path))
    text = as_text(recording.verdict(Budgets()), recording.run.directory)
    assert "train.py:30 in train(): host-read" in text
    assert "    | print(loss.item()) # ä" in text
    assert not HERE.exists()
    assert recording.origin == (
        "train.py: recorded on tpu-vm (Linux x86_64) 2026-11-22T12:00:00+00:00; Python 3.10.12, torch_xla 2.9.0"
    )


def test_an_interrupted_run_is_judged_by_what_ran(tmp_path: Path) -> None:
    good = Recording().train([1, *[0] * 11]).compared(4)
    run = replace(good.run(exit_code=None, signal=15), interrupted=True)
    verdict = load(saved(tmp_path, Recorded(run))).verdict(Budgets())
    assert verdict.verdict == "pass"
    assert "Interrupted after 12 s" in one(verdict, "interrupted").reason
    nothing = Recorded(replace(Recording().run(exit_code=None, signal=15), interrupted=True))
    verdict = load(saved(tmp_path, nothing)).verdict(Budgets())
    assert verdict.verdict == "error"
    assert "before the first step" in one(verdict, "interrupted").reason


def test_the_lines_that_events_and_the_traceback_name_are_gathered(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("".join(f"line_{number}\n" for number in range(1, 201)) + "x" * 1000 + "\n", encoding="utf-8")
    tail = f'Traceback (most recent call last):\n  File "{script}", line 200, in <module>\nKeyError: 1\n'
    site = Site(str(script), 100, "train")
    trace = Trace(
        1, (Loaded("torch", "2.9.0"), Boundary("optimizer", "step", site, Counts()), Point("read", None, Counts()))
    )
    run = replace(reading().run(tail=tail), traces=(trace,))
    (lines,) = gather_lines(run).values()
    assert set(lines) == {*range(88, 113), *range(188, 202)}
    assert lines[100] == "line_100"
    assert len(lines[201]) == 400
    assert gather_lines(reading().run()) == {}


def test_the_lines_of_what_replicas_compiled_are_gathered(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("".join(f"line_{number}\n" for number in range(1, 201)), encoding="utf-8")
    node = Node("add", "aten__add", "f32[8]", frames=((str(script), 100),), number=1)
    seen = GraphSeen("ab12", (), to_text(graph_of([node]), lambda path: True))
    (lines,) = gather_lines(replace(reading().run(), traces=(Trace(1, (seen, GraphSeen("cd34"))),))).values()
    assert set(lines) == set(range(88, 113))


@pytest.mark.parametrize("content", [b"", b"PK", b"not a zip\n" * 100, b'{"type":"loaded"}\n'])
def test_a_file_that_is_no_recording_is_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "run.xlaport"
    path.write_bytes(content)
    with pytest.raises(UserError, match=r"run\.xlaport: not a recording") as caught:
        load(path)
    assert "\n" not in str(caught.value)


def test_another_zip_file_is_no_recording(tmp_path: Path) -> None:
    for name, content in (("train.py", "x"), ("recording.json", '{"format": "other"}'), ("recording.json", "[]")):
        with zipfile.ZipFile(tmp_path / "run.xlaport", "w") as file:
            file.writestr(name, content)
        with pytest.raises(UserError, match="not a recording"):
            load(tmp_path / "run.xlaport")


def test_a_file_or_folder_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.xlaport"):
        with pytest.raises(UserError, match="cannot be read"):
            load(path)


def test_wherever_a_recording_was_cut_off_it_is_one_line(tmp_path: Path) -> None:
    whole = saved(tmp_path).read_bytes()
    part = tmp_path / "part.xlaport"
    for length in range(0, len(whole) - 1, 7):
        part.write_bytes(whole[:length])
        with pytest.raises(UserError, match="only a part of one"):
            load(part)


def _said_of(path: Path) -> str | None:
    """What is wrong with a recording; `None` if it can be read, with all its events or none."""
    try:
        recording = load(path)
    except UserError as error:
        return str(error)
    # A time or an attribute of the zip file, which nobody reads, or the name of a member.
    assert recording.run.traces in ((), reading().run().traces)
    return None


def test_wherever_a_byte_is_wrong_it_is_one_line_or_nothing_is_lost(tmp_path: Path) -> None:
    whole = saved(tmp_path).read_bytes()
    told = 0
    for place in range(0, len(whole), 3):
        broken = tmp_path / "broken.xlaport"
        broken.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        said = _said_of(broken)
        assert said is None or "\n" not in said
        told += said is not None
    assert told > len(whole) / 3 / 2


@pytest.mark.parametrize(
    "changes",
    [
        {"version": None},
        {"version": "1"},
        {"command": 3},
        {"directory": 3},
        {"exit_code": "x"},
        {"seconds": []},
        {"machine": {}},
        {"machine": 3},
        {"tail": None},
    ],
)
def test_a_head_that_is_damaged_is_one_line(tmp_path: Path, changes: dict[str, object]) -> None:
    with pytest.raises(UserError, match=r"damaged"):
        load(with_head(saved(tmp_path), **changes))


def test_a_newer_format_says_to_update_and_what_is_added_is_ignored(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="format 2 of a newer xlaport; this one reads up to 1: update xlaport"):
        load(with_head(saved(tmp_path), version=2))
    assert load(with_head(saved(tmp_path), more=1)).machine == MACHINE


@pytest.mark.parametrize(
    "line", ['{"type":"tomorrow"}', '{"type":"end","reason":"exit"}', "torn {", '{"type":"point"}']
)
def test_an_event_that_is_not_known_is_not_left_out_in_silence(tmp_path: Path, line: str) -> None:
    path = saved(tmp_path)
    with zipfile.ZipFile(path, "a") as file:
        file.writestr("events/77.jsonl", line + "\n")
    with pytest.raises(UserError, match="an event that this xlaport does not know: update it"):
        load(path)


def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be written"):
        saved(tmp_path / "missing")
