"""What to change, and in which order: the verdict together with what the rules say of the source."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from xlaport.report.static_causes import Causes, look
from xlaport.report.verdict_actions import actions
from xlaport.report.verdict_html import as_html
from xlaport.report.verdict_json import as_json
from xlaport.report.verdict_text import as_text
from xlaport.verify.events import Change, Counts, Point
from xlaport.verify.verdict import Compilation, Details, Verdict, VerdictFinding

from .recording import HERE, SYNC, Recording, at

BATCHES = """\
import torch
from torch.nn.utils.rnn import pad_sequence

PAD = 0


def collate(items):
    return pad_sequence(items, batch_first=True, padding_value=PAD)
"""
TRAIN = """\
import torch
import torch_xla
from torch.utils.data import DataLoader

from batches import PAD, collate


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(9, 4, padding_idx=PAD)
        self.layer = torch.nn.TransformerEncoderLayer(4, 2, batch_first=True)

    def forward(self, ids):
        return self.layer(self.embed(ids), src_key_padding_mask=ids == PAD)


device = torch_xla.device()
model = Net().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = 0.0
for ids in DataLoader([torch.ones(n).long() for n in range(4, 12)], batch_size=2, drop_last=True, collate_fn=collate):
    loss = model(ids.to(device))[:, 0].sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    total += loss.item()
