"""The programs in three forms: as they are written, as they run on a host without a GPU, and as xlaport ports them."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from xlaport import run
from xlaport.config import Config

_CUDA = re.compile(r"""(["'])cuda(:\d+)?\1""")


@dataclass(frozen=True)
class Port:
    """One program and its ports, each in a folder of its own."""

    name: str
    original: Path
    host: Path
    unsafe: Path
    safe: Path

    @property
    def differs(self) -> bool:
        """Whether ``--unsafe`` makes a difference."""
        return texts(self.unsafe) != texts(self.safe)


def names(folder: Path) -> list[str]:
    """The programs of a folder: files, and folders with a `main.py`."""
    return sorted(path.stem for path in folder.iterdir() if path.suffix == ".py" or (path / "main.py").is_file())


def port(source: Path, name: str, into: Path) -> Port:
    """Write the program and its ports below a folder."""
    done = Port(name, *(into / form / name for form in ("original", "host", "unsafe", "safe")))
    if (source / name).is_dir():
        shutil.copytree(source / name, done.original, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        done.original.mkdir(parents=True)
        shutil.copyfile(source / f"{name}.py", done.original / "main.py")
    shutil.copytree(done.original, done.host)
    for path in done.host.rglob("*.py"):
        path.write_text(_CUDA.sub('"cpu"', path.read_text(encoding="utf-8")), encoding="utf-8")
    convert(done.original, done.unsafe, Config(unsafe=True))
    convert(done.original, done.safe, Config())
    return done


def convert(folder: Path, out: Path, config: Config) -> None:
    """Port a folder into another."""
    result = run.write_to(run.convert([folder], config), [folder], out)
    assert not result.errors, result.errors


def texts(folder: Path) -> dict[str, str]:
    """The sources below a folder, by path."""
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in folder.rglob("*.py")}
