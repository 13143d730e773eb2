"""``xlaport port``, as a user runs it: small CUDA scripts, converted, run on XLA:CPU and compared with themselves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.commands.command_line import one_line, write
from tests.warm_python import with_torch_xla, with_xlaport
from xlaport.port.journal import Change, write_all

TRAIN = """\
import torch
from net import Net

torch.manual_seed(0)
device = torch.device("cuda")
model = Net().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = 0.0
for step in range(14):
    x = torch.randn(4, 8).to(device)
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    {read}
open("out.txt", "w").write("trained")
print(float(total))
"""
NET = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 2)

    def forward(self, x):
        return self.layer(x)
"""
OTHER = "import torch\n\nprint(torch.ones(1).cuda())\n"
SUMMED = "total += loss.item()"
BRANCH = 'if loss > 1e9:\n        raise SystemExit("diverged")'
"""What no fix takes away: a decision that is taken in each step."""
RECIPES = """\
if torch.isnan(loss):
        raise SystemExit("NaN")
    scores = []
    for row in model(x).detach():
        kept = row[row > 0]
        scores.append(kept.sum().item() / max(1, len(kept)))
    print(f"{max(scores):.4f}")"""
"""What was advice alone: look for NaN now and then; copy the rows once."""
TOLD = """\
def told(x):
    return torch.special.entr(x.abs()).sum()
"""
WRONG = """
from xlaport.rule import Applicability, Replace, Rule


class Wrong(Rule):
    code, name, summary = "ZZ1", "wrong", "takes the read away, and the mean for a sum"
    applicability, words = Applicability.UNSAFE, ("mean",)

    def check(self, context):
        mean, item = (context.module.parents[context.module.attributes[name][0]] for name in ("mean", "item"))
        summed = context.module.segment(mean).replace("mean", "sum")
        edits = Replace(context.span(mean), summed), Replace(context.span(item), "0.0")
        yield self.finding(context.span(item), "a read", *edits)
"""

TRAINERS = """\
class Plain:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer

    def advance(self, x):
        self.optimizer.zero_grad()
        loss = self.model(x).pow(2).mean()
        loss.backward()
        self.optimizer.step()
        return loss
"""
STEPPED = """\
import importlib
import json

import torch

settings = json.loads('{"trainer": ["trainers", "Plain"], "optimizer": "SGD"}')
device = torch.device("cuda")
model = torch.nn.Linear(8, 2).to(device)
optimizer = getattr(torch.optim, settings["optimizer"])(model.parameters(), lr=0.1)
module, name = settings["trainer"]
trainer = getattr(importlib.import_module(module), name)(model, optimizer)
for step in range(20):
    loss = trainer.advance(torch.randn(4, 8).to(device))
print(f"{loss.item():.4f}")
"""
"""What steps is named in a configuration."""


EACH_GPU = """\
import torch

for gpu in range(torch.cuda.device_count()):
    model = torch.nn.Linear(4, 1).to(f"cuda:{gpu}")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(8):
        model(torch.randn(4, 4).to(f"cuda:{gpu}")).mean().backward()
        optimizer.step()
"""
"""As many models as there are GPUs, of which a TPU counts none."""


def folder(top: Path, read: str = "pass") -> Path:
    return write(top / "project", train=TRAIN.format(read=read), net=NET, other=OTHER)


def port(here: Path, *arguments: str, script: str = "train.py", **more: str) -> subprocess.CompletedProcess[str]:
    """`more` is added to the environment."""
    command = [with_xlaport(), "-m", "xlaport", "port", script, "--python", with_torch_xla(), *arguments]
    cache = {**os.environ, "XLAPORT_CACHE_DIR": str(here.parent / "cache"), **more}
    return subprocess.run(command, cwd=here, capture_output=True, text=True, timeout=400, check=False, env=cache)