print(total)
"""
SYNCED, READ = 27, 28


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "batches.py").write_text(BATCHES)
    (tmp_path / "train.py").write_text(TRAIN)
    (tmp_path / "unused.py").write_text(BATCHES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def failed(kind: str, path: Path | None = None, line: int | None = None, count: int = 0) -> VerdictFinding:
    return VerdictFinding(kind, "fail", "why", "do", str(path) if path else None, line, "train", count)


def verdict(*findings: VerdictFinding, outcome: str = "fail") -> Verdict:
    return Verdict(outcome, "CPU", "2.9.0", 9, 2, findings=findings)


# --- what the rules say


def test_a_recompile_is_blamed_on_the_line_that_makes_the_shapes(project: Path) -> None:
    item = failed("recompile", project / "train.py", SYNCED)
    (cause,) = look(verdict(item), Path("train.py")).of(item)
    assert (Path(cause.path), cause.finding.line, cause.finding.code) == (project / "batches.py", 8, "XP413")
    assert cause.fix is not None
    assert cause.fix.command == "xlaport convert --unsafe batches.py"
    assert "-    return pad_sequence(items, batch_first=True, padding_value=PAD)" in cause.fix.rows
    assert any(row.startswith("+    return pad_to_bucket(") for row in cause.fix.rows)
    assert (project / "batches.py").read_text() == BATCHES


def test_the_text_and_the_json_name_that_line_and_the_command(project: Path) -> None:
    item = failed("recompile", project / "train.py", SYNCED)
    causes = look(verdict(item), Path("train.py"))
    lines = as_text(verdict(item), project, causes).splitlines()
    start = next(
        n for n, line in enumerate(lines) if line.startswith("    to change, likely: batches.py:8 [XP413] `pad_")
    )
    assert lines[start - 1] == "    -> do"
    assert lines[-1] == "        xlaport convert --unsafe batches.py"
    (told,) = json.loads(as_json(verdict(item), project, causes))["findings"][0]["causes"]
    assert told.pop("recipe").startswith("Check that masks")
    assert told.pop("snippet") == ""
    assert told.pop("message").startswith("`pad_sequence()` pads to the longest item of each batch")
    assert told == {
        "path": "batches.py", "line": 8, "rule": "XP413", "applicability": "unsafe",
        "command": "xlaport convert --unsafe batches.py",
    }  # fmt: skip


def test_the_text_names_a_cause_once_and_two_at_most(project: Path) -> None:
    items = [failed("recompile", project / "train.py", line) for line in (SYNCED, SYNCED + 1)]
    cause, *_ = look(verdict(*items)).of(items[0])
    told = [replace(cause.finding, line=line, message=f"why {line}") for line in (8, 9, 10)]
    found = [replace(cause, fix=None, finding=finding) for finding in told]
    text = as_text(verdict(*items), project, Causes(tuple(found)))
    assert [line for line in text.splitlines() if "batches.py" in line or "more" in line] == [
        "    to change, likely: batches.py:8 [XP413] why 8",
        "    to change, likely: batches.py:9 [XP413] why 9",
        "    … and 1 more: --html and --output-format json list them",
    ]


def test_one_line_that_is_to_blame_for_two_things_is_told_once_and_as_a_whole(project: Path) -> None:
    items = [failed(kind, project / "train.py", READ) for kind in ("extra-execution", "host-read")]
    found = look(verdict(*items)).of(items[0])
    whole = " and so on" * 60 + ": total += loss.detach()"
    causes = Causes(tuple(replace(cause, finding=replace(cause.finding, message=whole)) for cause in found))
    text = as_text(verdict(*items), project, causes)
    assert text.count("to change") == 1
    assert " ".join(whole.split()) in " ".join(text.split())
    page = as_html(verdict(*items), causes, project)
    assert page.count("Do: </b><code>xlaport convert") == 1


def test_below_the_barrier_the_page_points_to_the_line_to_change(project: Path) -> None:
    item = failed("recompile", project / "train.py", SYNCED)
    assert "<b>Do: </b>see batches.py:8</div>" in as_html(verdict(item), look(verdict(item)), project)
    assert "<b>Do: </b>do</div>" in as_html(verdict(item), Causes(), project)


def test_a_read_is_blamed_on_its_own_line_only(project: Path) -> None:
    item, elsewhere = failed("host-read", project / "train.py", READ), failed("host-read", project / "train.py", 29)
    found = look(verdict(item, elsewhere))
    assert {(cause.finding.line, cause.finding.code) for cause in found.of(item)} == {(READ, "XP303")}
    assert found.of(elsewhere) == ()


def test_what_an_optimizer_does_is_blamed_on_the_line_that_builds_it(project: Path) -> None:
    (project / "train.py").write_text(TRAIN.replace("SGD", "Rprop"))
    item, other = (failed("host-read", project / "train.py", line) for line in (SYNCED - 1, SYNCED))
    found = look(verdict(item, other))
    (cause,) = found.of(item)
    assert (cause.finding.code, cause.finding.line) == ("XP310", 20)
    assert found.of(other) == ()


def test_a_batch_that_is_smaller_once_is_the_last_to_be_blamed(project: Path) -> None:
    loader = "DataLoader([torch.ones(4).long() for n in range(9)], batch_size=2):"
    lines = [f"for ids in {loader}" if line.startswith("for ids") else line for line in TRAIN.splitlines()]
    selected = "[:, 0].sum()\n    loss = loss[torch.nonzero(loss > 0)].sum()"
    (project / "train.py").write_text("\n".join(lines).replace("[:, 0].sum()", selected))
    item = failed("recompile", project / "train.py", SYNCED + 1)
    assert [cause.finding.code for cause in look(verdict(item)).of(item)] == ["XP412", "XP420"]


def test_a_line_that_made_the_difference_between_two_graphs_comes_first(project: Path) -> None:
    script = project / "train.py"
    script.write_text(TRAIN.replace("[:, 0].sum()", "[:, 0].sum()\n    loss = loss[torch.nonzero(loss > 0)].sum()"))
    item = failed("recompile", script, SYNCED + 1)
    codes = [cause.finding.code for cause in look(verdict(item)).of(item)]
    assert codes[0] == "XP413"
    assert "XP412" in codes
    change = Change("aten__index f32[3]", "aten__index f32[4]", str(script), 24)
    details = Details(compilations=(Compilation(3, "sync", at(SYNC), 1, 1.0, "shape", (change,)),))
    assert look(replace(verdict(item), details=details)).of(item)[0].finding.code == "XP412"


def test_a_missing_barrier_is_blamed_on_the_loop_of_the_same_file(project: Path) -> None:
    (project / "train.py").write_text(TRAIN.replace("    torch_xla.sync()\n", ""))
    item = failed("no-barrier", project / "train.py", SYNCED - 1)
    (cause,) = look(verdict(item)).of(item)
    assert (cause.finding.code, cause.finding.line) == ("XP201", 22)
    assert cause.fix is not None
    assert cause.fix.command == "xlaport convert train.py"
    assert "+    torch_xla.sync()" in cause.fix.rows
    assert not any("total" in row for row in cause.fix.rows if row.startswith("+"))


def test_files_that_are_gone_or_broken_are_left_out(project: Path) -> None:
    (project / "batches.py").write_text("def collate(:\n")
    item = failed("recompile", project / "train.py", SYNCED)
    assert look(verdict(item)).of(item) == ()
    gone = failed("recompile", project / "gone.py", SYNCED)
    assert look(verdict(gone), project / "gone_too.py") == Causes()


def test_a_line_that_no_rule_can_rewrite_has_no_fix(project: Path) -> None:
    (project / "train.py").write_text(TRAIN.replace(", src_key_padding_mask=ids == PAD", ""))
    item = failed("recompile", project / "train.py", SYNCED)
    (cause,) = look(verdict(item)).of(item)
    assert (cause.finding.code, cause.fix) == ("XP413", None)


# --- the order


def test_what_costs_most_comes_first_and_the_same_in_one_function_is_one() -> None:
    path = HERE / "train.py"
    found = actions(
        verdict(
            failed("host-read", path, 30, count=9),
            failed("surprise", path, 1),
            failed("recompile", path, 20, count=3),
            failed("host-read", path, 31, count=9),
            failed("recompile", HERE / "other.py", 20, count=5),
            failed("nothing-executed"),
        ),
        Causes(),
    )
    assert [[item.line for item in action.seen] for action in found] == [[None], [20], [20], [1], [30, 31]]
    assert found[1].seen[0].count == 5
    assert found[3].kind.message == "Surprise"
    assert all(action.causes == () for action in found)


def test_what_broke_a_run_off_comes_before_everything() -> None:
    found = actions(verdict(failed("nothing-executed"), failed("crash", HERE / "a.py", 3), outcome="error"), Causes())
    assert [action.seen[0].kind for action in found] == ["crash", "nothing-executed"]


def test_notes_need_no_action() -> None:
    assert actions(Recording().train((1, 1, 0, 0, 0, 1, 0, 0)).verdict(), Causes()) == ()


def test_the_cost_is_the_time_that_was_spent_on_compiling() -> None:
    item = failed("recompile", HERE / "train.py", SYNC)
    compiled = tuple(Compilation(step, "sync", at(SYNC), 1, 20.0) for step in (1, 2, 3))
    elsewhere = Compilation(4, "sync", at(99), 1, 500.0)
    details = Details(seconds=100.0, compilations=(*compiled, elsewhere))
    (action,) = actions(Verdict("fail", "CPU", "2.9.0", 9, 2, findings=(item,), details=details), Causes())
    assert "3 graphs took 60 s of 100 s" in action.cost


# --- what the judge keeps for it


def test_the_details_have_the_loops_the_compilations_and_the_sizes() -> None:
    recording = Recording().train((1, 1, 0, 0, 0)).evaluate((1, 0, 0), line=60)
    change = Change("a", "b")
    recording.events = [
        Point("sync", event.site, Counts(1, 1, nodes=50), reason="new", changes=(change,), seconds=2.5)
        if isinstance(event, Point)
        else event
        for event in recording.events
    ]
    details = recording.verdict().details
    assert [(loop.site and loop.site.line, loop.steps, loop.warmup, loop.trains) for loop in details.loops] == [
        (SYNC, (1, 2, 3, 4, 5), 2, True),
        (60, (6, 7, 8), 1, False),
    ]
    assert [(item.step, item.count, item.seconds, item.reason) for item in details.compilations] == [
        (1, 1, 2.5, "new"),
        (2, 1, 2.5, "new"),
        (6, 1, 2.5, "new"),
    ]
    assert details.compilations[0].changes == (change,)
    assert details.graph_sizes == (50,) * 8
    assert details.command == ("python", "train.py")
    assert dict(details.versions) == {"torch": "2.9.0", "torch_xla": "2.9.0"}
    assert dict(details.budgets)["--max-compiles"] == "a bounded set"


def test_a_program_behind_a_link_is_shown_by_the_paths_of_the_run(project: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(project, target_is_directory=True)
    item = failed("host-read", link / "train.py", READ)
    assert {cause.path for cause in look(verdict(item)).of(item)} == {str(link / "train.py")}
