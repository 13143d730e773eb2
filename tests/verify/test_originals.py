"""The line of the original that a line of the port was."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from xlaport.report.static_causes import Causes
from xlaport.report.verdict_html import as_html
from xlaport.report.verdict_json import as_dict
from xlaport.report.verdict_text import as_text
from xlaport.verify.originals import align, with_originals
from xlaport.verify.request import Against, VerifyRequest
from xlaport.verify.verdict import Original, Verdict, VerdictFinding

ORIGINAL = """\
import torch

model = torch.nn.Linear(8, 2).cuda()
for x in loader:
    loss = model(x.cuda()).mean()
    loss.backward()
    optimizer.step()
    print(loss.item())
"""
PORT = """\
import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(8, 2).to(device)
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    print(loss.item())
"""


def test_lines_that_stayed_that_were_rewritten_and_that_are_new() -> None:
    places = align(ORIGINAL.splitlines(), PORT.splitlines())
    assert places == [
        (1, False),
        (1, True),
        (2, False),
        (2, True),
        (3, False),
        (4, False),
        (5, False),
        (6, False),
        (7, False),
        (7, True),
        (8, False),
    ]


def test_a_block_that_went_one_deeper_is_the_same() -> None:
    assert align(["a = 1", "b = 2"], ["with torch.autocast('xla'):", "    a = 1", "    b = 2"]) == [
        (0, True),
        (1, False),
        (2, False),
    ]


def test_a_block_of_as_many_lines_is_compared_line_by_line() -> None:
    before = [
        '"mean": epe.mean().item(),',
        '"1px": (epe < 1).float().mean().item(),',
        '"3px": (epe < 3).float().mean().item(),',
    ]
    after = [
        '"mean": (epe.sum() / valid.view(-1).sum()).item(),',
        '"1px": (torch.where(valid, (epe < 1).float(), 0).sum() / valid.sum()).item(),',
        '"3px": (torch.where(valid, (epe < 3).float(), 0).sum() / valid.sum()).item(),',
    ]
    assert align(["{", *before, "}"], ["{", *after, "}"]) == [(line, False) for line in range(1, 6)]


def test_a_block_of_as_many_lines_that_are_others_is_new() -> None:
    before = ["torch.cuda.synchronize()", "clock = now()"]
    assert align(before, ["met.report()", "xm.wait_device_ops()"]) == [(0, True), (0, True)]


def test_a_line_that_moved_is_the_one_that_it_was() -> None:
    before = ["losses.update(loss.item())", "top1.update(first)", "top5.update(fifth)", "clock = now()"]
    after = ["top1.update(first)", "top5.update(fifth)", "torch_xla.sync()", before[0], "clock = now()"]
    assert align(before, after) == [(2, False), (3, False), (3, True), (1, False), (4, False)]


def test_of_lines_that_are_alike_nobody_knows_which_has_moved() -> None:
    before = ["n = 1", "a = 1", "n = 1", "b = 2", "c = 3", "d = 4"]
    assert align(before, ["a = 1", "b = 2", "c = 3", "d = 4", "n = 1"])[-1] == (6, True)


def test_what_has_nothing_in_common_is_new() -> None:
    assert align(["torch.cuda.synchronize()", "x = 1"], ["met.report()", "x = 1"]) == [(0, True), (2, False)]


def verdict(path: Path, *lines: int) -> Verdict:
    found = tuple(VerdictFinding("host-read", "fail", "why", path=str(path), line=line) for line in lines)
    return Verdict("fail", "CPU", "2.9.0", steps=3, findings=(*found, VerdictFinding("probe", "note", "no place")))


def original(result: Verdict) -> list[Original | None]:
    return [item.original for item in result.findings]


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def against(tmp_path: Path) -> VerifyRequest:
    """A port that is compared with its original, each in a folder of its own."""
    write(tmp_path / "cuda" / "train.py", ORIGINAL)
    write(tmp_path / "tpu" / "train.py", PORT)
    return VerifyRequest(Path("tpu/train.py"), directory=tmp_path, against=Against(Path("cuda/train.py")))


def test_the_original_that_the_port_is_compared_with(tmp_path: Path, against: VerifyRequest) -> None:
    result = with_originals(verdict(tmp_path / "tpu" / "train.py", 11, 10), against)
    file = str(tmp_path / "cuda" / "train.py")
    assert original(result) == [Original(file, 8), Original(file, 7, new=True), None]
    text = as_text(result, tmp_path)
    assert "tpu/train.py:11 (was line 8 of cuda/train.py): host-read" in text
    assert "tpu/train.py:10 (new, behind line 7 of cuda/train.py): host-read" in text
    found = as_dict(result, tmp_path)["findings"]
    assert found[0]["original"] == {"file": "cuda/train.py", "line": 8, "commit": None, "new": False}
    assert found[2]["original"] is None
    assert "(was line 8 of cuda/train.py)" in as_html(result, Causes(), tmp_path)


def test_what_lies_beside_the_original_under_the_same_name(tmp_path: Path, against: VerifyRequest) -> None:
    other = write(tmp_path / "cuda" / "model.py", "x = 1\ny = x.cuda()\n")
    port = write(tmp_path / "tpu" / "model.py", "# ported\nx = 1\ny = x.to(device)\n")
    assert original(with_originals(verdict(port, 3), against))[0] == Original(str(other), 2)
    alone = write(tmp_path / "tpu" / "new.py", "x = 1\n")
    assert original(with_originals(verdict(alone, 1), against)) == [None, None]


def git(folder: Path, *arguments: str) -> str:
    who = ["-c", "user.name=A", "-c", "user.email=a@b", "-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false"]
    run = subprocess.run(["git", "-C", str(folder), *who, *arguments], capture_output=True, text=True, check=True)
    return run.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with the original, committed."""
    git(tmp_path, "init", "-q")
    write(tmp_path / "src" / "train.py", ORIGINAL)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "trains")
    return tmp_path


