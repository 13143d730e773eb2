"""What a run has shown, as data, and the findings that rest on it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.commands.command_line import one_line, xlaport_run
from xlaport import run
from xlaport.config import Config
from xlaport.finding import Applicability
from xlaport.observed.placing import carried
from xlaport.observed.record import NOTHING_OBSERVED, Expression, Observations, Sort, as_json, digest, read
from xlaport.result import FileResult

CODE = """\
import json

import torch

import metrics

device = torch.device("cuda")
metric = metrics.by_name(json.load(open("settings.json"))["metric"])
model = torch.nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
worst = 0.0
for step in range(20):
    output = model(torch.randn(4, 8).to(device))
    loss = output.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    worst += metric(output).item()
print(f"{worst / 20:.4f}")
"""
SCALAR = Sort("tensor", "xla", "float", 0)
FUNCTION = Sort("function", name="worst_error", file="metrics.py")
METRICS = "def worst_error(output):\n    return output.abs().max()\n"


def seen(text: str, code: str, *sorts: Sort, changes: bool = False, number: int = 0) -> Expression:
    """An expression that stands in one place of a program, ten times seen."""
    before = code[: code.index(text)]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return Expression(number, (line, column, line, column + len(text)), 10, sorts, changes)


def observed(*expressions: Expression, code: str = CODE) -> Observations:
    return Observations("train.py", 10, {digest(code): ("train.py", expressions), digest(METRICS): ("metrics.py", ())})


def converted(folder: Path, shown: Observations, code: str = CODE, *, unsafe: bool = True) -> FileResult:
    (folder / "train.py").write_text(code, encoding="utf-8")
    (folder / "metrics.py").write_text(METRICS, encoding="utf-8")
    files = run.convert([folder], Config(unsafe=unsafe, observed=shown)).files
    return next(file for file in files if file.path.name == "train.py")


def test_what_rests_on_a_run_is_unsafe_and_says_so(tmp_path: Path) -> None:
    shown = observed(seen("metric(output)", CODE, SCALAR))
    plain, found = converted(tmp_path, replace(shown, files={})), converted(tmp_path, shown)
    assert not any(finding.code == "XP303" for finding in plain.findings)
    (deferred,) = [finding for finding in found.findings if finding.code == "XP303"]
    assert deferred.applicability is Applicability.UNSAFE
    assert deferred.seen == "rests on a run: seen in 10 steps of train.py"
    assert deferred.seen in deferred.notes
    assert "worst += metric(output).detach()" in found.after
    # What rests on none is as it was.
    assert all(not finding.seen for finding in found.findings if finding.code in ("XP101", "XP201"))
    assert converted(tmp_path, shown, unsafe=False).after == plain.after


def test_the_function_behind_a_call_is_run_by_the_analysis(tmp_path: Path) -> None:
    called = CODE.replace("metric(output).item()", "float(metric(output))")
    chosen = 'metrics.by_name(json.load(open("settings.json"))["metric"])'
    of_function = observed(seen(chosen, called, FUNCTION), code=called)
    found = converted(tmp_path, of_function, called)
    assert any(finding.code == "XP303" and finding.seen for finding in found.findings)


def test_what_was_several_things_or_another_text_is_not_known(tmp_path: Path) -> None:
    several = observed(seen("metric(output)", CODE, SCALAR, Sort("number", holds="float")), code=CODE)
    changed = CODE.replace("range(20)", "range(21)")
    for shown, code in ((several, CODE), (observed(seen("metric(output)", CODE, SCALAR)), changed)):
        found = converted(tmp_path, shown, code)
        assert not any(finding.code == "XP303" for finding in found.findings)


def test_a_run_takes_no_possible_finding_away(tmp_path: Path) -> None:
    code = (Path(__file__).parents[1] / "hidden" / "inheritance-mixin" / "fault.py").read_text(encoding="utf-8")
    assert [finding.code for finding in converted(tmp_path, NOTHING_OBSERVED, code).possible] == ["XP203"]
    less = observed(seen("value.cuda()", code, Sort("module", name="torch.nn.Linear")), code=code)
    assert [finding.code for finding in converted(tmp_path, less, code).possible] == ["XP203"]
    moved = Sort("module", name="torch.nn.Linear", made=0)
    target = Expression(1, (10, 36, 10, 41), 1, (moved,))
    found = converted(tmp_path, observed(seen("nn.Linear(4, 4)", code, moved), target, code=code), code)
    assert [finding.code for finding in found.findings if finding.seen] == ["XP203"]
    assert found.possible == ()


def test_evidence_is_carried_to_a_conversion_of_the_text() -> None:
    shown = observed(seen("metric(output)", CODE, SCALAR))
    after = CODE.replace("import json\n", "import json\nimport torch_xla\n")
    after = after.replace('torch.device("cuda")', "torch_xla.device()")
    moved = carried(shown, [(CODE, after)])
    (expression,) = moved.of(after)
    assert expression.place[0] == shown.of(CODE)[0].place[0] + 1
    assert moved.of(CODE) == ()


def test_evidence_is_read_as_it_was_written(tmp_path: Path) -> None:
    row = Sort("row", element=Sort("module", name="Net", file="net.py", made=0))
    shown = observed(seen("metric(output)", CODE, SCALAR, row), seen("output.pow(2)", CODE, Sort("none"), changes=True))
    path = tmp_path / "seen.json"
    path.write_text(as_json(shown), encoding="utf-8")
    assert read(path) == shown
    assert repr(read(path)) == repr(shown) != repr(observed())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "No such file"),
        ("{", "is no JSON"),
        ("[]", "is no evidence"),
        (json.dumps({"xlaport_evidence": 1, "script": "a", "steps": 1, "files": [{"path": "a"}]}), "is damaged"),
        (json.dumps({"xlaport_evidence": 1, "script": "a", "steps": 1, "files": []}), "no file here"),
    ],
)
def test_bad_evidence_is_one_line(tmp_path: Path, text: str | None, words: str) -> None:
    (tmp_path / "train.py").write_text(CODE, encoding="utf-8")
    if text is not None:
        (tmp_path / "seen.json").write_text(text, encoding="utf-8")
    for command in ("check", "convert"):
        done = xlaport_run(command, "--evidence", "seen.json", "train.py", cwd=tmp_path)
        assert done.returncode == 2
        assert words in one_line(done.stderr)
    assert (tmp_path / "train.py").read_text(encoding="utf-8") == CODE


SELECTING = """\
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)
head = nn.Linear(8, 8).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(20):
    x = model(torch.randn(4, 6, 8).to(device))
    mask = (torch.rand(4, 6).to(device)) > 0.5
    visible = x[~mask].reshape(4, -1, 8)
    loss = head(visible).softmax(1).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
