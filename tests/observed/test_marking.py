"""Marks: the program does what it did, each line stays where it is, and an expression is found again."""

from __future__ import annotations

import ast
import builtins
import subprocess
import sys
from pathlib import Path

import pytest

from xlaport import run
from xlaport.analysis.of_file import analysis_of
from xlaport.analysis.value import UNKNOWN
from xlaport.config import Config
from xlaport.facts.module import Module
from xlaport.observed.marking import is_watchable, marked, unsure
from xlaport.observed.matching import same
from xlaport.verify.marks import NAME, unmarked

SAMPLES = sorted((Path(__file__).parents[2] / "samples").rglob("*.py"))
SNAPSHOTS = sorted((Path(__file__).parents[1] / "snapshots").glob("XP[2-6]*/*/before.py"))[::7]
CODE = """\
import torch
from torch import nn


@torch.no_grad()
def total(values: list[int], *more, key=None):
    parts = [value * 2 for value in values if value]
    text = f"{parts[0]!r:>4} of {len(values)}"
    match more:
        case (int() as first, *rest) if first > 1:
            return text + str(first)
        case [nn.Module(), *_]:
            return ""
    return (
        text
        + str(sum(value for value in parts))
    )


class Grown(dict):
    def __init__(self, **given):
        super().__init__(**given)
        self.ä = given["ä"]


print(total([1, 2], 3), total([4]), Grown(ä=[5]).ä[0], sorted([3, 1], key=lambda one: -one))
del CODE
"""


def marks_of(path: Path) -> tuple[Module, str]:
    (facts,) = run.analysed([path], Config())
    nodes = unsure(facts.file, facts.module, analysis_of(facts).values)
    return facts.module, marked(facts.module, {node: number for number, node in enumerate(nodes)})


