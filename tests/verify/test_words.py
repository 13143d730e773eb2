"""Scripts, launchers and arguments are told apart on a command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from xlaport.errors import UserError
from xlaport.verify.words import Words, launched, read


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


@pytest.mark.parametrize("module", ["torch.distributed.run", "torch.distributed.launch"])
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("a.py --lr 3", "o.py --lr 3"),
        ("--nproc-per-node 1 a.py b.py", "--nproc-per-node 1 o.py b.py"),
        ("--standalone a.py -m deep", "--standalone o.py -m deep"),
        ("--nproc-per-node 1 -m pkg.train --lr 3", "--nproc-per-node 1 o.py --lr 3"),
        ("--module --nproc_per_node 1 --standalone pkg.train 3", "--nproc_per_node 1 --standalone o.py 3"),
        ("-m --nproc_per_node=1 pkg.train a.py", "--nproc_per_node=1 o.py a.py"),
        ("--log-dir notes.txt a.py", "--log-dir notes.txt o.py"),
        ("--nproc-per-node=1 notes.txt a.py", "--nproc-per-node=1 o.py a.py"),  # a script by another ending
    ],
)
def test_an_original_stands_for_what_a_launcher_starts(here: Path, module: str, words: str, expected: str) -> None:
    found = launched(module, words.split(), here)
    assert found is not None
    assert found.replaced(words.split(), "o.py") == tuple(expected.split())


def test_of_accelerate(here: Path) -> None:
    words = ["launch", "--multi_gpu", "a.py"]
    found = launched("accelerate.commands.accelerate_cli", words, here)
    assert found is not None
    assert found.replaced(words, "o.py") == ("launch", "--multi_gpu", "o.py")


def test_what_is_no_launcher_starts_nothing(here: Path) -> None:
    assert launched("pkg.train", ["a.py"], here) is None


@pytest.mark.parametrize(
    ("module", "name"),
    [("torch.distributed.run", "torchrun"), ("torch.distributed.launch", "python -m torch.distributed.launch")],
)
@pytest.mark.parametrize("words", ["", "--nproc-per-node 1 gone.py --lr 3", "-m --nproc-per-node 1"])
def test_a_launcher_whose_script_is_not_there(here: Path, module: str, name: str, words: str) -> None:
    with pytest.raises(UserError, match=rf"^{name}: none of its words is a script in .*; name the script by its path"):
        launched(module, words.split(), here)
