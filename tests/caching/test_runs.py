"""A second run finds what the first one found, without looking again, until something that it rests on changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xlaport import run
from xlaport.caching.store import Store
from xlaport.config import Config
from xlaport.result import FileResult, RunResult

TRAIN = """import torch
from model import Net
from settings import DEVICE

model = Net().to(DEVICE)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.randn(8, 4):
    loss = model(x.to(DEVICE)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
"""
MODEL = "from torch import nn\n\n\nclass Net(nn.Linear):\n    def __init__(self):\n        super().__init__(4, 1)\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "train.py").write_text(TRAIN)
    (folder / "model.py").write_text(MODEL)
    (folder / "settings.py").write_text('DEVICE = "cuda"\n')
    (folder / "pyproject.toml").write_text("")
    monkeypatch.chdir(folder)
    return folder


class Counting:
    """Runs over the project, and how many files were analysed for the last one."""

    def __init__(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store = Store(place)
        self.analysed = 0
        whole = run._convert_file

        def counted(*given: Any) -> FileResult:
            self.analysed += 1
            return whole(*given)

        monkeypatch.setattr(run, "_convert_file", counted)

    def __call__(self, *paths: str, config: Config | None = None) -> RunResult:
        self.analysed = 0
        return run.convert([Path(path) for path in paths or (".",)], config or Config(), run.Effort(store=self.store))


@pytest.fixture
def again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Counting:
    return Counting(tmp_path / "cache", monkeypatch)


def test_the_second_run_finds_the_same_without_looking(project: Path, again: Counting) -> None:
    first = again()
    assert again.analysed == 3
    assert first.findings
    assert first.changed
    second = again()
    assert again.analysed == 0
    assert second == first


def test_a_store_of_another_process_serves_as_well(project: Path, again: Counting, tmp_path: Path) -> None:
    first = again()
    again.store = Store(tmp_path / "cache")
    assert again() == first
    assert again.analysed == 0


CHANGES: dict[str, Callable[[Path], object]] = {
    "a file": lambda folder: (folder / "settings.py").write_text('DEVICE = "cpu"\n'),
    "a new file": lambda folder: (folder / "other.py").write_text("from settings import DEVICE\nimport torch\n"),
    "one less": lambda folder: (folder / "settings.py").unlink(),
    "another name": lambda folder: (folder / "settings.py").rename(folder / "Settings.py"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_the_run_rests_on_has_changed(project: Path, again: Counting, change: Callable[[Path], object]) -> None:
    again()
    change(project)
    found = again()
    assert again.analysed > 0
    assert found == run.convert([Path()], Config())


@pytest.mark.parametrize("config", [Config(unsafe=True), Config(ignore=("XP103",)), Config(target="2.4")])
def test_other_settings_are_another_run(project: Path, again: Counting, config: Config) -> None:
    again()
    assert again(config=config) == run.convert([Path()], config)
    assert again.analysed > 0


def test_a_file_that_is_only_imported_counts(project: Path, again: Counting) -> None:
    first = again("train.py")
    assert any(finding.code == "XP103" or "settings" in finding.message for finding in first.findings) or first.findings
    assert again("train.py") == first
    assert again.analysed == 0
    (project / "settings.py").write_text('DEVICE = "cpu"\n')
    again("train.py")
    assert again.analysed > 0


def test_a_file_that_comes_to_import_it_counts(project: Path, again: Counting) -> None:
    again("model.py")
    (project / "tools").mkdir()
    (project / "tools" / "use.py").write_text("import torch\nfrom model import Net\nNet().cuda()\n")
    again("model.py")
    assert again.analysed > 0


def test_data_that_comes_and_goes_does_not(project: Path, again: Counting) -> None:
    again()
    (project / "results.csv").write_text("1,2\n")
    (project / "__pycache__").mkdir()
    again()
    assert again.analysed == 0


def test_another_version_looks_again(project: Path, again: Counting, monkeypatch: pytest.MonkeyPatch) -> None:
    again()
    monkeypatch.setattr("xlaport.__version__", "99.0")
    again()
    assert again.analysed > 0


def test_what_is_kept_is_broken(project: Path, again: Counting) -> None:
    first = again()
    connection = again.store._connection
    assert connection is not None
    with connection:
        connection.execute("UPDATE results SET value = ?", (b"no pickle",))
    assert again() == first
    assert again.analysed > 0


def test_several_processes_leave_the_same(project: Path, again: Counting) -> None:
    for number in range(40):
        (project / f"more{number}.py").write_text(f"from settings import DEVICE\n{TRAIN}")
    alone = run.convert([Path()], Config())
    shared = run.convert([Path()], Config(), run.Effort(2, again.store))
    assert shared == alone
    assert again() == alone
    assert again.analysed == 0


class TestOneFile:
    """A remark in one file leaves what was found in the others."""

    def looked_at(self, again: Counting) -> int:
        """How many files a run looks at, which has to find what one without a store finds."""
        found, analysed = again(), again.analysed
        assert found == run.convert([Path()], Config())
        return analysed

    def with_line(self, file: Path, line: str, at: int = 0) -> None:
        lines = file.read_text().split("\n")
        file.write_text("\n".join([*lines[:at], line, *lines[at:]]))

    @pytest.mark.parametrize("line", ["# a remark about nothing", "", "    # further in, about layers"])
    def test_only_that_file_is_looked_at_again(self, project: Path, again: Counting, line: str) -> None:
        again()
        self.with_line(project / "model.py", line, 2)
        assert self.looked_at(again) == 1
        assert self.looked_at(again) == 0

    def test_it_may_come_and_go(self, project: Path, again: Counting) -> None:
        again()
        for line in ("# one", "# two"):
            self.with_line(project / "settings.py", line)
            assert self.looked_at(again) == 1

    @pytest.mark.parametrize(
        "line",
        [
            "X = 1",
            "# xlaport: ignore",
            "# Net().cuda()",
            "# see torch",
            "# distributed training",
            "# caf\u00e9",
            "# x = 1",
        ],
    )
    def test_what_may_mean_something_to_others_is_looked_at_everywhere(
        self, project: Path, again: Counting, line: str
    ) -> None:
        again()
        self.with_line(project / "model.py", line)
        assert self.looked_at(again) == 3

    def test_what_names_the_file_has_its_new_lines(self, project: Path, again: Counting) -> None:
        build = "def build():\n    model = Net()\n    return model, torch.optim.SGD(model.parameters())\n"
        (project / "model.py").write_text(f"import torch\n{MODEL}\n\n{build}")
        (project / "train.py").write_text(
            "import torch\nfrom model import build\nmodel, optimizer = build()\nmodel.cuda()\n"
        )
        before = again()
        self.with_line(project / "model.py", "# one line more")
        named = any("model.py" in finding.message for finding in before.findings if finding.path == "train.py")
        assert self.looked_at(again) == (2 if named else 1)

    def test_a_notebook_is_asked_like_any_other_file(self, project: Path, again: Counting) -> None:
        def with_cell(source: str) -> None:
            cell: dict[str, object] = {
                "cell_type": "code",
                "execution_count": None,
                "metadata": {},
                "outputs": [],
                "source": source,
            }
            text = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 4})
            (project / "n.ipynb").write_text(text)

        (project / "settings.py").write_text("import os\nimport torch\nos.environ['NCCL_DEBUG'] = 'INFO'\n")
        with_cell("import torch")
        again()
        with_cell("import os\nimport torch\nprint(os.environ['NCCL_DEBUG'])")
        assert self.looked_at(again) > 0

    def test_a_request_that_comes_to_mean_another_line(self, project: Path, again: Counting) -> None:
        (project / "model.py").write_text(f"{MODEL}\n# xlaport: ignore[XP1]\n\nX = 1\n")
        again()
        (project / "model.py").write_text(f"{MODEL}\n# xlaport: ignore[XP1]\nX = 1\n")
        assert self.looked_at(again) == 3

    def test_a_helper_stays_where_it_is(self, project: Path, again: Counting) -> None:
        """Which of two files defines what both need does not go by how long their comments are."""
        for name in ("a", "b"):
            (project / f"{name}.py").write_text(
                "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
                "        self.bag = nn.EmbeddingBag(8, 4, mode='mean')\n\n    def forward(self, x, offsets):\n"
                "        return self.bag(x, offsets)\n"
            )
        (project / "main.py").write_text("import torch\nfrom a import Net\nfrom b import Net as Other\nNet().cuda()\n")
        again()
        self.with_line(project / "a.py", "# more and more and more of that, which was longer and longer and longer")
        assert self.looked_at(again) == 1

    def test_a_file_that_no_longer_parses_is_an_error(self, project: Path, again: Counting) -> None:
        again()
        (project / "settings.py").write_text("DEVICE = (\n")
        found = again()
        assert found == run.convert([Path()], Config())
        assert any(file.error or found.errors for file in found.files) or found.errors