def answer(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def texts(here: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in here.iterdir()}


def test_a_port_that_passes_is_written_in_place(tmp_path: Path) -> None:
    here = folder(tmp_path)
    before = texts(here)
    done = port(here)
    assert done.returncode == 0, done.stderr
    assert "PASS after 3 runs" in done.stdout
    assert "Written: train.py" in done.stdout
    after = texts(here)
    assert after.keys() == before.keys()  # what the runs wrote is gone with their folders
    assert "torch_xla.sync()" in after["train.py"]
    assert after["other.py"] == before["other.py"]  # nothing leads to it


def test_an_unsafe_fix_is_kept_where_the_run_needs_it_and_training_agrees(tmp_path: Path) -> None:
    here = folder(tmp_path, SUMMED)
    done = port(here, "--output-format", "json")
    assert done.returncode == 0, done.stderr
    found = answer(done)
    assert (found["result"], found["unsafe"]) == ("pass", ["XP303"])
    assert [attempt["unsafe"] for attempt in found["attempts"]] == [["XP303"]]
    assert found["runs"] == 3
    assert {edit["by"] for edit in found["edits"]} == {"proof", "parity"}
    assert found["written"] == ["train.py"]
    assert found["left"] == []


def test_what_recipes_advise_is_tried_too_and_kept_where_it_holds(tmp_path: Path) -> None:
    here = folder(tmp_path, RECIPES)
    done = port(here, "--out", str(tmp_path / "port"), "--output-format", "json")
    found = answer(done)
    assert {"XP306", "XP415"} <= set(found["unsafe"]), done.stderr
    kept = next(attempt for attempt in found["attempts"] if attempt["unsafe"] == found["unsafe"])
    assert kept["parity"] == "pass"
    safe = next(attempt for attempt in found["attempts"] if not attempt["unsafe"])
    assert kept["stalls_per_step"] < safe["stalls_per_step"]
    ported = (tmp_path / "port" / "train.py").read_text()
    assert "if step % 100 == 0 and torch.isnan(loss):" in ported
    assert "for row in model(x).detach().cpu():" in ported


def test_what_only_a_person_can_decide_is_left_and_nothing_is_written(tmp_path: Path) -> None:
    here = folder(tmp_path, BRANCH)
    before = texts(here)
    done = port(here)
    assert done.returncode == 1, done.stderr
    assert "NOT YET" in done.stdout
    assert "1. train.py:15  if loss > 1e9:" in done.stdout
    assert "2. " not in done.stdout
    assert "To do: " in done.stdout
    assert texts(here) == before


def test_where_the_run_shows_no_line_the_rules_say_which_are_left(tmp_path: Path) -> None:
    here = write(tmp_path / "project", train=EACH_GPU)
    left = answer(port(here, "--output-format", "json"))["left"]
    assert left[0]["path"] is None
    assert "Nothing ran on XLA" in left[0]["reason"]
    assert ("train.py", 3, "XP110") in [(each["path"], each["line"], each["rule"]) for each in left]


def test_a_wrong_rewrite_is_rejected_by_what_it_trains(tmp_path: Path) -> None:
    here = folder(tmp_path, SUMMED)
    rules = write(tmp_path / "rules", wrong=WRONG)
    before = texts(here)
    done = port(here, "--rules", str(rules), "--ignore", "XP303", "--output-format", "json")
    found = answer(done)
    assert (found["result"], found["unsafe"], found["rejected"]) == ("fail", [], ["ZZ1"]), done.stderr
    assert found["attempts"][1]["parity"] == "fail"
    assert found["attempts"][1]["stalls_per_step"] == 0
    assert [left["line"] for left in found["left"]] == [15]
    assert texts(here) == before


def test_written_elsewhere_shown_or_not_at_all(tmp_path: Path) -> None:
    here = folder(tmp_path)
    before = texts(here)
    shown = port(here, "--diff")
    assert shown.stdout.startswith("--- ")
    assert "+    torch_xla.sync()" in shown.stdout
    # What was run is known; it is not run again.
    told = port(here, "--dry-run", "--resume")
    assert "Nothing was written" in told.stdout
    assert "Loss" not in told.stderr
    out = port(here, "--resume", "--out", str(tmp_path / "ported"))
    assert out.returncode == 0, out.stderr
    assert "torch_xla.sync()" in (tmp_path / "ported" / "train.py").read_text()
    assert texts(here) == before


def test_a_module_of_a_package_and_all_that_lies_beside_it(tmp_path: Path) -> None:
    here = tmp_path / "project"
    training = TRAIN.format(read="pass").replace("from net", "from .net")
    write(here / "pkg", __init__="", train=training, net=NET, other=OTHER)
    done = port(here, "-m", "--all", script="pkg.train")
    assert done.returncode == 0, done.stderr
    after = texts(here / "pkg")
    assert "torch_xla.sync()" in after["train.py"]
    assert "torch_xla.device()" in after["other.py"]


def test_what_is_found_by_pythonpath_is_the_port_in_one_run_and_the_original_in_the_other(tmp_path: Path) -> None:
    here = tmp_path / "project"
    moved = NET.replace("return self.layer(x)", "return self.layer(x.cuda())")
    write(here / "lib", net=moved)
    write(here / "bin", train=TRAIN.format(read="pass"))
    places = os.pathsep.join([str(here / "lib"), os.environ.get("PYTHONPATH", "")])
    done = port(here, "--all", script="bin/train.py", PYTHONPATH=places)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "trains as the original" in done.stdout
    assert "x.to(torch_xla.device())" in (here / "lib" / "net.py").read_text()


def test_files_that_are_read_only_are_ported_in_the_copies(tmp_path: Path) -> None:
    here = folder(tmp_path)
    (here / "train.py").chmod(0o444)
    done = port(here, "--dry-run")
    assert done.returncode == 0, done.stderr
    assert "PASS" in done.stdout


def test_code_in_a_folder_that_the_copies_link_is_ported_there_and_not_in_the_users_folder(tmp_path: Path) -> None:
    here = folder(tmp_path)
    write(here / "large", nets="import torch\n\ndevice = torch.device('cuda')\n")
    write(here, train=(here / "train.py").read_text().replace('torch.device("cuda")', "nets.device"))
    write(here, train="from large import nets\n" + (here / "train.py").read_text())
    before = {path: path.read_text() for path in here.rglob("*.py")}
    ran = port(here, "--dry-run", "--sandbox-link", "large")
    assert ran.returncode == 0, ran.stderr
    assert {path: path.read_text() for path in here.rglob("*.py")} == before


def test_what_a_killed_port_has_written_in_part_is_put_back_and_said(tmp_path: Path) -> None:
    here = folder(tmp_path)
    before = texts(here)
    names = ("net.py", "train.py", "other.py")
    changes = [Change(here / name, before[name].encode(), b"ported") for name in names]
    child = os.fork()
    if not child:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "replace", killing_at(here / "train.py"))
            write_all(changes, here)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert {name: text for name, text in texts(here).items() if name in names} == before | {"net.py": "ported"}
    (here / "other.py").write_text("mine")
    done = port(here, script="gone.py")
    assert done.returncode == 2
    said = "a port was killed while it wrote: put back what it had written of net.py; other.py has been changed since"
    assert said in done.stderr
    assert texts(here) == before | {"other.py": "mine"}


