"""What is ported: the files that a script leads to, and the documents beside them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.commands.command_line import write
from xlaport import run
from xlaport.config import Config
from xlaport.errors import UserError
from xlaport.port.bench import FolderBench
from xlaport.port.program import files_of, root_of
from xlaport.port.request import PortRequest
from xlaport.verify import Recordings

YAML = "device: cuda\n"


def project(top: Path) -> Path:
    write(top, train="import torch\nimport lib.net\nimport data\n", data="", other="import train\n", __init__="")
    write(top / "lib", __init__="from .net import *\n", net="from . import deep\n", deep="", lone="")
    (top / "config.yaml").write_text(YAML)
    return top.resolve()


def names(request: PortRequest) -> set[str]:
    return {path.relative_to(request.folder).as_posix() for path in files_of(request)}


IMPORTED = {"train.py", "data.py", "lib/__init__.py", "lib/net.py", "lib/deep.py", "config.yaml"}


def test_the_script_leads_to_what_it_imports(tmp_path: Path) -> None:
    assert names(PortRequest(project(tmp_path), Path("train.py"))) == IMPORTED


def test_what_is_excluded_stays(tmp_path: Path) -> None:
    config = Config(exclude=("lib/deep.py", "*.yaml"))
    found = names(PortRequest(project(tmp_path), Path("train.py"), config=config))
    assert found == IMPORTED - {"lib/deep.py", "config.yaml"}


def test_a_module_and_what_a_launcher_starts(tmp_path: Path) -> None:
    here = project(tmp_path)
    assert names(PortRequest(here, "lib.net", module=True)) == {
        "lib/__init__.py", "lib/net.py", "lib/deep.py", "config.yaml"
    }  # fmt: skip
    launched = PortRequest(here, "torch.distributed.run", ("--nproc_per_node=1", "train.py", "--lr", "1"), module=True)
    assert names(launched) == IMPORTED


def test_the_whole_folder(tmp_path: Path) -> None:
    here = project(tmp_path)
    assert files_of(PortRequest(here, Path("train.py"), whole=True)) == [here]


@pytest.mark.parametrize("script", ["gone.py", "../train.py", "config.yaml"])
def test_a_script_that_is_not_there_is_said(tmp_path: Path, script: str) -> None:
    here = project(tmp_path)
    with pytest.raises(UserError, match=r"no such file in .*, where it is to run; see --cwd"):
        files_of(PortRequest(here, Path(script)))


@pytest.mark.parametrize(("codes", "text"), [(("XP811",), "device: xla\n"), (("XP3",), YAML), ((), YAML)])
def test_documents_follow_the_rules_that_are_chosen(tmp_path: Path, codes: tuple[str, ...], text: str) -> None:
    result = run.convert(files_of(PortRequest(project(tmp_path), Path("train.py"))), Config(unsafe_codes=codes))
    assert {file.path.name: file.after for file in result.files}["config.yaml"] == text


LOGGED = """
import torch
from data import dataset
from torch.utils.data import DataLoader

loader = DataLoader(dataset, batch_size=12, drop_last=True)
model = torch.nn.Linear(8, 1).to("cuda")
optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
for epoch in range(3):
    for i, (images, _) in enumerate(loader):
        loss = model(images.to("cuda")).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i % 10 == 0:
            print(i, loss.item())
"""


def test_no_fix_waits_for_one_that_is_not_made(tmp_path: Path) -> None:
    here = write(tmp_path / "logged", train=LOGGED)
    every = run.convert([here], Config(unsafe=True)).findings
    assert {("XP202", True), ("XP305", True)} <= {(found.code, found.fixed) for found in every}
    alone = run.convert([here], Config(unsafe_codes=("XP305",))).findings
    assert {("XP202", False), ("XP305", True)} <= {(found.code, found.fixed) for found in alone}


def test_what_python_path_names_of_the_git_work_tree_is_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = tmp_path.resolve()
    write(top / "src", net="import deep\n", deep="", lone="")
    write(top / "projects" / "adder", adder="import net\n")
    here = top / "projects" / "adder"
    monkeypatch.setenv("PYTHONPATH", f"{top / 'src'}:{tmp_path.parent}")
    assert root_of(here) == here  # nobody says what belongs together
    (top / ".git").mkdir()
    assert root_of(here) == top
    found = names(PortRequest(top, Path("adder.py"), inner=here.relative_to(top)))
    assert found == {"projects/adder/adder.py", "src/net.py", "src/deep.py"}


USES = """
import torch


def moved(x, device):
    if device == "cuda":
        torch.set_default_dtype(torch.float32)
    return x.to(device){half}
"""
STARTS = 'import torch\nfrom lib.uses import moved\n\ndevice = "cuda"\nprint(moved(torch.ones(2), device){half})\n'
TAKES = "import torch\nfrom options import DEVICE\n\nprint(torch.ones(2, device=DEVICE))\n"
LOOKS_UP = 'from options import DEVICE\nimport torch\n\nprint({"cuda": 1}[DEVICE], torch.ones(2))\n'


def with_another(top: Path, half: str = "") -> Path:
    """A script, and another one that leads to the same file."""
    write(top, train=STARTS.format(half=""), probe=STARTS.format(half=half))
    write(top / "lib", __init__="", uses=USES.format(half=half))
    return top.resolve()


def converted(here: Path, config: Config) -> dict[str, str]:
    """What becomes of the files that differ."""
    result = run.convert(files_of(PortRequest(here, Path("train.py"), config=config)), config)
    return {file.path.relative_to(here).as_posix(): file.after for file in result.changed}


def test_another_script_holds_nothing_back_and_stays(tmp_path: Path) -> None:
    here = with_another(tmp_path)
    assert converted(here, Config()) == {}  # of a project, all or none
    found = converted(here, Config(is_run=True))
    assert found.keys() == {"train.py", "lib/uses.py"}
    assert 'device = "xla"' in found["train.py"]
    assert 'device == "xla"' in found["lib/uses.py"]
    write(here, **{Path(name).stem: text for name, text in found.items() if name == "train.py"})
    write(here / "lib", uses=found["lib/uses.py"])
    config = Config(is_run=True)
    later = run.convert(files_of(PortRequest(here, Path("probe.py"), config=config)), config)
    assert {file.path.name: file.after for file in later.changed} == {"probe.py": found["train.py"]}


def test_a_file_that_the_script_leads_to_holds_back_what_belongs_to_it(tmp_path: Path) -> None:
    here = with_another(tmp_path)
    write(here, train=(here / "train.py").read_text() + "import probe\n")
    assert converted(here, Config(is_run=True, exclude=("probe.py",))) == {}
    assert converted(here, Config(is_run=True)).keys() == {"train.py", "probe.py", "lib/uses.py"}


def test_what_another_script_does_with_the_text_holds_nothing_back(tmp_path: Path) -> None:
    here = write(tmp_path, options='DEVICE = "cuda"\n', train=TAKES, probe=LOOKS_UP).resolve()
    assert converted(here, Config()) == {}
    assert converted(here, Config(is_run=True)).keys() == {"options.py"}


def test_float16_of_another_script_holds_nothing_back(tmp_path: Path) -> None:
    here = with_another(tmp_path, half=".half()")
    config = Config(unsafe=True, select=("XP505",))
    assert converted(here, config) == {}
    assert converted(here, replace(config, is_run=True)).keys() == {"lib/uses.py"}
    request = PortRequest(here, Path("train.py"), config=Config(select=("XP505",)))
    assert FolderBench(request, Recordings()).offered().codes == {"XP505"}
