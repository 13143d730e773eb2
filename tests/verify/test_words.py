"""Scripts, launchers and arguments are told apart on a command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from xlaport.errors import UserError
from xlaport.verify.words import Words, read


@pytest.fixture
def here(tmp_path: Path) -> Path:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("print('trains')\n", encoding="utf-8")
    (tmp_path / "notes.txt").touch()
    (tmp_path / "small.py").write_text('"""Sizes."""\nimport time\nlayers = 2\n', encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "behind", "expected"),
    [
        (["a.py"], [], Words(("a.py",))),
        (["a.py"], ["--lr", "3"], Words(("a.py",), ("--lr", "3"))),
        (["a.py"], ["b.py"], Words(("a.py",), ("b.py",))),
        (["a.py", "b.py"], [], Words(("a.py", "b.py"))),
        (["a.py", "b.py"], ["3"], Words(("a.py", "b.py"), ("3",))),
        # a file of settings runs nothing
        (["a.py", "small.py"], [], Words(("a.py",), ("small.py",))),
        (["small.py", "a.py"], [], Words(("small.py", "a.py"))),
        (["a.py", "cifar10"], [], Words(("a.py",), ("cifar10",))),
        (["a.py", "cifar10", "b.py"], [], Words(("a.py",), ("cifar10", "b.py"))),
        (["a.py", "notes.txt"], ["4"], Words(("a.py",), ("notes.txt", "4"))),
        ([], ["a.py", "b.py"], Words(("a.py",), ("b.py",))),
        (
            [],
            ["torchrun", "--nproc_per_node=2", "a.py", "3"],
            Words(("torch.distributed.run",), ("--nproc_per_node=2", "a.py", "3"), module=True),
        ),
        (["torchrun", "a.py"], [], Words(("torch.distributed.run",), ("a.py",), module=True)),
        (
            [],
            ["accelerate", "launch", "a.py"],
            Words(("accelerate.commands.accelerate_cli",), ("launch", "a.py"), module=True),
        ),
    ],
)
def test_words(here: Path, words: list[str], behind: list[str], expected: Words) -> None:
    assert read(words, behind, directory=here) == expected


def test_a_module_takes_all_words(here: Path) -> None:
    assert read(["pkg.train", "a.py"], [], module=True, directory=here) == Words(("pkg.train",), ("a.py",), True)
    assert Words(("pkg.train",), module=True).target("pkg.train") == "pkg.train"
    assert Words(("a.py",)).target("a.py") == Path("a.py")


def test_a_file_of_a_launchers_name_is_a_script(here: Path) -> None:
    (here / "torchrun").touch()
    assert read(["torchrun"], ["a.py"], directory=here) == Words(("torchrun",), ("a.py",))


def test_a_script_that_is_not_there_may_be_an_argument(here: Path) -> None:
    with pytest.raises(UserError, match=r"^out\.py: no such file\. .* behind --:  xlaport verify a\.py -- out\.py$"):
        read(["a.py", "out.py"], [], directory=here)