Sizes = tuple[tuple[int, ...], ...]


def selecting(whole: Sizes, part: Sizes, code: str = SELECTING) -> Observations:
    """Evidence of the sizes of `x` and of `x[~mask]`."""
    selected = seen("x[~mask]", code, Sort("tensor", "xla", "float", 2))
    row, column, _, _ = selected.place
    tensor = replace(selected, place=(row, column, row, column + 1), sizes=whole)
    return observed(tensor, replace(selected, sizes=part), code=code)


@pytest.mark.parametrize(
    ("whole", "part", "number"),
    [
        (((4, 6, 8),), ((12, 8),), ": 3 * x.size(0)"),
        (((4, 6, 8), (2, 6, 8)), ((12, 8), (6, 8)), ": 3 * x.size(0)"),
        (((4, 6, 8),), ((4, 8),), ": x.size(0)"),
        (((4, 6, 8),), ((7, 8),), ":7"),
    ],
)
def test_a_selection_that_had_one_size_takes_so_many_places(
    tmp_path: Path, whole: Sizes, part: Sizes, number: str
) -> None:
    found = converted(tmp_path, selecting(whole, part), SELECTING)
    (counted,) = [finding for finding in found.findings if finding.code == "XP408"]
    assert counted.seen
    assert counted.applicability is Applicability.UNSAFE
    assert f"kept = torch.argsort((~mask).flatten(), descending=True, stable=True)[{number}]\n" in found.after
    assert "visible = x.flatten(0, 1)[kept].reshape(4, -1, 8)" in found.after


@pytest.mark.parametrize(
    ("whole", "part"),
    [
        (((4, 6, 8),), ((12, 8), (11, 8))),
        (((4, 6, 8), (2, 6, 8)), ((12, 8), (7, 8))),
        (((4, 6, 8),), ((0, 8),)),
        (((4, 6, 8),), tuple((number, 8) for number in range(1, 10))),
        (((4, 6, 8), (4, 48)), ((12, 8),)),
    ],
)
def test_a_selection_whose_size_changed_stays(tmp_path: Path, whole: Sizes, part: Sizes) -> None:
    found = converted(tmp_path, selecting(whole, part), SELECTING)
    assert [finding.applicability for finding in found.findings if finding.code == "XP408"] == [Applicability.MANUAL]
    assert "x[~mask]" in found.after


def test_places_are_counted_where_the_selection_stands_unless_it_runs_once(tmp_path: Path) -> None:
    code = SELECTING.replace("x[~mask].reshape(4, -1, 8)", "(x[~mask] if step else x[:, 0]).reshape(-1, 2, 8)")
    found = converted(tmp_path, selecting(((4, 6, 8),), ((12, 8),), code), code)
    inline = "x.flatten(0, 1)[torch.argsort((~mask).flatten(), descending=True, stable=True)[: 3 * x.size(0)]] if step"
    assert inline in found.after


BAGS = """\
import torch
from torch import nn

device = torch.device("cuda")
tables = nn.ModuleList(nn.EmbeddingBag(n, 4, mode="sum") for n in (10, 20)).to(device)
optimizer = torch.optim.SGD(tables.parameters(), lr=0.1)
for step in range(20):
    indices = torch.randint(0, 10, (12,)).to(device)
    offsets = torch.arange(0, 12, 3).to(device)
    loss = sum(tables[k](indices, offsets).pow(2).mean() for k in range(2))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("sizes", "number"), [(((12,),), 1), (((12,), (9,)), 1), (((12,), (9,), (10,)), 0), ((), 0)], ids=str
)
def test_bags_by_offsets_are_replaced_where_a_run_has_shown_as_many_indices(
    tmp_path: Path, sizes: Sizes, number: int
) -> None:
    given = seen("indices, offsets", BAGS, Sort("tensor", "xla", "int", 1))
    row, column, _, _ = given.place
    indices = replace(given, place=(row, column, row, column + len("indices")), sizes=sizes)
    found = converted(tmp_path, observed(indices, code=BAGS), BAGS)
    assert [finding.fixed for finding in found.findings if finding.code == "XP411"] == [bool(number)]
    assert found.after.count("nn.EmbeddingBag(n, 4") == 1 - number
