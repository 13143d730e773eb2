"""Replicas of a distributed program, as they were recorded: who they are, what they have in common, where they part."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from xlaport.report import replicas as rows
from xlaport.report import static_causes
from xlaport.report.verdict_html import as_html
from xlaport.report.verdict_json import as_dict
from xlaport.report.verdict_text import as_text
from xlaport.verify.aftermath import read_stack
from xlaport.verify.events import Counts, End, Event, GraphSeen, Halted, Point, ReplicaSeen, Site, Trace, decode, encode
from xlaport.verify.graph_text import collectives, digest, from_text, to_text
from xlaport.verify.graphs import Graph, Node
from xlaport.verify.joining import not_played
from xlaport.verify.judge import judge
from xlaport.verify.launch import Run
from xlaport.verify.probe import dumps
from xlaport.verify.recording import Recording as Saved
from xlaport.verify.recording import load, save
from xlaport.verify.request import Budgets
from xlaport.verify.verdict import Verdict

from .recording import HERE, SCRIPT, SYNC, Recording, at, found, one


def graph(rows: int = 4, number: str = "2.5", *, meets: bool = True, extra: bool = False) -> Graph:
    """A step on a batch of so many rows: a multiplication by a number, and the sum over the replicas."""
    frames = ((SCRIPT, 12),)
    nodes = [
        Node("parameter", "xla__device_data", f"f32[{rows},8]", frames=((SCRIPT, 11),), number=1),
        Node("constant", "prim__Constant", "f32[]", (number,), number=2),
        Node("multiply", "aten__mul", f"f32[{rows},8]", frames=frames, operands=(1, 2), number=3),
    ]
    if extra:
        nodes.append(Node("negate", "aten__neg", f"f32[{rows},8]", frames=((SCRIPT, 14),), operands=(3,), number=4))
    if meets:
        nodes.append(Node("all-reduce", "xla__cross_replica_sum", "f32[8]", operands=(3,), number=5))
    return Graph(tuple(nodes))


STEP = graph()
LONE = graph(meets=False)


class Replica(Recording):
    """What one replica records; `step` is a training step with its barrier."""

    def __init__(self, ordinal: int, count: int = 2, *, told: bool = True, devices: int = 1) -> None:
        super().__init__()
        self.ordinal = ordinal
        self.events.append(ReplicaSeen(ordinal, count, told, played=True, devices=devices))
        self.compiled: set[tuple[str, int]] = set()

    def runs(self, what: Graph, line: int = SYNC, *, nodes: int = 50) -> Replica:
        """The barrier runs this graph, which is compiled when it is new here."""
        name = digest(what)
        if (name, line) in self.compiled:
            self.sync(line=line, nodes=nodes)
            return self
        self.compiled.add((name, line))
        self.events.append(GraphSeen(name, collectives(what), to_text(what, lambda path: True)))
        self.sync(1, line=line, nodes=nodes)
        point = max(index for index, event in enumerate(self.events) if isinstance(event, Point))
        event = self.events[point]
        assert isinstance(event, Point)
        self.events[point] = replace(event, graph=name)
        return self

    def trains(self, *graphs: Graph, line: int = SYNC) -> Replica:
        """One training step for each graph."""
        for what in graphs:
            self.step()
            self.runs(what, line)
        return self

    @property
    def trace(self) -> Trace:
        return Trace(100 + self.ordinal, tuple(self.events))


def run(*replicas: Replica, exit_code: int = 0, tail: str = "", more: Sequence[Trace] = ()) -> Run:
    launcher = Trace(1, (End("exit", Counts()),) if exit_code == 0 else ())
    traces = (launcher, *more, *(replica.trace for replica in replicas))
    return Run(("python", "train.py"), HERE, exit_code, None, False, 12.0, tail, traces)


def verdict(*replicas: Replica, exit_code: int = 0, tail: str = "") -> Verdict:
    return judge(run(*replicas, exit_code=exit_code, tail=tail), Budgets())


def good(ordinal: int, steps: int = 8, count: int = 2) -> Replica:
    replica = Replica(ordinal, count).trains(*[STEP] * steps)
    replica.end()
    return replica


def test_replicas_that_run_the_same_pass() -> None:
    result = verdict(good(0), good(1))
    assert (result.verdict, result.findings) == ("pass", ())
    assert [(item.ordinal, item.verdict, item.steps, item.played) for item in result.replicas] == [
        (0, "pass", 8, True),
        (1, "pass", 8, True),
    ]


def test_another_shape_is_named_with_its_line_and_hangs() -> None:
    result = verdict(good(0), good(1), Replica(2).trains(STEP, STEP, *[graph(3)] * 6))
    assert result.verdict == "fail"
    finding = one(result, "replicas-differ")
    assert finding.reason.startswith(
        "Replica 2 runs another graph than replicas 0 and 1 from step 3 on (run in line 20): a TPU hangs in their "
        "collectives: input 0: f32[4,8] in replica 0, here f32[3,8] at train.py:11"
    )
    assert (finding.path, finding.line, finding.function) == (SCRIPT, 11, "train")  # where the batch is made
    assert (finding.steps, finding.replicas) == ((3,), (0, 1, 2))
    assert "batches of the same shape" in finding.advice


def test_the_odd_one_is_named_also_where_it_is_the_first() -> None:
    odd = Replica(0, 3).trains(*[graph(extra=True)] * 8)
    finding = one(verdict(odd, good(1), good(2)), "replicas-differ")
    assert finding.reason.startswith("Replica 0 runs another graph than replicas 1 and 2 from step 1 on (run in ")
    assert finding.line == 14
    assert "aten::neg at train.py:14 is in replica 0 alone" in finding.reason
    assert "no branch on the ordinal" in finding.advice


def test_a_python_number_is_told_from_a_shape() -> None:
    finding = one(verdict(good(0), Replica(1).trains(*[graph(number="3.5")] * 8)), "replicas-differ")
    assert "2.5 in replica 0, here 3.5: a Python number, used by aten::mul at train.py:12" in finding.reason
    assert "Take the number out of the graph" in finding.advice


def test_another_place_is_named() -> None:
    finding = one(verdict(good(0), Replica(1).trains(*[graph(3)] * 8, line=33)), "replicas-differ")
    assert "(run in line 33, and by replica 0 in line 20)" in finding.reason
    assert finding.line == 33


def test_the_same_graph_at_another_place_meets() -> None:
    assert found(verdict(good(0), Replica(1).trains(*[STEP] * 8, line=33))) == set()


def test_another_number_of_steps_hangs_where_both_came_to_their_end() -> None:
    result = verdict(good(0), good(1, 6))
    finding = one(result, "replicas-differ")
    assert finding.reason.startswith(
        "Replica 0 meets the others 8 times, replica 1 only 6: from step 7 on it waits here, and a TPU hangs"
    )
    assert finding.steps == (7,)
    assert "same number of batches" in finding.advice


def test_a_replica_that_was_stopped_says_nothing_of_its_steps() -> None:
    stopped = Replica(1).trains(*[STEP] * 6)
    stopped.end("steps")
    assert found(verdict(good(0), stopped)) == set()
    assert found(verdict(good(0), Replica(1).trains(*[STEP] * 6))) == set()  # it was killed


def test_a_graph_that_one_replica_runs_alone_is_no_fault_without_collectives() -> None:
    logs = Replica(0)
    for step in range(8):
        logs.trains(STEP)
        if step % 2:
            logs.runs(LONE, line=40, nodes=9)
    logs.end()
    assert found(verdict(logs, good(1))) == set()


def test_a_graph_with_a_collective_that_one_replica_runs_alone_hangs() -> None:
    logs = Replica(0)
    for step in range(8):
        logs.trains(STEP)
        if step % 2:
            logs.runs(graph(1), line=40, nodes=9)
    logs.end()
    finding = one(verdict(logs, good(1)), "replicas-differ")
    assert (finding.line, finding.steps) == (20, (3,))


def test_a_rendezvous_that_one_replica_enters_alone_hangs() -> None:
    def meets(ordinal: int, *steps: int) -> Replica:
        replica = Replica(ordinal, 3)
        for step in range(8):
            replica.trains(STEP)
            if step in steps:
                # As large as what is exchanged: three graphs, of which nothing more is known.
                replica.point("rendezvous", 45, Counts(3 * (step == 3), 3, 2, 40 + ordinal))
        replica.end()
        return replica

    assert found(verdict(meets(0, 3, 6), meets(1, 3, 6), meets(2, 3, 6))) == set()
    finding = one(verdict(meets(0, 3, 6), meets(1, 3), meets(2, 3)), "replicas-differ")
    assert finding.reason == (
        "In step 8, replica 0 waited here for all replicas to meet while replicas 1 and 2 ran a graph (line 20): "
        "a TPU hangs"
    )
    assert (finding.line, finding.steps) == (45, (8,))
    finding = one(verdict(meets(0, 3, 6), meets(1, 3, 6), meets(2, 3)), "replicas-differ")
    assert finding.reason.startswith(
        "In step 8, replicas 0 and 1 waited here for all replicas to meet while replica 2 ran"
    )
    at_the_end = one(verdict(meets(0, 7), meets(1), meets(2)), "replicas-differ")
    assert at_the_end.reason.startswith("Replica 0 meets the others 9 times, replicas 1 and 2 only 8: ")


def test_graphs_of_one_place_and_size_are_not_taken_for_each_other() -> None:
    """A run of what was compiled before may be any of them: that is no difference."""
    one_way = Replica(0).trains(STEP, graph(3), STEP, graph(3), STEP, STEP, STEP, STEP)
    other = Replica(1).trains(STEP, graph(3), graph(3), STEP, STEP, STEP, STEP, STEP)
    assert found(verdict(one_way, other)) == set()


def test_after_a_graph_that_is_not_known_nothing_is_compared() -> None:
    unknown = Replica(1).trains(STEP, STEP)
    unknown.step().sync(1, nodes=70)
    unknown.trains(*[graph(3)] * 5)
    assert found(verdict(good(0), unknown)) == set()


def test_replicas_that_train_without_a_collective_are_apart() -> None:
    result = verdict(*(Replica(ordinal).runs(STEP, line=50).trains(*[LONE] * 8) for ordinal in (0, 1)))
    assert found(result) == {("replicas-apart", 10)}
    averaging = [Replica(ordinal).trains(*[LONE] * 4).runs(STEP, line=50).trains(*[LONE] * 4) for ordinal in (0, 1)]
    result = verdict(*averaging)
    assert (result.verdict, found(result, "note")) == ("pass", {("replicas-apart", 10)})


def test_processes_that_torch_xla_does_not_know_are_not_distributed() -> None:
    apart = [Replica(ordinal, told=False).trains(*[LONE] * 8) for ordinal in (0, 1)]
    result = verdict(*apart)
    assert found(result) == {("not-distributed", 10)}
    assert 'init_method="xla://"' in one(result, "not-distributed").advice


def test_what_all_have_is_said_once_and_what_one_has_with_its_number() -> None:
    def reads(ordinal: int, line: int) -> Replica:
        replica = Replica(ordinal, 3)
        for step in range(8):
            replica.trains(STEP)
            replica.read(30)
            if ordinal == 1 and step > 2:
                replica.read(line)
        replica.end()
        return replica

    result = verdict(*(reads(ordinal, 31) for ordinal in range(3)))
    assert result.verdict == "fail"
    shared, alone = sorted((item for item in result.findings), key=lambda item: item.line or 0)
    assert (shared.line, shared.replicas) == (30, (0, 1, 2))
    assert shared.reason.endswith(" (in all 3 replicas)")
    assert (alone.line, alone.replicas) == (31, (1,))
    assert alone.reason.endswith(" (in replica 1)")


def test_a_replica_that_failed_makes_an_error_though_another_was_stopped() -> None:
    stopped, failed = Replica(0).trains(*[STEP] * 8), Replica(1).trains(*[STEP] * 2)
    stopped.end("steps")
    tail = 'Traceback (most recent call last):\n  File "train.py", line 9, in main\nValueError: boom\n'
    result = verdict(stopped, failed, exit_code=1, tail=tail)
    assert (result.verdict, result.exit_code) == ("error", 2)
    assert [(item.kind, item.line, item.reason) for item in result.findings if item.severity == "fail"] == [
        ("script-failed", 9, "The script failed: ValueError: boom")
    ]
    assert as_text(result, HERE).startswith("ERROR: train.py:9 in main(): The script failed: ValueError: boom")


def test_a_proven_failure_counts_before_a_replica_that_did_too_little() -> None:
    result = verdict(good(0), Replica(1).trains(graph(3)))
    assert result.verdict == "fail"
    assert {item.verdict for item in result.replicas} == {"pass", "error"}


def test_launchers_and_loaders_are_no_replicas() -> None:
    others = (Trace(1, tuple(Recording().events)), Trace(2, (ReplicaSeen(0, 2),)))
    result = judge(run(good(0), good(1), more=others), Budgets())
    assert [item.ordinal for item in result.replicas] == [0, 1]


def test_a_program_for_several_that_ran_alone_is_told_how_to_play_them() -> None:
    alone = Replica(0, count=1).trains(*[LONE] * 8)
    result = verdict(alone)
    assert (result.verdict, result.replicas) == ("pass", ())
    assert "`--replicas 2`" in one(result, "one-replica").advice
    threads = verdict(Replica(0, count=2, devices=2).trains(*[LONE] * 8))
    assert found(threads, "note") == {("replica-threads", None)}


# -- the reports -------------------------------------------------------------------------------------------


def test_one_process_has_the_report_that_it_had() -> None:
    result = Recording().train([1, 0, 0, 0, 0, 0]).verdict()
    assert "replica" not in json.dumps(as_dict(result, HERE)) + as_text(result, HERE)
    assert "replica" not in as_html(result, static_causes.Causes(), HERE).split("<main>")[1].split('id="words"')[0]


def test_each_report_shows_the_replicas() -> None:
    result = verdict(good(0, count=8), good(1), good(2), Replica(5).trains(*[graph(3)] * 8))
    document = as_dict(result, HERE)
    assert [item["ordinal"] for item in document["replicas"]] == [0, 1, 2, 5]
    assert document["replicas"][3]["compiles"]["per_step"] == [1, 0, 0, 0, 0, 0, 0, 0]
    assert document["findings"][0]["replicas"] == [0, 1, 2, 5]
    assert [row[0] for row in rows.rows(result)] == ["0-2", "5"]
    text = as_text(result, HERE)
    assert "4 of 8 replicas ran on this machine, played on XLA:CPU" in text
    page = as_html(result, static_causes.Causes(), HERE)
    assert 'id="replicas"' in page
    assert "The replicas run different graphs" in page


def test_the_replica_whose_figures_are_shown_is_named() -> None:
    reads = Replica(1)
    for _ in range(8):
        reads.trains(STEP)
        reads.read(30)
    reads.end()
    result = verdict(good(0), reads)
    assert result.transfers.total == 8
    assert "those of replica 1." in rows.said(result)


# -- the record --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "event",
    [
        ReplicaSeen(1, 4, told=False, devices=2),
        GraphSeen("ab12", ("all-reduce f32[8]",), to_text(STEP, lambda path: True)),
        Point("sync", at(3), Counts(1, 1), graph="ab12"),
    ],
)
def test_events_survive_a_line(event: Event) -> None:
    assert decode(encode(event)) == event


def test_a_recording_holds_the_replicas(tmp_path: Path) -> None:
    recorded = run(good(0), Replica(1).trains(*[graph(3)] * 8))
    save(Saved(recorded), tmp_path / "run.xlaport")
    assert load(tmp_path / "run.xlaport").run == recorded


def test_a_graph_survives_as_text_with_the_users_frames_alone() -> None:
    library = Node("add", "aten__add", "f32[8]", frames=(("/lib/torch.py", 3), (SCRIPT, 9)), operands=(3,), number=6)
    whole = Graph((*STEP.nodes, library))
    again = from_text(to_text(whole, lambda path: path == SCRIPT))
    assert again.nodes[:-1] == STEP.nodes
    assert again.nodes[-1].frames == ((SCRIPT, 9),)
    assert digest(again) == digest(whole)
    assert again.users[3].op == "all-reduce"
    with pytest.raises(ValueError, match="not a graph"):
        from_text("[[1]]")


def test_a_digest_knows_what_a_graph_does_and_not_how_its_parts_are_numbered() -> None:
    moved = Graph(
        tuple(
            replace(node, number=node.number + 10, operands=tuple(other + 10 for other in node.operands))
            for node in STEP.nodes
        )
    )
    assert digest(moved) == digest(STEP)
    others = [graph(3), graph(number="3.0"), graph(extra=True), graph(meets=False)]
    assert len({digest(other) for other in [STEP, *others]}) == 5


# -- the probe ---------------------------------------------------------------------------------------------


def test_each_process_dumps_into_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = tmp_path / "dump"
    monkeypatch.setenv("XLAPORT_DUMP", str(shared))
    monkeypatch.setenv("XLA_FLAGS", f"--xla_mine=1 --xla_dump_to={shared} --xla_dump_hlo_as_proto")
    for pid in (41, 42):  # the second is started by the first, and has its environment
        monkeypatch.setattr(os, "getpid", lambda pid=pid: pid)
        dumps.choose()
        assert dumps.folder() == str(shared / str(pid))
        assert os.environ["XLA_FLAGS"] == f"--xla_mine=1 --xla_dump_to={shared / str(pid)} --xla_dump_hlo_as_proto"
        assert (shared / str(pid)).is_dir()


def test_a_script_that_starts_no_replicas_cannot_pass_for_several() -> None:
    result = not_played(Recording().train([1, 0, 0, 0, 0, 0]).verdict(), 2)
    assert (result.verdict, result.exit_code) == ("error", 2)
    assert "`--replicas 2` plays what `torch_xla.launch()` or `xmp.spawn()` starts" in result.findings[0].reason


POOL = """\
Current thread 0x00007f0000000001 (most recent call first):
  File "train.py", line 7 in main
  File "/usr/lib/python3.11/site-packages/torch_xla/_internal/pjrt.py", line 70 in _thread_fn