@pytest.mark.parametrize("path", [*SAMPLES, *SNAPSHOTS], ids=lambda path: "-".join(path.parts[-3:]))
def test_marks_keep_the_lines_and_go_without_a_trace(path: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone.py"
    alone.write_bytes(path.read_bytes())
    module, text = marks_of(alone)
    assert unmarked(text) == module.text
    assert text.count("\n") == module.text.count("\n")
    compile(text, "marked", "exec")


def test_a_marked_program_prints_what_it_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = CODE.replace("@torch.no_grad()\n", "").replace("import torch\nfrom torch import nn\n", "nn = torch = None\n")
    code = code.replace("nn.Module()", "float()")
    path = tmp_path / "plain.py"
    path.write_text(code, encoding="utf-8")
    module = Module(code)
    nodes = [
        node
        for node in module.of_type(ast.Name, ast.Call, ast.Subscript)
        if isinstance(node, ast.Call) or isinstance(node.ctx, ast.Load)
    ]
    wanted = {id(node) for node in unsure(str(path), module, dict.fromkeys(module.nodes, UNKNOWN))}
    text = marked(module, {node: number for number, node in enumerate(nodes) if id(node) in wanted})
    assert text.count(NAME) > 15
    seen: list[int] = []

    def note(number: int, value: object) -> object:
        seen.append(number)
        return value

    monkeypatch.setattr(builtins, NAME, note, raising=False)
    exec(compile(code, "plain", "exec"), {"CODE": 0})
    before = capsys.readouterr().out
    exec(compile(text, "marked", "exec"), {"CODE": 0})
    assert capsys.readouterr().out == before != ""
    assert len(set(seen)) > 10


def test_what_cannot_be_seen_is_not_marked(tmp_path: Path) -> None:
    module = Module(CODE)
    nodes = list(unsure("file.py", module, dict.fromkeys(module.nodes, UNKNOWN)))
    lines = {ast.unparse(node) for node in nodes}
    assert "torch.no_grad()" not in lines  # a decorator
    assert "list[int]" not in lines  # an annotation
    assert "super" not in lines
    assert "nn.Module" not in lines  # a pattern
    assert "parts[0]" not in lines  # in an f-string: its place is not known in older versions of Python
    compile(marked(module, {node: number for number, node in enumerate(nodes)}), "marked", "exec")


@pytest.mark.parametrize("text", ["model = torch.compile(model)", "@torch.jit.script", "inspect.getsource(f)"])
def test_a_program_that_would_see_the_marks_is_not_watched(text: str) -> None:
    assert not is_watchable({"a.py": "import torch", "b.py": text})
    assert is_watchable({"a.py": "import torch"})


BEFORE = """\
def train(loader, model):
    for x, y in loader:
        x = x.cuda()
        loss = model(x, y)
        print(loss.item())


def evaluate(loader, model):
    for x, y in loader:
        x = x.cuda()
        print(model(x, y))
"""
AFTER = """\
import torch_xla


def train(loader, model):
    for x, y in loader:
        x = x.to(torch_xla.device())
        loss = model(x, y)
        torch_xla.sync()
        print(loss.item())


def evaluate(loader, model):
    for x, y in loader:
        with torch_xla.step():
            x = x.to(torch_xla.device())
            print(model(x, y))
"""


def test_an_expression_is_the_same_behind_a_conversion() -> None:
    before, after = Module(BEFORE), Module(AFTER)
    pairs = [(one.lineno, other.lineno, ast.unparse(one)) for one, other in same(before, after)]
    for pair in [(4, 7, "model(x, y)"), (5, 9, "loss.item()"), (11, 16, "model(x, y)"), (10, 15, "x"), (3, 6, "x")]:
        assert pair in pairs
    assert not any("cuda" in text or "torch_xla" in text for _, _, text in pairs)
    assert all(ast.unparse(one) == ast.unparse(other) for one, other in same(before, after))


def test_of_several_alike_in_other_numbers_none_is_the_same() -> None:
    before, after = Module("x = f(a)\ny = f(a)\n"), Module("x = f(a)\nz = g(f(a))\ny = f(a)\nw = f(a)\n")
    pairs = [(one.lineno, other.lineno) for one, other in same(before, after) if isinstance(one, ast.Call)]
    assert pairs == []  # the statements differ in number, and so do the definitions


HARD = """\
# -*- coding: utf-8 -*-
\"\"\"What it is.\"\"\"
from __future__ import annotations; import sys
\f
def outer(key, *rest, scale=len(sys.path), **more):
\tglobal COUNT
\tCOUNT = (n := key) + \\
\t\tscale  # a comment
\tclass Inner(dict, metaclass=type(dict)):
\t\t__slots__ = ("one",)
\t\tscaled: int = scale
\t\tdef __missing__(self, key):
\t\t\treturn __class__.__name__, super().get(key, self.scaled)
\tinner = Inner()
\tinner[key], *others = key, *rest
\tdel inner[key], more[next(iter(more))]
\tinner.one = [*others, *(lambda a, b=n: (yield a))(key)]
\tfor inner.one[0], word in zip(rest[::2], "a" "b" f"{key}" rf"\\d{scale!r}"): pass
\treturn (inner
\t\t.get(  # which one
\t\t\tkey, {**more, "é": {each: n for each in rest if each}},
\t\t), inner[0], sorted(locals()), inner.one[0])
async def later(key):
\tasync with key() as (one, two):
\t\treturn [await one(each) async for each in two]
print(outer(1, 2, 3, x=4)); print(outer(2, 4, y=4, z=5))
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_hard_text_does_what_it_did(newline: str, capsys: pytest.CaptureFixture[str]) -> None:
    module = Module(HARD.replace("\n", newline))
    nodes = list(unsure("hard.py", module, dict.fromkeys(module.nodes, UNKNOWN)))
    text = marked(module, {node: number for number, node in enumerate(nodes)})
    assert text.count(NAME) > 60
    assert unmarked(text) == module.text
    exec(compile(module.text, "hard", "exec"), {})
    before = capsys.readouterr().out
    exec(compile(text, "hard", "exec"), {})
    assert capsys.readouterr().out == before != ""


def test_a_marked_file_runs_in_a_python_that_knows_nothing_of_marks(tmp_path: Path) -> None:
    module = Module(
        '"""Doc."""\nif len(__doc__) == 4:\n    import sys\nimport os\nprint(len(os.sep), sys.flags.isolated)\n'
    )
    nodes = list(unsure("file.py", module, dict.fromkeys(module.nodes, UNKNOWN)))
    text = marked(module, {node: number for number, node in enumerate(nodes)})
    assert NAME not in text.splitlines()[1]  # there it is not yet defined
    assert NAME in text.splitlines()[4]
    path = tmp_path / "file.py"
    path.write_text(text)
    done = subprocess.run([sys.executable, "-I", path], capture_output=True, text=True, check=True, env={})
    assert done.stdout == "1 1\n"


def test_a_chain_that_is_too_long_for_marks_goes_without() -> None:
    module = Module("import torch\nx = torch" + ".one(y)" * 150 + "\n")
    nodes = list(unsure("file.py", module, dict.fromkeys(module.nodes, UNKNOWN)))
    assert marked(module, {node: number for number, node in enumerate(nodes)}) == module.text
