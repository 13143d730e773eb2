"""The fix that a finding offers by itself, in the text as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from xlaport import run
from xlaport.config import Config
from xlaport.report.hunks import Hunk, alone, applied, lines
from xlaport.result import ReportedFinding, TextEdit

TRAIN = """\
import torch
from torch import nn

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.cuda()
for _ in range(3):
    loss = model(torch.ones(4, 2).cuda()).sum()
    loss.backward()
    optimizer.step()
"""


def findings(tmp_path: Path, text: str, *select: str, unsafe: bool = False) -> tuple[ReportedFinding, ...]:
    path = tmp_path / "train.py"
    path.write_text(text, encoding="utf-8")
    (file,) = run.convert([path], Config(select=select, unsafe=unsafe)).files
    assert file.error is None
    return file.findings


def ported(text: str, finding: ReportedFinding) -> str:
    assert finding.fix is not None
    return applied(text, [*finding.fix.imports, *finding.fix.edits])


def test_each_fix_is_what_a_conversion_by_its_rule_writes(tmp_path: Path) -> None:
    for code in ("XP201", "XP203"):
        (one,) = findings(tmp_path, TRAIN, code)
        (file,) = run.convert([tmp_path / "train.py"], Config(select=(code,))).files
        assert ported(TRAIN, one) == file.after != TRAIN


def test_two_findings_of_a_rule_are_fixed_one_by_one(tmp_path: Path) -> None:
    first, second = findings(tmp_path, TRAIN, "XP102")
    assert ported(TRAIN, first).count("torch_xla.device()") == 1
    assert "model.to(torch_xla.device())\n" in ported(TRAIN, first)
    assert "torch.ones(4, 2).to(torch_xla.device())" in ported(TRAIN, second)
    assert all(ported(TRAIN, one).count("import torch_xla\n") == 1 for one in (first, second))


def test_what_waits_offers_its_fix_and_what_is_advice_has_none(tmp_path: Path) -> None:
    text = TRAIN.replace("optimizer.step()", "optimizer.step()\n    print(loss.item())").replace(
        "for _", "total = 0.0\nfor _"
    )
    text = text.replace(
        "    print(loss.item())\n", "    total += loss.item()\nprint(total, torch.cuda.memory_summary())\n"
    )
    found = {one.code: one for one in findings(tmp_path, text)}
    assert not found["XP303"].fixed
    assert "total = torch.tensor([0.0], " in ported(text, found["XP303"])
    assert found["XP802"].fix is None


def test_a_fix_that_only_follows_from_others_is_not_offered(tmp_path: Path) -> None:
    """In the text as it was, the two statements share their line."""
    text = "import torch\nx = torch.ones(2); torch.cuda.synchronize()\n"
    for one in findings(tmp_path, text):
        assert one.fix is None or "synchronize" not in ported(text, one)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([(2, 2, "x@")], [Hunk(2, (), ("x",))]),
        ([(2, 3, "B")], [Hunk(2, ("b",), ("B",))]),
        ([(2, 4, "")], [Hunk(2, ("b",), ())]),
        ([(0, 1, "A"), (4, 5, "C")], [Hunk(1, ("a",), ("A",)), Hunk(3, ("c",), ("C",))]),
        ([(0, 3, "z")], [Hunk(1, ("a", "b"), ("z",))]),
        ([(5, 5, "@d")], [Hunk(4, (), ("d",))]),
        ([(2, 3, "b")], []),
    ],
)
def test_the_lines_of_edits(newline: str, edits: list[tuple[int, int, str]], expected: list[Hunk]) -> None:
    width = len(newline)

    def place(offset: int) -> int:
        return offset + "a@b@c"[:offset].count("@") * (width - 1)

    text = "a@b@c".replace("@", newline)
    moved = [TextEdit(place(start), place(end), new.replace("@", newline)) for start, end, new in edits]
    assert alone(text, moved) == expected
    # The hunks say all that the edits do.
    after = lines(text)
    for hunk in reversed(expected):
        after[hunk.start - 1 : hunk.end - 1] = hunk.added
    assert after == lines(applied(text, moved))


def test_a_configuration_offers_its_fix_too(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("name: cuda-baseline\ndevice: cuda:0   # or cpu\n", encoding="utf-8")
    (file,) = run.convert([path], Config()).files
    (one,) = file.findings
    assert not one.fixed
    assert ported(file.before, one) == "name: cuda-baseline\ndevice: xla   # or cpu\n"
