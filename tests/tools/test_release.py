"""What is released: a wheel and an sdist with everything in them, that run where nothing else is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

import xlaport

ROOT = Path(__file__).parents[2]
CUDA = "import torch\nx = torch.zeros(3).cuda()\n"


def run(*command: str | Path, cwd: Path) -> str:
    """What a command prints; it must succeed."""
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that was made from it."""
    folder = tmp_path_factory.mktemp("release")
    checkout = folder / "checkout"
    # Not the checkout itself: what lies about there (build/) would come along.
    for name in ("xlaport", "rules"):
        shutil.copytree(ROOT / name, checkout / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in (
        "pyproject.toml",
        "setup.py",
        "MANIFEST.in",
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
    ):
        shutil.copy(ROOT / name, checkout / name)
    (checkout / "tests").mkdir()
    (checkout / "tests" / "test_x.py").write_text("")
    # What builds it need not be fetched where it is there, as in an environment with the extra `dev`.
    there = int(version("setuptools").partition(".")[0]) >= 77
    options = ["--no-isolation"] if there else []
    run(sys.executable, "-m", "build", *options, "--outdir", folder / "dist", checkout, cwd=folder)
    return folder / "dist"


@pytest.fixture(scope="module")
def installed(built: Path) -> Path:
    """The programs of a fresh environment with the wheel and what it asks for."""
    place = built.parent / "environment"
    run(sys.executable, "-m", "venv", place, cwd=built)
    programs = place / "bin"
    run(programs / "python", "-m", "pip", "install", "--quiet", *built.glob("*.whl"), cwd=built)
    return programs


def files() -> set[str]:
    """The files of the package in this checkout, as they are called where it is installed."""
    found = {path.relative_to(ROOT).as_posix() for name in ("xlaport", "rules") for path in (ROOT / name).rglob("*.*")}
    kept = {name for name in found if "__pycache__" not in name and not name.endswith(("/", ".md"))}
    return {re.sub(r"^rules/", "xlaport/rules/", name) for name in kept if (ROOT / name).is_file()}


def test_the_wheel_has_every_file_and_no_other(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    assert wheel.name == f"xlaport-{xlaport.__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
    about = {name for name in names if ".dist-info/" in name}
    assert names - about == files()
    assert f"xlaport-{xlaport.__version__}.dist-info/licenses/LICENSE" in about
    texts = {path.relative_to(ROOT / "rules").as_posix() for path in (ROOT / "rules").rglob("texts.toml")}
    assert len(texts) > 3
    assert {f"xlaport/rules/{name}" for name in texts} <= names
    assert {"xlaport/py.typed", "xlaport/report/port.css", "xlaport/report/verdict.js"} <= names


def test_the_sdist_has_the_source_and_what_says_what_it_is(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"} <= names
    assert {name for name in files() if not name.startswith("xlaport/rules/")} <= names
    assert {f"rules/{path.name}" for path in (ROOT / "rules").glob("*.toml")} <= names
    assert not any(name.startswith("tests/") for name in names)


def test_it_asks_for_little(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        metadata = archive.read(f"xlaport-{xlaport.__version__}.dist-info/METADATA").decode()
    asked = [line for line in metadata.splitlines() if line.startswith("Requires-Dist:") and "extra ==" not in line]
    assert {re.split(r"[ ><=;]", line.partition(": ")[2])[0] for line in asked} == {
        "libcst", "markdown-it-py", "packaging", "pyyaml", "rich", "tomli", "typer",
    }  # fmt: skip
    assert "Requires-Python: >=3.10" in metadata
    assert "License-Expression: Apache-2.0" in metadata


def test_the_extras_that_are_named_exist(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        metadata = archive.read(f"xlaport-{xlaport.__version__}.dist-info/METADATA").decode()
    extras = set(re.findall(r"^Provides-Extra: (.*)$", metadata, re.MULTILINE))
    assert extras == {"xla", "tpu", "tensorboard", "docs", "dev"}
    told = [path for name in ("xlaport", "rules") for path in (ROOT / name).rglob("*.*") if path.is_file()]
    told += [ROOT / name for name in ("Makefile", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", ".ci/run")]
    named = {
        extra
        for path in told
        if path.suffix != ".pyc"
        for names in re.findall(r"(?:\bxlaport|'\.)\[([\w, -]+)\]", path.read_text(encoding="utf-8"))
        for extra in re.split(r", *", names)
    }
    assert {"xla", "tensorboard"} <= named <= extras


def test_it_runs_where_nothing_else_is_installed(installed: Path, tmp_path: Path) -> None:
    program = installed / "xlaport"
    assert run(program, "--version", cwd=tmp_path).startswith(f"xlaport {xlaport.__version__} (Python ")
    assert run(installed / "python", "-m", "xlaport", "--version", cwd=tmp_path).startswith("xlaport ")
    (tmp_path / "train.py").write_text(CUDA)
    (tmp_path / "clean.py").write_text("import torch\n")
    assert run(program, "check", "clean.py", cwd=tmp_path) == "Nothing to port in 1 Python file.\n"
    assert "XP102  fixed" in run(program, "convert", "train.py", cwd=tmp_path)
    assert ".to(torch_xla.device())" in (tmp_path / "train.py").read_text()
    (tmp_path / "a.yaml").write_text("? device\n: cuda\n")
    (tmp_path / "requirements.txt").write_text("torch\n")
    assert "XP816" in run(program, "convert", "a.yaml", "requirements.txt", "--unsafe", cwd=tmp_path)
    assert (tmp_path / "a.yaml").read_text() == "? device\n: xla\n"
    assert run(program, "explain", "XP201", cwd=tmp_path).startswith("# XP201: ")
    rules = {line.split()[0] for line in run(program, "rules", cwd=tmp_path).splitlines() if line.startswith("XP")}
    assert len(rules) == len(list((ROOT / "tests" / "snapshots").glob("XP???")))
    assert "torch_xla" in run(program, "launch", "train.py", cwd=tmp_path)
    assert "FROM " in run(program, "launch", "train.py", "--engine", "docker", cwd=tmp_path)
    run(program, "recorder", cwd=tmp_path)
    assert (tmp_path / "xlaport_recorder.pyz").exists()
    listed = run(installed / "python", "-m", "pip", "list", "--format", "freeze", cwd=tmp_path)
    assert not re.search(r"^(torch|torch_xla|numpy)==", listed, re.MULTILINE)


def test_the_changelog_knows_the_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## \[Unreleased\]$", text, re.MULTILINE)
    assert xlaport.__version__ in text