def killing_at(path: Path) -> Callable[[str, str], None]:
    """What stands for `os.replace`, and is killed where a file is to be replaced."""
    replace = os.replace

    def killed(source: str, target: str) -> None:
        if target == str(path):
            os.kill(os.getpid(), signal.SIGKILL)
        replace(source, target)

    return killed


@pytest.mark.parametrize("seconds", [3, 9, 15])
def test_an_interrupted_port_leaves_all_as_it_was_and_goes_on(tmp_path: Path, seconds: int) -> None:
    here = folder(tmp_path, SUMMED)
    before = texts(here)
    command = [with_xlaport(), "-m", "xlaport", "port", "train.py", "--python", with_torch_xla()]
    cache = {**os.environ, "XLAPORT_CACHE_DIR": str(tmp_path / "cache"), "TMPDIR": str(tmp_path / "scratch")}
    (tmp_path / "scratch").mkdir()
    running = subprocess.Popen(command, cwd=here, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=cache)
    time.sleep(seconds)
    running.send_signal(signal.SIGTERM)
    _, said = running.communicate(timeout=60)
    if running.returncode == 130:
        assert "nothing was written; --resume goes on" in said
        assert texts(here) == before
        assert list((tmp_path / "scratch").iterdir()) == []
    done = port(here, "--resume")
    assert done.returncode == 0, done.stderr
    assert "torch_xla.sync()" in (here / "train.py").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["gone.py"], "gone.py: no such file in "),
        (["train.py", "--cwd", "nowhere"], "--cwd nowhere: no such folder"),
        (["train.py", "other.py"], "port takes one script; its arguments stand behind --"),
        (["train.py", "--out", "a", "--dry-run"], "--out, --branch, --diff and --dry-run: choose one"),
        (["train.py", "--out", "a"], "--out a lies in "),
        (["train.py", "--diff", "--output-format", "json"], "--diff prints a diff: leave out --output-format"),
        (["train.py", "--sandbox-link", "../x"], "--sandbox-link ../x: name a file or folder in "),
    ],
)
def test_bad_input_is_one_line(tmp_path: Path, arguments: list[str], said: str) -> None:
    here = folder(tmp_path)
    command = [with_xlaport(), "-m", "xlaport", "port", *arguments]
    done = subprocess.run(command, cwd=here, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert said in one_line(done.stderr)


def test_a_script_that_fails_is_an_error_with_its_line(tmp_path: Path) -> None:
    here = folder(tmp_path, 'raise ValueError("no data")')
    done = port(here)
    assert done.returncode == 2
    assert "ERROR after" in done.stdout
    assert 'train.py:15  raise ValueError("no data")' in done.stdout


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("net", f"import torch\nimport no_such_package\n{NET}", "net.py:2  import no_such_package"),
        ("old", 'print "of Python 2"\n', 'old.py:1  print "of Python 2"'),
    ],
)
def test_one_run_is_enough_where_the_original_cannot_run_either(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    here = write(folder(tmp_path, SUMMED), train=TRAIN.format(read=SUMMED).replace("torch\n", "torch, old\n", 1))
    write(here, **{"old": "", name: text})
    done = port(here)
    assert done.returncode == 2
    assert "ERROR after 1 run of the script: the original cannot run here either" in done.stdout
    assert f"1. {said}\n" in done.stdout
    assert "\n2. " not in done.stdout


HELD = """\
import torch
from lib.net import Net

model = Net().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
target = torch.rand(4, 1).cuda()
for step in range(12):
    loss = torch.nn.functional.cross_entropy(model(torch.randn(4, 8).cuda()), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
ONE_CLASS = NET.replace("Linear(8, 2)", "Linear(8, 1)").replace("layer(x)", "layer(x.cuda())")


def test_packages_elsewhere_in_the_work_tree_are_ported_and_what_trains_in_neither_is_no_fault(tmp_path: Path) -> None:
    top = tmp_path / "repository"
    write(top / "lib", net=ONE_CLASS)
    here = write(top / "tools", train=HELD)
    (top / ".git").mkdir()
    done = port(here, "--output-format", "json", PYTHONPATH=str(top))
    found = answer(done)
    assert found["result"] == "pass", done.stderr + done.stdout
    assert sorted(Path(path).name for path in found["written"]) == ["net.py", "train.py"]
    assert "cuda" not in (top / "lib" / "net.py").read_text() + (here / "train.py").read_text()
    notes = [item["reason"] for item in found["verdict"]["findings"] if item["kind"] == "not-training"]
    assert len(notes) == 1
    assert "in the original, too" in notes[0]


BY_HAND = """\
import torch

model = torch.nn.Linear(8, 2).cuda()
for step in range(12):
    loss = model(torch.randn(4, 8).cuda()).pow(2).mean()
    model.zero_grad()
    loss.backward()
    for parameter in model.parameters():
        parameter.data.add_(parameter.grad, alpha=-0.1)
raise ValueError("what this torch does not load any more")
"""


def test_a_script_without_optimizer_that_fails_at_its_end_is_compared_by_its_losses(tmp_path: Path) -> None:
    here = write(tmp_path / "project", train=BY_HAND)
    done = port(here, "--steps", "8", "--output-format", "json")
    found = answer(done)
    assert found["result"] == "pass", done.stderr + done.stdout
    assert found["verdict"]["parity"]["steps"] >= 8


CHOSEN = """\
import importlib
import json

import torch

with open("settings.json") as file:
    settings = json.load(file)
metric = getattr(importlib.import_module(settings["module"]), settings["name"])
device = torch.device("cuda")
model = torch.nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
worst = 0.0
for step in range(14):
    output = model(torch.randn(4, 8).to(device))
    loss = output.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    worst += metric(output).item()
print(f"worst {worst / 14:.4f}")
"""
METRICS = """\
def worst_error(output):
    return output.abs().max()
"""


AVERAGED = """\
import json

import torch

HOLDERS = json.loads('{"average": "Average"}')


class Average:
    def __init__(self, params):
        self.params = list(params)
        self.shadow = [p.detach().clone().cuda() for p in self.params]

    def update(self):
        with torch.no_grad():
            for shadow, p in zip(self.shadow, self.params):
                shadow.mul_(0.9).add_(p.detach(), alpha=0.1)


torch.manual_seed(0)
model = torch.nn.Linear(8, 1)
average = globals()[HOLDERS["average"]](model.parameters())
model.cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(14):
    x = torch.randn(16, 8).cuda()
    loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    average.update()
print(float(sum(shadow.sum() for shadow in average.shadow)))
"""


def test_what_only_a_run_shows_makes_a_fix_possible(tmp_path: Path) -> None:
    here = write(tmp_path / "project", train=CHOSEN, metrics=METRICS)
    (here / "settings.json").write_text('{"module": "metrics", "name": "worst_error"}')
    before = texts(here)
    done = port(here, "--dry-run", "--save-evidence", "../seen.json", "--output-format", "json")
    found = answer(done)
    assert (found["result"], found["unsafe"]) == ("pass", ["XP303"]), done.stderr
    assert [edit["by"] for edit in found["edits"] if edit["rule"] == "XP303"] == ["evidence"]
    assert texts(here) == before
    for evidence, codes in (((), []), (("--evidence", "../seen.json"), ["XP303"])):
        words = [with_xlaport(), "-m", "xlaport", "check", *evidence, "--output-format", "json", "train.py"]
        checked = subprocess.run(words, cwd=here, capture_output=True, text=True, check=False)
        findings = [finding for finding in json.loads(checked.stdout)["findings"] if finding["code"] == "XP303"]
        assert [finding["code"] for finding in findings] == codes
        assert all(finding["seen"] == "rests on a run: seen in 14 steps of train.py" for finding in findings)
    # Resumed, it is known what the run has shown.
    assert answer(port(here, "--dry-run", "--resume", "--output-format", "json"))["edits"] == found["edits"]


def test_what_a_run_imports_by_a_name_that_it_makes_is_ported_too(tmp_path: Path) -> None:
    here = write(tmp_path / "project", train=CHOSEN, metrics=METRICS.replace("output.abs()", "output.cuda().abs()"))
    (here / "settings.json").write_text('{"module": "metrics", "name": "worst_error"}')
    done = port(here, "--dry-run", "--output-format", "json")
    found = answer(done)
    assert found["result"] == "pass", done.stderr
    assert {edit["path"] for edit in found["edits"]} >= {"train.py", "metrics.py"}


def test_a_loop_that_only_a_run_shows_to_step_gets_its_barrier(tmp_path: Path) -> None:
    here = write(tmp_path / "project", train=STEPPED, trainers=TRAINERS)
    done = port(here, "--output-format", "json")
    found = answer(done)
    assert (found["result"], found["unsafe"], found["runs"]) == ("pass", ["XP201"], 4), done.stderr
    assert {(edit["path"], edit["rule"], edit["by"]) for edit in found["edits"]} == {
        ("train.py", "XP101", "proof"),
        ("train.py", "XP201", "evidence"),
    }
    assert "    loss = trainer.advance(torch.randn(4, 8).to(device))\n    torch_xla.sync()\n" in texts(here)["train.py"]


def test_an_average_that_only_a_run_shows_to_keep_old_parameters_is_made_after_the_move(tmp_path: Path) -> None:
    here = write(tmp_path / "project", train=AVERAGED)
    found = answer(done := port(here, "--output-format", "json"))
    assert (found["result"], found["unsafe"], found["runs"]) == ("pass", ["XP208"], 4), done.stderr
    assert [edit["by"] for edit in found["edits"] if edit["rule"] == "XP208"] == ["evidence"]
    moved, made = "model.to(torch_xla.device())", 'average = globals()[HOLDERS["average"]]'
    assert (text := texts(here)["train.py"]).index(moved) < text.index(made)


def test_a_program_that_reads_its_source_is_not_watched(tmp_path: Path) -> None:
    here = folder(tmp_path)
    source = (here / "train.py").read_text()
    here.joinpath("train.py").write_text(source + 'import inspect\nassert "_seen_" not in inspect.getsource(Net)\n')
    done = port(here, "--save-evidence", "../seen.json")
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "seen.json").read_text())["files"] == []


@pytest.mark.parametrize(
    ("begin", "use"),
    [
        ("from torch.jit import script", "script(told)(torch.ones(2))"),
        ("import torch as t", "t.compile(told, backend='eager')(t.ones(2))"),
    ],
    ids=["script", "compile"],
)
def test_where_marks_are_in_the_way_the_script_runs_once_more_without(tmp_path: Path, begin: str, use: str) -> None:
    here = folder(tmp_path)
    code = (here / "train.py").read_text().replace("total = 0.0", f"{begin}\n{TOLD}\ntotal = 0.0\n{use}")
    write(here, train=code)
    done = port(here, "--dry-run", "--save-evidence", "../seen.json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "PASS after 4 runs" in done.stdout
    assert json.loads((tmp_path / "seen.json").read_text())["files"] == []


def test_a_run_that_fills_the_disk_is_ended(tmp_path: Path) -> None:
    saves = 'open(f"{step}.bin", "wb").write(b"x" * 2_000_000)\n    __import__("time").sleep(1)'
    here = folder(tmp_path, saves)
    before = texts(here)
    done = port(here, "--disk", "0.004", "--max-runs", "2")
    assert done.returncode == 2
    assert "Stopped: it wrote more than 0.004 GB into its copy of the folder" in done.stdout
    assert "--disk GB" in done.stdout
    assert texts(here) == before


def test_an_error_of_the_script_is_told_without_marks(tmp_path: Path) -> None:
    here = write(tmp_path / "project", train=CHOSEN.replace("metric(output).item()", "metric(output, 1).item()"))
    write(here, metrics=METRICS)
    (here / "settings.json").write_text('{"module": "metrics", "name": "worst_error"}')
    done = port(here)
    assert done.returncode == 2, done.stdout
    assert "worst_error() takes 1 positional argument" in done.stdout
    assert "_xlaport_seen_" not in done.stdout + done.stderr
    assert "metric(output, 1)" in done.stderr
