"""Documents in a run: which are looked at, what is written, and what the reports say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import xlaport
from xlaport.cli import app
from xlaport.documents.document import MAX_BYTES, Kind, decode, kind_of
from xlaport.errors import UserError
from xlaport.project import discover

PYTHON = "import torch\n"
YAML = "device: cuda  # x\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, **texts: str | bytes) -> None:
    for name, text in texts.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def report(*arguments: str) -> dict[str, object]:
    found = json.loads(run("check", *arguments, "--output-format", "json").stdout)
    return {
        "codes": [f["code"] for f in found["findings"]],
        "errors": found["errors"],
        "documents": found["files"]["documents"],
    }


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.yaml", Kind.YAML), ("a.yml", Kind.YAML), ("environment.yml", Kind.YAML), ("a.json", Kind.JSON),
        ("pyproject.toml", Kind.TOML), ("setup.cfg", Kind.INI), ("a.ini", Kind.INI), ("run.sh", Kind.SHELL),
        ("a.bash", Kind.SHELL), ("a.slurm", Kind.SHELL), ("a.sbatch", Kind.SHELL), ("Makefile", Kind.MAKE),
        ("Dockerfile", Kind.DOCKER), ("Dockerfile.gpu", Kind.DOCKER), ("gpu.Dockerfile", Kind.DOCKER),
        ("requirements.txt", Kind.REQUIREMENTS), ("requirements-gpu.txt", Kind.REQUIREMENTS),
        ("requirements/train.txt", Kind.REQUIREMENTS), ("README.md", None), ("notes.txt", None), ("a.py", None),
        ("poetry.lock", None), ("package-lock.json", None), ("pnpm-lock.yaml", None), ("conda-lock.yml", None),
        ("package.json", None), ("rows.jsonl", None), ("a.csv", None), (".pre-commit-config.yaml", None),
    ],
)  # fmt: skip
def test_kinds(name: str, kind: Kind | None) -> None:
    assert kind_of(Path(name)) is kind


def test_bytes_come_back() -> None:
    for data in (b"a: b", b"\xef\xbb\xbfa: b\r\n", "é: ü".encode(), b"\xff\xe9: cuda"):
        source = decode(Path("a.yaml"), data)
        mark = b"\xef\xbb\xbf" if source.bom else b""
        assert mark + source.text.encode(source.encoding) == data
    for data in (b"a\0b", b"x" * (MAX_BYTES + 1)):
        with pytest.raises(UserError):
            decode(Path("a.yaml"), data)


def test_a_project_without_torch_stays_silent(here: Path) -> None:
    write(here, a_dot_py="import numpy  # torch\n", b_dot_yaml=YAML, c_dot_sh="nvidia-smi\n")
    assert report(".") == {"codes": [], "errors": [], "documents": 0}


def test_a_project_with_torch(here: Path) -> None:
    write(here, a_dot_py=PYTHON, s__b_dot_yaml=YAML, c_dot_sh="ls\n", d_dot_sh="nvidia-smi\n")
    assert report(".") == {"codes": ["XP815", "XP811"], "errors": [], "documents": 2}
    assert report("a.py")["codes"] == []


def test_a_document_that_is_named_itself(here: Path) -> None:
    write(here, b_dot_yaml=YAML)
    assert report("b.yaml")["codes"] == ["XP811"]
    assert run("check", "b.yaml").exit_code == 1
    assert run("check", "b.yaml", "--ignore", "XP811").exit_code == 0


def test_what_is_not_looked_at(here: Path) -> None:
    write(here, a_dot_py=PYTHON, _dot_github__w_dot_yml=YAML, node_modules__x_dot_json='{"device": "cuda"}')
    write(here, out__b_dot_yaml=YAML, _dot_gitignore="out/\n", big_dot_yaml=YAML + "# x\n" * MAX_BYTES)
    write(here, binary_dot_json=b'{"device": "cuda"}\0', kept__c_dot_yaml=YAML)
    assert report(".", "--exclude", "kept")["codes"] == []
    assert report(".")["codes"] == ["XP811"]
    assert discover([Path()]).named == frozenset()


def test_a_named_document_that_is_no_text_is_an_error(here: Path) -> None:
    write(here, a_dot_json=b'{"device": "cuda"}\0', b_dot_yaml=YAML + "# x\n" * MAX_BYTES)
    found = run("check", "a.json", "b.yaml")
    assert found.exit_code == 2
    assert "a.json: contains null bytes" in found.stdout
    assert "b.yaml: is larger than 1 MB" in found.stdout


def test_a_conversion_writes_only_on_request(here: Path) -> None:
    text = b"\xef\xbb\xbfdevice: cuda\r\nnote: \xc3\xa9"
    write(here, a_dot_py=PYTHON, b_dot_yaml=text)
    assert "b.yaml\n  1:9  XP811  --unsafe" in run("convert", ".").stdout
    assert (here / "b.yaml").read_bytes() == text
    assert run("convert", ".", "--unsafe").exit_code == 0
    assert (here / "b.yaml").read_bytes() == text.replace(b"cuda", b"xla")
    assert report(".")["codes"] == []


def test_latin_1_keeps_its_bytes(here: Path) -> None:
    write(here, a_dot_py=PYTHON, b_dot_sh=b"# caf\xe9\npython t.py --device cuda\n")
    run("convert", ".", "--unsafe")
    assert (here / "b.sh").read_bytes() == b"# caf\xe9\npython t.py --device xla\n"


def test_the_diff_applies(here: Path) -> None:
    write(here, a_dot_py=PYTHON, s__b_dot_yaml="a: 1\ndevice: cuda", c_dot_sh=b"# \xe9\r\nCUDA_VISIBLE_DEVICES=0 a\r\n")
    diff = run("convert", ".", "--diff", "--unsafe")
    assert diff.exit_code == 1
    assert (here / "s/b.yaml").read_text() == "a: 1\ndevice: cuda"
    subprocess.run(["patch", "-p0", "--binary"], input=diff.stdout_bytes, cwd=here, check=True, capture_output=True)
    assert (here / "s/b.yaml").read_text() == "a: 1\ndevice: xla"
    assert (here / "c.sh").read_bytes() == b"# \xe9\r\na\r\n"


def test_a_copy_has_the_new_documents(here: Path) -> None:
    write(here, s__a_dot_py=PYTHON, s__c__b_dot_yaml=YAML, s__n_dot_yaml="x: 1\n")
    assert run("convert", "s", "--unsafe", "--out", "port").exit_code == 0
    assert (here / "port/c/b.yaml").read_text() == "device: xla  # x\n"
    assert (here / "port/n.yaml").read_text() == "x: 1\n"
    assert (here / "s/c/b.yaml").read_text() == YAML


def test_findings_come_by_path(here: Path) -> None:
    write(here, a_dot_yaml=YAML, b_dot_py="import torch\nx = torch.zeros(1).cuda()\n", c_dot_yaml=YAML)
    found = json.loads(run("check", ".", "--output-format", "json").stdout)
    assert [f["path"] for f in found["findings"]] == ["a.yaml", "b.py", "c.yaml"]
    first = found["findings"][0]
    assert (first["line"], first["column"], first["end_line"], first["end_column"]) == (1, 9, 1, 13)


def test_the_version_is_the_target_s(here: Path) -> None:
    write(here, requirements_dot_txt="torch\n")
    report = ("check", "requirements.txt", "--output-format", "json")
    assert "`torch~=2.9.0` and `torch_xla[tpu]~=2.9.0`" in run(*report).stdout
    assert "`torch~=2.8.0`" in run(*report, "--target", "2.8").stdout


def test_parsers_are_loaded_where_a_document_needs_them(here: Path) -> None:
    write(here, a_dot_py=PYTHON, b_dot_yaml="a: b\n", c_dot_yaml=YAML)
    program = (
        "import sys; from typer.testing import CliRunner; from xlaport.cli import app;"
        "CliRunner().invoke(app, ['check', *sys.argv[1:]]); print({'yaml', 'packaging'} & {*sys.modules})"
    )
    root = {**os.environ, "PYTHONPATH": str(Path(xlaport.__file__).parent.parent)}
    for paths, loaded in ((["a.py", "b.yaml"], "set()"), (["c.yaml"], "{'yaml'}")):
        done = subprocess.run([sys.executable, "-c", program, *paths], env=root, capture_output=True, text=True)
        assert done.stdout.strip() == loaded


def test_a_page(here: Path) -> None:
    assert run("explain", "XP811").stdout.startswith("# XP811: config-device\n")