def test_a_port_that_is_not_committed_yet(repository: Path) -> None:
    path = write(repository / "src" / "train.py", PORT)
    request = VerifyRequest(Path("src/train.py"), directory=repository)
    commit = git(repository, "rev-parse", "--short", "HEAD")
    result = with_originals(verdict(path, 11), request)
    assert original(result)[0] == Original(str(path), 8, commit)
    assert f"src/train.py:11 (was line 8 in commit {commit}): host-read" in as_text(result, repository)


def test_a_port_that_was_committed_and_went_on(repository: Path) -> None:
    before = git(repository, "rev-parse", "--short", "HEAD")
    path = write(repository / "src" / "train.py", PORT)
    git(repository, "commit", "-qam", "ported")
    path.write_text("# for TPUs\n" + PORT, encoding="utf-8")
    git(repository, "commit", "-qam", "says so")
    request = VerifyRequest("src.train", module=True, directory=repository)
    assert original(with_originals(verdict(path, 12), request))[0] == Original(str(path), 8, before)


def test_a_file_that_never_was_another_has_no_original(repository: Path) -> None:
    path = write(repository / "src" / "new.py", PORT)
    request = VerifyRequest(path, directory=repository)
    assert original(with_originals(verdict(path, 3), request))[0] is None  # git does not know it
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "new")
    assert original(with_originals(verdict(path, 3), request))[0] is None  # it was written for torch_xla
    path.write_text("# for TPUs\n" + PORT, encoding="utf-8")
    assert original(with_originals(verdict(path, 3), request))[0] is None  # and has only been edited since
    plain = write(repository / "src" / "train.py", ORIGINAL + "\n")
    assert original(with_originals(verdict(plain, 3), request))[0] is None  # it is not ported


def test_without_git_nothing_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "train.py", PORT)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert original(with_originals(verdict(path, 3, 400), VerifyRequest(path, directory=tmp_path))) == [None] * 3
    path.unlink()
    assert original(with_originals(verdict(path, 3), VerifyRequest(path, directory=tmp_path)))[0] is None
