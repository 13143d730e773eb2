"""A run over several files: which of them it looks at, and what one file makes of another."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from xlaport import run
from xlaport.config import Config
from xlaport.result import RunResult

TRAINER = "import torch\nclass Trainer:\n    def __init__(self, device):\n        self.x = torch.zeros(3).to(device)\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(**sources: str) -> None:
    for name, source in sources.items():
        path = Path(name.replace("__", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(source))


def convert(*names: str, unsafe: bool = False) -> RunResult:
    result = run.convert([Path(name) for name in names or (".",)], Config(unsafe=unsafe))
    assert not result.errors
    return result


@pytest.mark.usefixtures("folder")
class TestWhichFilesAreLookedAt:
    def test_none_where_no_file_speaks_of_torch(self) -> None:
        write(main='from lib import run\nrun("cuda")', lib='def run(device): print(device == "cuda")')
        result = convert()
        assert (result.seen, result.parsed, result.findings) == (2, 0, ())

    def test_a_file_without_torch_that_moves_something_to_the_gpu(self) -> None:
        write(main="def to_gpu(x):\n    return x.cuda()")
        assert [finding.code for finding in convert().findings] == ["XP102"]

    def test_a_file_without_torch_that_hands_a_device_to_one_with_it(self) -> None:
        write(main='from trainer import Trainer\nTrainer("cuda")', trainer=TRAINER)
        assert convert().parsed == 2

    def test_a_file_without_torch_that_is_read_by_one_with_it(self) -> None:
        write(config='DEVICE = "cuda"', main="import torch\nfrom config import DEVICE\ntorch.zeros(3).to(DEVICE)")
        assert convert().parsed == 2

    def test_a_file_that_joins_two_without_mentioning_either_s_words(self) -> None:
        write(
            options='DEVICE = "cuda"',
            main="import options, mover\nmover.Trainer(options.DEVICE)",
            mover=TRAINER,
        )
        assert [file.path.name for file in convert().files] == ["mover.py", "options.py"]

    def test_a_file_that_gets_torch_s_names_from_another(self) -> None:
        write(
            compat="from torch.cuda import synchronize as wait", main="from compat import wait\nwait()  # synchronize"
        )
        assert [file.path.name for file in convert().files] == ["compat.py", "main.py"]
        assert {finding.path for finding in convert().findings} == {"main.py"}

    def test_not_a_file_that_has_nothing_to_do_with_torch(self) -> None:
        write(trainer=TRAINER, plot='COLORS = {"cuda": "green"}\nprint(1)', other="import plot\nplot.COLORS['cuda']")
        assert [file.path.name for file in convert().files] == ["trainer.py"]


@pytest.mark.usefixtures("folder")
class TestFilesThatAreNamed:
    def test_what_they_import_is_read_but_not_reported_on(self) -> None:
        write(
            compat='from torch.cuda import synchronize\nx = "cuda"\nx.cuda()',
            main="from compat import *\nsynchronize()",
        )
        result = convert("main.py")
        assert (result.seen, [f.path.name for f in result.files]) == (1, ["main.py"])
        assert {(finding.path, finding.code) for finding in result.findings} == {("main.py", "XP204")}

    def test_a_neighbour_that_cannot_be_parsed_does_no_harm(self) -> None:
        write(
            compat="from torch.cuda import synchronize\nthis is no Python",
            main="import torch\nfrom compat import *\nx.cuda()",
        )
        assert [finding.code for finding in convert("main.py").findings] == ["XP102"]

    def test_a_file_gets_the_same_findings_alone_and_among_others(self) -> None:
        write(
            pkg____init__="",
            pkg__a="from torch.cuda import synchronize",
            pkg__b="from .a import synchronize\nsynchronize()",
        )
        together = [f for f in convert().findings if f.path == "pkg/b.py"]
        assert [f.code for f in together] == ["XP204"]
        assert list(convert("pkg/b.py").findings) == together


@pytest.mark.usefixtures("folder")
class TestAllOrNothing:
    COMMON = 'import torch\ndef use(device):\n    if device == "cuda": print(1)\n    torch.zeros(3).to(device)\n'

    def test_what_belongs_together_changes_together(self) -> None:
        write(common=self.COMMON, main='from common import use\nuse("cuda")\n')
        texts = {file.path.name: file.after for file in convert().changed}
        assert 'device == "xla"' in texts["common.py"]
        assert 'use("xla")' in texts["main.py"]

    @pytest.mark.parametrize("name", ["main.py", "common.py"])
    def test_nothing_changes_where_a_part_is_not_in_the_run(self, name: str) -> None:
        write(common=self.COMMON, main='from common import use\nuse("cuda")\n')
        assert not convert(name).changed

    def test_a_file_that_is_named_says_what_it_belongs_to(self) -> None:
        write(common=self.COMMON, main='from common import use\nuse("cuda")\n')
        (found,) = convert("main.py").findings
        assert "line 3 of common.py belongs to it and is not converted" in found.message

    def test_a_file_that_is_named_knows_what_imports_it(self) -> None:
        write(config='DEVICE = "cuda"', main="import torch\nfrom config import DEVICE\ntorch.zeros(3).to(DEVICE)")
        (alone,) = convert("config.py").changed
        (together,) = convert().changed
        assert alone.after == together.after
        write(other='from config import DEVICE\nassert DEVICE == "cuda"')
        assert not convert("config.py").changed
        assert len(convert().changed) == 2

    def test_a_file_that_is_named_knows_what_imports_the_same_as_it(self) -> None:
        write(state='DEVICE = "cpu"', asks='import state\nassert state.DEVICE == "cuda"')
        write(sets='import torch, state\nstate.DEVICE = "cuda"\ntorch.zeros(3).to(state.DEVICE)')
        assert not convert("sets.py").changed
        assert {file.path.name for file in convert().changed} == {"sets.py", "asks.py"}

    def test_both_files_named(self) -> None:
        write(common=self.COMMON, main='from common import use\nuse("cuda")\n')
        assert len(convert("main.py", "common.py").changed) == 2


@pytest.mark.usefixtures("folder")
def test_an_import_that_another_file_gets_from_here_stays() -> None:
    lib = "import torch\nfrom torch import cuda\ncuda.synchronize()\n"
    write(lib=lib, main="from lib import cuda\nprint(cuda)")
    (changed,) = convert().changed
    assert "from torch import cuda" in changed.after
    write(main="import lib")
    (changed,) = convert().changed
    assert "from torch import cuda" not in changed.after


EMBEDDER = """
class Embedder:
    def __init__(self, model):
        self.model = model

    def cuda(self):
        self.model.cuda()
