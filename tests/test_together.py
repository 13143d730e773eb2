"""A project converted at once, file by file, and once more: what comes out is the same, or a part stays as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from xlaport import run
from xlaport.config import Config

PROJECTS = {
    "a constant": {
        "config.py": 'DEVICE = "cuda"\nHOST = "cpu"\n',
        "main.py": "import torch\nfrom config import DEVICE\nx = torch.zeros(3).to(DEVICE)\n",
    },
    "checkpoints": {
        "config.py": 'DEVICE = "cuda:0"\n',
        "lib.py": "import torch\ndef load(path, where='cpu'):\n    return torch.load(path, map_location=where)\n",
        "main.py": "from config import DEVICE\nfrom lib import load\nload('a.pt', DEVICE)\n",
    },
    "a class and its base": {
        "pkg/__init__.py": "",
        "pkg/base.py": "class Base:\n    device = 'cpu'\n",
        "pkg/mine.py": "import torch\nfrom .base import Base\nclass Mine(Base):\n    device = 'cuda'\n"
        "    def run(self):\n        return torch.zeros(3, device=self.device)\n",
    },
    "names from torch.cuda": {
        "compat.py": "from torch.cuda import synchronize, is_available\n",
        "main.py": "import torch\nfrom compat import *\nif is_available():\n    synchronize()\n",
    },
    "modules of one name": {
        "one/utils.py": 'DEVICE = "cuda"\n',
        "one/train.py": "import torch\nfrom utils import DEVICE\ntorch.zeros(3).to(DEVICE)\n",
        "two/utils.py": 'DEVICE = "cuda"\n',
        "two/train.py": "from utils import DEVICE\nprint(DEVICE)\n",
    },
    "options": {
        "options.py": "import argparse\ndef parse():\n    p = argparse.ArgumentParser()\n"
        "    p.add_argument('--device', default='cuda', choices=['cpu', 'cuda'])\n    return p.parse_args()\n",
        "main.py": "import torch\nfrom options import parse\nargs = parse()\ntorch.zeros(3).to(args.device)\n",
    },
}

COMPARED = {
    "a constant": {
        "config.py": 'import torch\nDEVICE = "cuda"\ntorch.zeros(1).to(DEVICE)\n',
        "main.py": 'from config import DEVICE\nif DEVICE == "cuda":\n    print("fast")\n',
    },
    "an attribute of a module": {
        "state.py": 'DEVICE = "cpu"\n',
        "asks.py": 'import state\ndef fast():\n    return state.DEVICE == "cuda"\n',
        "main.py": 'import state\nimport torch\nstate.DEVICE = "cuda"\ntorch.zeros(3).to(state.DEVICE)\n',
    },
    "through a package": {
        "pkg/__init__.py": "from .config import DEVICE\n",
        "pkg/config.py": 'DEVICE = "cuda"\n',
        "main.py": 'import pkg\nimport torch\ntorch.zeros(3).to(pkg.DEVICE)\nassert pkg.DEVICE in ("cuda", "mps")\n',
    },
}  # fmt: skip


def write(folder: Path, files: dict[str, str]) -> list[Path]:
    """The files in a new project."""
    for name, text in {"pyproject.toml": "", **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return [folder / name for name in files]


def texts(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in sorted(folder.rglob("*.py"))}


def together(folder: Path, files: dict[str, str]) -> dict[str, str]:
    """The texts after a conversion at once; a second one changes nothing."""
    write(folder, files)
    run.write(run.convert([folder], Config()))
    assert not run.convert([folder], Config()).changed
    return texts(folder)


def one_by_one(folder: Path, files: dict[str, str], backwards: bool) -> dict[str, str]:
    """The texts after each file was converted, named alone."""
    for path in sorted(write(folder, files), reverse=backwards):
        run.write(run.convert([path], Config()))
    return texts(folder)


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("name", PROJECTS)
def test_file_by_file_is_the_same_as_at_once(name: str, backwards: bool, tmp_path: Path) -> None:
    assert one_by_one(tmp_path / "a", PROJECTS[name], backwards) == together(tmp_path / "b", PROJECTS[name])


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("name", COMPARED)
def test_what_has_to_change_together_stays_file_by_file(name: str, backwards: bool, tmp_path: Path) -> None:
    assert not any('"cuda"' in text for text in together(tmp_path / "b", COMPARED[name]).values())
    after = one_by_one(tmp_path / "a", COMPARED[name], backwards)
    assert not any('"xla"' in text for text in after.values())
