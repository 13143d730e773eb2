"""``xlaport port`` on notebooks: their cells run as one script, and the notebook is what is ported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.command_line import one_line
from tests.notebook.building import notebook, sources
from tests.port.test_porting import answer, port
from xlaport.port.notebooks import left_out, place_of, texts
from xlaport.result import FileResult

TOP = "#md A title"
BEGIN = "!pip install -q torch\n%matplotlib inline\nimport torch\ndevice = torch.device('cuda')\nfiles = !ls"
BUILD = "from helper import width\nmodel = torch.nn.Linear(8, width).to(device)\ntorch.manual_seed(0)"
TRAIN = """\
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
losses = []
for step in range(14):
    x = torch.randn(4, 8).to(device)
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item()){more}
"""
SHOW = "display(sum(losses) / len(losses))\nassert get_ipython() is None and files is None"
BRANCH = "\n    if loss > 1e9:\n        break"


def folder(top: Path, more: str = "") -> Path:
    here = top / "project"
    here.mkdir()
    (here / "digits.ipynb").write_text(notebook(TOP, BEGIN, BUILD, TRAIN.format(more=more), SHOW))
    (here / "helper.py").write_text("width = 2\n")
    return here


def test_a_notebook_is_run_as_a_script_and_ported_in_place(tmp_path: Path) -> None:
    here = folder(tmp_path)
    done = port(here, script="digits.ipynb")
    assert done.returncode == 0, done.stderr
    assert "PASS" in done.stdout
    assert "Written: digits.ipynb" in done.stdout
    assert "leave out what only a kernel does: !pip install -q torch; %matplotlib inline; !ls\n" in done.stderr
    assert sorted(path.name for path in here.iterdir()) == ["digits.ipynb", "helper.py"]
    title, begin, _, train, show = sources((here / "digits.ipynb").read_text())
    assert title == TOP
    assert begin.startswith("!pip install -q torch\n%matplotlib inline\n")
    assert begin.endswith("device = torch_xla.device()\nfiles = !ls")
    assert "losses.append(loss.detach())" in train
    assert "loss.item() for loss in losses" in show


def test_what_is_left_is_named_by_its_cell(tmp_path: Path) -> None:
    here = folder(tmp_path, BRANCH)
    before = (here / "digits.ipynb").read_text()
    found = answer(port(here, "--output-format", "json", script="digits.ipynb"))
    assert found["result"] == "fail"
    (left,) = found["left"]
    place = left["path"], left["cell"], left["line"], left["code"]
    assert place == ("digits.ipynb", 4, 10, "if loss > 1e9:")
    assert {(edit["path"], edit["cell"]) for edit in found["edits"]} >= {("digits.ipynb", 2), ("digits.ipynb", 4)}
    assert (here / "digits.ipynb").read_text() == before


def test_lines_of_the_whole_are_lines_of_cells(tmp_path: Path) -> None:
    here = folder(tmp_path)
    text = (here / "digits.ipynb").read_text()
    file = FileResult(here / "digits.ipynb", text, text)
    lines = texts(file)[0].split("\n")
    place = place_of(file, lines.index("losses = []") + 1)
    assert place is not None
    assert (place.cell, place.line) == (4, 2)
    assert place_of(FileResult(Path("train.py"), "x = 1\n", "x = 1\n"), 1) is None
    assert left_out(here / "digits.ipynb") == ["!pip install -q torch", "%matplotlib inline", "!ls"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not a notebook: its JSON is broken at line 1"),
        (notebook("x <- 1", metadata={"kernelspec": {"language": "R"}}), "is a notebook of r, not of Python"),
        (notebook("import torch\nmodel.cuda(", "x = 1"), "digits.ipynb, cell 1: is not Python that can be parsed"),
    ],
)
def test_bad_notebooks_are_one_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "digits.ipynb").write_text(text)
    done = port(tmp_path, script="digits.ipynb")
    assert done.returncode == 2
    assert said in one_line(done.stderr)


def test_a_notebook_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    done = port(tmp_path, script="digits.ipynb")
    assert done.returncode == 2
    assert "digits.ipynb: no such file" in one_line(done.stderr)