"""


@pytest.mark.usefixtures("folder")
class TestMethodsCalledCuda:
    """``.cuda()`` of a class in another file has no ``.to()``."""

    @pytest.mark.parametrize(
        ("task", "stays"),
        [
            ("import torch\n\n\ndef run(embedder):\n    embedder.cuda()\n", True),
            ("import torch\nfrom embedder import Embedder\n\nEmbedder(torch.nn.Linear(2, 1)).cuda()\n", False),
            ("import torch\n\nmodel = torch.nn.Linear(2, 1)\nmodel.cuda()\n", None),
            ("import torch\n\n\ndef run():\n    return torch.zeros(3).cuda()\n", None),
        ],
    )
    def test_it_stays_and_is_told_where_it_is_not_known(self, task: str, stays: bool | None) -> None:
        write(embedder=f"import torch\n{EMBEDDER}", task=task)
        found = [f for f in convert(unsafe=True).findings if f.path == "task.py" and f.code == "XP102"]
        if stays is None:
            assert [finding.fixed for finding in found] == [True]
        else:
            assert ["a method of your own, in `embedder.py`" in finding.message for finding in found] == [True] * stays
            assert not any(finding.fixed for finding in found)

    def test_no_other_project_s(self) -> None:
        write(
            task="import torch\n\n\ndef run(embedder):\n    embedder.cuda()\n", other="import torch\n# def cuda(self)\n"
        )
        assert [f.fixed for f in convert(unsafe=True).findings if f.path == "task.py"] == [True]


OF_A_FUNCTION = """
import torch
from torch import nn
from torch.utils.data import DataLoader


def compute(model, x):
    loss = model(x).mean()
    loss.backward()
    return loss.item()


def train():
    model = nn.Linear(4, 1).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, x in enumerate(DataLoader(torch.zeros(8, 4))):
        value = compute(model, x.cuda())
        optimizer.step()
        optimizer.zero_grad()
        if i % 100 == 0:
            print(value)
"""
OF_A_METHOD = """
import torch
from torch import nn
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self):
        self.model = nn.Linear(4, 1).cuda()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def compute(self, x):
        loss = self.model(x).mean()
        loss.backward()
        return loss.item()

    def fit(self):
        for i, x in enumerate(DataLoader(torch.zeros(8, 4))):
            value = self.compute(x.cuda())
            self.optimizer.step()
            self.optimizer.zero_grad()
            if i % 100 == 0:
                print(value)
"""


@pytest.mark.usefixtures("folder")
class TestWhatManyFilesUse:
    """A function that more files may call than are looked at gives what it gave: nobody knows what they do with it."""

    @pytest.mark.parametrize("users", [0, 1, 30])
    @pytest.mark.parametrize(
        ("common", "use"),
        [
            (OF_A_FUNCTION, "from common import compute\n\nprint(json.dumps(compute(torch.nn.Linear(4, 1), 3)))\n"),
            (OF_A_METHOD, "from common import Trainer\n\ntrainer = Trainer()\nprint(json.dumps(trainer.compute(3)))\n"),
        ],
        ids=["function", "method"],
    )
    def test_it_gives_what_it_gave(self, common: str, use: str, users: int) -> None:
        write(common=common, **{f"user{number}": f"import json\nimport torch\n{use}" for number in range(users)})
        after = {file.path.name: file.after for file in convert(unsafe=True).files}["common.py"]
        assert ("return loss.item()" in after) is (users > 0)


@pytest.mark.parametrize(("given", "is_known"), [(["train.py", "parts"], True), (["."], True), (["parts"], False)])
def test_a_folder_without_an_init_is_a_package_beside_a_script_that_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: list[str], is_known: bool
) -> None:
    parts = tmp_path / "parts"
    parts.mkdir()
    (parts / "place.py").write_text("import torch\n\ndevice = torch.device('cuda')\n", encoding="utf-8")
    (parts / "use.py").write_text(
        "from parts.place import device\n\nis_gpu = device.type == 'cuda'\n", encoding="utf-8"
    )
    (tmp_path / "train.py").write_text("import torch\n\nimport parts.use\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    result = run.convert([Path(path) for path in given], Config())
    assert any(finding.path.endswith("use.py") for finding in result.findings) == is_known
