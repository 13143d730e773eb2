"""Which failures of a port are those of its original: a missing module, a file that is no Python."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.commands.command_line import write
from xlaport.port.original import original_stops
from xlaport.result import FileResult, RunResult
from xlaport.verify.originals import align
from xlaport.verify.verdict import Original, Verdict, VerdictFinding

MISSING = "The script failed: ModuleNotFoundError: No module named 'timm'"
UNNAMED = "The script failed: ImportError: cannot import name 'fast' from 'lib.ops' (/copy/lib/ops.py)"
BROKEN = "The script failed: SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?"
TRAIN = 'import timm\nx = timm.make("cuda")\n'
PORTED = 'import timm\nx = timm.make("xla")\n'


def stops(here: Path, reason: str, before: str, after: str, line: int, *, unsafe: str = "", steps: int = 0) -> bool:
    """Whether the original stops, too, where a port does in a line. `unsafe`: the port with all unsafe fixes."""
    path = write(here, train=before) / "train.py"
    place, is_new = align(before.splitlines(), after.splitlines())[line - 1]
    original = Original(os.path.realpath(path), place, None, is_new)
    item = VerdictFinding("script-failed", "fail", reason, "", str(path), line, original=original)
    verdict = Verdict("error", "CPU", "2.9", steps, 2, findings=(item,))
    results = [
        RunResult("2.9", 1, 1, (FileResult(path, before, text), FileResult(here / "lib" / "net.py", "a", "b")))
        for text in (after, unsafe or after)
    ]
    return original_stops(verdict, results[0], lambda: results[1])


@pytest.mark.parametrize(
    "before", [TRAIN, "def main():\n    import timm\n", "if __name__ == '__main__':\n  import timm\n"]
)
def test_a_module_that_is_imported_on_no_condition(tmp_path: Path, before: str) -> None:
    line = 1 + (not before.startswith("import"))
    assert stops(tmp_path, MISSING, before, before.replace("cuda", "xla"), line)


@pytest.mark.parametrize(
    "before",
    [
        "if torch.cuda.is_available():\n    import timm\n",
        "try:\n    import timm\nexcept KeyError:\n    pass\n",
        'import importlib\nimportlib.import_module(f"backends.{device}")\n',
        'import torch\nraise ModuleNotFoundError("No module named timm")\n',
    ],
)
def test_a_module_that_another_device_may_not_need(tmp_path: Path, before: str) -> None:
    assert not stops(tmp_path, MISSING, before, before, 2)


def test_a_module_that_an_edit_brings_or_may_take_away(tmp_path: Path) -> None:
    assert not stops(tmp_path, MISSING, 'x = make("cuda")\n', PORTED, 1)
    assert not stops(tmp_path, MISSING, "import apex, timm\nx = 1\n", "import timm\nx = 1\n", 1)
    assert not stops(tmp_path, MISSING, TRAIN, PORTED, 1, unsafe="import torch\nx = 1\n")


def test_a_run_that_has_made_steps(tmp_path: Path) -> None:
    assert not stops(tmp_path, MISSING, TRAIN, PORTED, 1, steps=3)


def test_a_name_that_is_missing_in_what_no_edit_has_changed(tmp_path: Path) -> None:
    before = "from lib.ops import fast\n"
    assert stops(tmp_path, UNNAMED, before, before, 1)
    assert not stops(tmp_path, UNNAMED.replace("ops", "net"), before, before, 1)


def test_a_file_that_is_no_python(tmp_path: Path) -> None:
    assert stops(tmp_path, BROKEN, "import torch\nprint 1\n", "import torch\nprint 1\n", 2)
    assert not stops(tmp_path, BROKEN, "import torch\nexec('print 1')\n", "import torch\nexec('print 1')\n", 2)


def test_a_file_that_nothing_looked_at(tmp_path: Path) -> None:
    write(tmp_path, data="import timm\n", old="print 1\n")

    def said(name: str, reason: str) -> bool:
        item = VerdictFinding("script-failed", "fail", reason, "", str(tmp_path / name), 1)
        nothing = RunResult("2.9", 0, 0)
        return original_stops(Verdict("error", "CPU", "2.9", 0, 2, findings=(item,)), nothing, lambda: nothing)

    assert said("data.py", MISSING)
    assert said("old.py", BROKEN)
    assert not said("gone.py", MISSING)
