"""Three notebooks as people have them, converted, and run by a real kernel on XLA."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.warm_python import with_torch_xla
from xlaport import run
from xlaport.config import Config

TRAINED = Path(__file__).parent / "trained"
NAMES = ("colab", "kaggle", "magics")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("unsafe", [False, True], ids=["safe", "unsafe"])
def test_a_converted_notebook_is_valid_and_converting_it_again_changes_nothing(
    name: str, unsafe: bool, tmp_path: Path
) -> None:
    place = tmp_path / f"{name}.ipynb"
    shutil.copy(TRAINED / place.name, place)
    nbformat.validate(nbformat.read(place, as_version=4))
    run.write(run.convert([place], Config(unsafe=unsafe)))
    nbformat.validate(nbformat.read(place, as_version=4))
    assert place.read_bytes() != (TRAINED / place.name).read_bytes()
    assert not run.convert([place], Config(unsafe=unsafe)).changed


@pytest.mark.parametrize(("name", "unsafe"), [*((name, False) for name in NAMES), ("colab", True)])
def test_a_converted_notebook_trains_on_xla(
    name: str, unsafe: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / f"{name}.ipynb"
    shutil.copy(TRAINED / place.name, place)
    run.write(run.convert([place], Config(unsafe=unsafe)))
    notebook = nbformat.read(place, as_version=4)

    monkeypatch.setenv("PJRT_DEVICE", "CPU")
    monkeypatch.setenv("PIP_NO_INDEX", "1")  # what the notebook would install is here already
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    kernel = tmp_path / "kernels" / "warm" / "kernel.json"
    kernel.parent.mkdir(parents=True)
    command = [with_torch_xla(), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    kernel.write_text(json.dumps({"argv": command, "display_name": "warm", "language": "python"}), encoding="utf-8")
    client = NotebookClient(notebook, timeout=300, kernel_name="warm", resources={"metadata": {"path": str(tmp_path)}})
    client.execute()  # raises where a cell does

    printed = "".join(
        output.text for cell in notebook.cells for output in cell.get("outputs", ()) if output.output_type == "stream"
    )
    results = [line for line in printed.splitlines() if line.startswith("RESULT")]
    assert len(results) == 1
    assert "False" not in results[0]
    if name == "colab":
        assert "training on xla:0" in printed
        assert "epoch 2 done" in printed  # by a shell line in a loop
    if name == "magics":
        assert "on the device" in printed
        assert "Wall time" in printed


def test_what_is_not_code_of_a_changed_cell_is_the_same() -> None:
    for name in NAMES:
        (file,) = run.convert([TRAINED / f"{name}.ipynb"], Config(unsafe=True)).files
        before, after = json.loads(file.before), json.loads(file.after)
        for old, new in zip(before["cells"], after["cells"], strict=True):
            assert {**old, "source": ""} == {**new, "source": ""}
            magics = [line for line in _lines(old) if line.lstrip()[:1] in ("%", "!", "?")]
            assert magics == [line for line in _lines(new) if line.lstrip()[:1] in ("%", "!", "?")]
        assert {**before, "cells": []} == {**after, "cells": []}


def _lines(cell: dict[str, object]) -> list[str]:
    source = cell["source"]
    text = source if isinstance(source, str) else "".join(source) if isinstance(source, list) else ""
    return text.splitlines()
