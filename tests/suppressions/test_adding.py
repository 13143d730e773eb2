"""Comments that ask to ignore what is found today: where they are written, and that nothing is found afterwards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from xlaport import registry, run
from xlaport.config import Config
from xlaport.rule import SuppressionRule
from xlaport.suppressions.adding import Added, add, with_ignores
from xlaport.work import Typed

JUDGES = {rule.code for rule in registry.load() if isinstance(rule, SuppressionRule)}


def added(folder: Path) -> Added:
    return add(lambda: run.convert([folder], Config()), JUDGES)


def written(folder: Path, text: str, name: str = "a.py") -> str:
    """The text after comments were added, in which nothing more may be found."""
    file = folder / name
    file.write_bytes(text.encode())
    outcome = added(folder)
    assert not outcome.left
    assert not outcome.errors
    after = run.convert([folder], Config())
    assert not after.findings
    assert file.read_bytes().decode() == after.files[0].before if after.files else True
    return file.read_bytes().decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = y.cuda()\n", "x = y.cuda()  # xlaport: ignore[XP102]\n"),
        ("x = y.cuda()", "x = y.cuda()  # xlaport: ignore[XP102]"),
        ("x = y.cuda()\r\nz = 1\r\n", "x = y.cuda()  # xlaport: ignore[XP102]\r\nz = 1\r\n"),
        ("x = y.cuda()  # why\n", "x = y.cuda()  # why  # xlaport: ignore[XP102]\n"),
        (
            "x = y.cuda() if torch.cuda.is_available() else y\n",
            "x = y.cuda() if torch.cuda.is_available() else y  # xlaport: ignore[XP102, XP104]\n",
        ),
        (
            "x = y.cuda() if torch.cuda.is_available() else y  # xlaport: ignore[XP102]\n",
            "x = y.cuda() if torch.cuda.is_available() else y  # xlaport: ignore[XP102, XP104]\n",
        ),
        ("f(\n    y.cuda(),\n    1,\n)\n", "f(\n    y.cuda(),  # xlaport: ignore[XP102]\n    1,\n)\n"),
        ("x = y.cuda() + \\\n    1\n", "x = y.cuda() + \\\n    1  # xlaport: ignore[XP102]\n"),
        (
            "if z:\n    f('''a\n{}'''.format(1), y.cuda(), '''b\n''')\n",
            "if z:\n    f('''a\n{}'''.format(1), y.cuda(), '''b\n''')  # xlaport: ignore[XP102]\n",
        ),
        (
            "f('''a\n''' + y.cuda() + \\\n'''b\n''')\n",
            "f('''a\n''' + y.cuda() + \\\n'''b\n''')  # xlaport: ignore[XP102]\n",
        ),
    ],
)
def test_a_comment_stands_where_it_means_the_line(tmp_path: Path, before: str, after: str) -> None:
    start = "import torch\r\n" if "\r\n" in before else "import torch\n"
    assert written(tmp_path, start + before) == start + after


def test_what_is_found_only_without_the_first_is_ignored_too(tmp_path: Path) -> None:
    """Without the barrier, the read is another rule's: the comment for the one that waited goes again."""
    text = (
        "import torch\nmodel = torch.nn.Linear(4, 1)\nopt = torch.optim.SGD(model.parameters(), lr=0.1)\n"
        "for step in range(10):\n    loss = model(torch.ones(2, 4, device='cuda')).mean()\n    opt.zero_grad()\n"
        "    loss.backward()\n    opt.step()\n    print(step, loss.item())\n"
    )
    after = written(tmp_path, text)
    assert "print(step, loss.item())  # xlaport: ignore[XP301]" in after


def test_a_comment_of_the_user_that_is_idle_stays(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("import torch\nx = 1  # xlaport: ignore[XP102]\ny = z.cuda()\n")
    outcome = added(tmp_path)
    assert file.read_text() == (
        "import torch\nx = 1  # xlaport: ignore[XP102]\ny = z.cuda()  # xlaport: ignore[XP102]\n"
    )
    assert outcome.ignored == 1


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("run.sh", "python train.py --device cuda\n", "# xlaport: ignore[XP813]\npython train.py --device cuda\n"),
        (
            "run.sh",
            "python train.py \\\n  --device cuda \\\n  --epochs 1\n",
            "# xlaport: ignore[XP813]\npython train.py \\\n  --device cuda \\\n  --epochs 1\n",
        ),
        ("c.yaml", "device: cuda\n", "device: cuda  # xlaport: ignore[XP811]\n"),
        ("c.ini", "[a]\ndevice = cuda\n", "[a]\n# xlaport: ignore[XP811]\ndevice = cuda\n"),
        ("c.toml", 'device = "cuda"\n', 'device = "cuda"  # xlaport: ignore[XP811]\n'),
    ],
)
def test_other_files_have_comments_too(tmp_path: Path, name: str, before: str, after: str) -> None:
    (tmp_path / "train.py").write_text("import torch\n")
    assert written(tmp_path, before, name) == after


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("c.json", '{"device": "cuda"}\n'),
        ("c.yaml", "command: >\n  python train.py\n  --device cuda\n  --lr 3\n"),
        ("run.sh", 'ARGS="\n--device cuda\n"\npython train.py $ARGS\n'),
    ],
)
def test_where_a_comment_would_be_part_of_a_value_it_is_left(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "train.py").write_text("import torch\n")
    (tmp_path / name).write_text(text)
    found = run.convert([tmp_path], Config()).findings
    assert found
    outcome = added(tmp_path)
    assert len(outcome.left) == len(found)
    assert outcome.ignored == 0
    assert (tmp_path / name).read_text() == text


def test_a_file_with_an_error_stops_no_other(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("import torch\nx = (\n")
    (tmp_path / "a.py").write_text(
        "import torch\nmodel = torch.nn.Linear(4, 1)\nopt = torch.optim.SGD(model.parameters(), lr=0.1)\n"
        "for step in range(10):\n    loss = model(torch.ones(2, 4, device='cuda')).mean()\n    opt.zero_grad()\n"
        "    loss.backward()\n    opt.step()\n    print(step, loss.item())\n"
    )
    assert len(added(tmp_path).errors) == 1
    assert not run.convert([tmp_path / "a.py"], Config()).findings


def test_two_findings_of_a_statement_above_which_a_comment_stands() -> None:
    """Where a line is put above, those below it are another line further down."""
    text = "import torch\nx = f'''{y.cuda()}\n{y.cuda()}\n''' \\\n    ''\n"
    (file,) = run.convert([Path("-")], Config(), typed=_typed(text)).files
    new, left = with_ignores(replace(file, findings=tuple(f for f in file.findings if f.code == "XP102")))
    assert not left
    assert new.count("xlaport: ignore[XP102]") == 1


def _typed(text: str) -> Typed:
    return Typed(Path("-"), text.encode())