Thread 0x00007f0000000002 (most recent call first):
  File "/usr/lib/python3.11/threading.py", line 327 in wait
  File "/usr/lib/python3.11/concurrent/futures/process.py", line 249 in _process_worker
  File "/usr/lib/python3.11/multiprocessing/process.py", line 108 in run
"""
BROKEN = """\
Traceback (most recent call last):
  File "train.py", line 9, in <module>
    torch_xla.launch(main)
concurrent.futures.process.BrokenProcessPool: A process in the process pool was terminated abruptly
"""


def test_where_a_replica_was_is_said_of_the_thread_that_it_runs_in() -> None:
    halted = read_stack(POOL, HERE)
    assert halted is not None
    assert halted.site == Site(SCRIPT, 7, "main")


def test_a_replica_that_was_killed_is_named() -> None:
    result = verdict(good(0), Replica(1).trains(STEP, STEP), exit_code=1, tail=BROKEN)
    finding = one(result, "script-failed")
    assert (finding.reason, finding.line) == ("Replica 1 was killed, last seen here", SYNC)
    crashed = Replica(1).trains(STEP, STEP)
    crashed.events.append(Halted(at(7), "Segmentation fault"))
    ended = Replica(0).trains(STEP, STEP)
    ended.events.append(Halted(at(20)))  # the launcher has ended it when the other was gone
    finding = one(verdict(ended, crashed, exit_code=1, tail=BROKEN), "script-failed")
    assert finding.reason.startswith("Replica 1 crashed in native code (Segmentation fault), last seen here")
    assert finding.line == 7


def test_of_replicas_that_were_ended_that_is_named_which_was_at_work() -> None:
    idle, working = good(0), Replica(1).trains(*[STEP] * 4)
    idle.events.append(Halted(None))
    working.events.append(Halted(at(7)))
    late = replace(run(idle, working, more=(Trace(2, (Halted(at(9)),)),)), timed_out=True, signal=15, exit_code=None)
    assert one(judge(late, Budgets()), "timeout").line == 7
