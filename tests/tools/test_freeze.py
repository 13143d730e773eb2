"""What the tool says of trees, kept and compared."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tools import freeze

SCRIPT = "import torch\nx = torch.ones(2).cuda()\ntorch.cuda.empty_cache()\n"


@pytest.fixture
def trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two"):
        (tmp_path / "trees" / name).mkdir(parents=True)
        (tmp_path / "trees" / name / "train.py").write_text(SCRIPT)
    return tmp_path / "trees"


def test_what_is_said_is_kept_and_nothing_written(trees: Path) -> None:
    taken = freeze.take(trees)
    assert set(taken) == {"one", "two"}
    said = taken["one"]["train.py"]
    assert [row[1:5] for row in said["findings"]] == [[2, 5, "XP102", "fixed safe"], [3, 1, "XP801", "fixed safe"]]
    assert "torch_xla.device()" in said["after"]
    assert (trees / "one" / "train.py").read_text() == SCRIPT
    assert list(freeze.compare(taken, freeze.take(trees))) == []


def test_each_change_is_a_line(trees: Path) -> None:
    before = freeze.take(trees)
    after = json.loads(json.dumps(before))
    one, two = after["one"]["train.py"], after["two"]["train.py"]
    gone = one["findings"].pop()
    one["findings"] += [[0, 4, 1, "XP301", "manual", "a read"], [0, 4, 1, "XP301", "manual", "another"]]
    two["findings"][0][4] = "manual"
    two["error"] = "too deep"
    assert list(freeze.compare(before, after)) == [
        f"one/train.py:3:1 XP801 gone: fixed safe: {gone[5]}",
        "one/train.py:4:1 XP301 new: manual: a read",
        "one/train.py:4:1 XP301 new: manual: another",
        "two/train.py: error: none -> too deep",
        "two/train.py:2:5 XP102 fixed safe -> manual",
    ]


def test_a_text_that_comes_out_otherwise_is_told_where_the_findings_are_the_same(trees: Path) -> None:
    before = freeze.take(trees)
    after = json.loads(json.dumps(before))
    after["one"]["train.py"]["after"] += "more\n"
    (line,) = freeze.compare(before, after)
    assert line == "one/train.py: the text comes out otherwise\n    +more"


def test_the_command_line(trees: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["freeze", "take", "trees", "before.json"])
    freeze.main()
    assert capsys.readouterr().out == "2 trees, 4 findings of 2 rules: before.json\n"
    (trees / "one" / "train.py").write_text(SCRIPT.replace("x = ", "y = "))
    monkeypatch.setattr(sys, "argv", ["freeze", "take", "trees", "after.json"])
    freeze.main()
    monkeypatch.setattr(sys, "argv", ["freeze", "compare", "before.json", "after.json"])
    with pytest.raises(SystemExit) as ended:
        freeze.main()
    assert ended.value.code == 1
    assert capsys.readouterr().out.endswith("1 changes\n")
