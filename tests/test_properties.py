"""What holds for every program: generated ones, and mutations of programs that use every rule."""

from __future__ import annotations

import ast
import random
import re
import warnings
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from xlaport import engine, registry, unfixed
from xlaport import splices as splices_module
from xlaport.rule import Applicability
from xlaport.splices import Splice
from xlaport.targets.known import target

EVERYTHING = engine.Settings(target(), frozenset({Applicability.SAFE, Applicability.UNSAFE}))
SAFE = engine.Settings(target())
HERE = Path(__file__).parent
PROGRAMS = sorted([*HERE.glob("snapshots/*/*/before.py"), *HERE.parent.glob("samples/*/train.py")])

relaxed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])

NEWLINES = st.sampled_from(["\n", "\r\n"])

# -- text that Python can parse, with everything that positions may stumble over ---------------------------

LINES = st.sampled_from(
    [
        "é = 'ü😀'; y = 1", "x = '''a\n  é\n\tb'''", "x = f'{a!r:>{b}} {c}'",
         "def f(a, /, b=1, *, c: int = 2): pass", "@d\nclass C: pass",
        "if a: b; c", "for i in x:\n\tpass", "\f", "# comment \\", "x = 1 \\\n  + 2", "with a as b, c: pass", "",
        "try: pass\nexcept E as e: pass\nelse: pass\nfinally: pass", "lambda: (yield)", "async def g():\n  await h()",
        "match x:\n  case [a, *_] if b: pass\n  case {'k': v, **r}: pass\n  case C(z=1) | None: pass",
        "[(a := b) for c in d if e]", "x: int", "del x, y", "global_ = 1", "print(x, end='')", "import a.b as c, d",
        "from . import (e,  # why\n  f)", "x = {**a, 'b': 1}", "f(*a, **b)", "x = (\n)", "while a: break",
         "assert a, b",
        "raise a from b", "r'\\d' b''", "x = 0x1F + 1_000 + 1e3j", "s = \"\\\n\"", "torch.cuda.is_available()",
    ]
)  # fmt: skip


@given(st.lists(LINES, max_size=12), NEWLINES, st.booleans(), st.booleans())
@relaxed
def test_without_rules_no_character_changes(lines: list[str], newline: str, final: bool, nested: bool) -> None:
    text = "\n".join(lines) + "\n" * final
    if nested:
        assume("'''" not in text and "\f" not in text)
        text = "class K:\n  def m(self):\n    0\n" + "\n".join("    " + line for line in text.split("\n"))
    text = text.replace("\n", newline)
    try:
        engine.parse(text)
    except engine.ConversionError:
        assume(False)
    converted = engine.convert(text, "a.py", [], SAFE, newline)
    assert converted.text == text
    assert converted.findings == ()


@given(st.text(max_size=60))
@relaxed
def test_any_text_is_converted_or_refused_in_one_line(text: str) -> None:
    message = ""
    try:
        engine.convert(text, "a.py", registry.load(), EVERYTHING)
    except engine.ConversionError as error:
        message = str(error)
    assert "\n" not in message


# -- real programs, mutated --------------------------------------------------------------------------------


@cache
def program(path: Path) -> str:
    return path.read_bytes().decode("utf-8").replace("\r\n", "\n")


def parses(text: str) -> bool:
    """Whether Python runs it: a return in a class is parsed, and is no program."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "a.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def mutated(text: str, chance: random.Random) -> str:
    """The program with a few lines gone, doubled, swapped, joined or renamed; still a program."""
    for _ in range(chance.randrange(4)):
        lines = text.split("\n")
        at = chance.randrange(len(lines))
        kind = chance.randrange(6)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(at, lines[at])
        elif kind == 2 and at:
            lines[at - 1], lines[at] = lines[at], lines[at - 1]
        elif kind == 3 and at:
            lines[at - 1 : at + 1] = [lines[at - 1] + "; " + lines[at].lstrip()]
        elif kind == 4:
            lines[at] += "  # é 😀"
        else:
            # Not the packages: a variable that takes the name of one is another program altogether.
            names = re.findall(r"\b(?!torch|xm\b|pl\b)[a-z]\w+\b", text)
            if names:
                lines = re.sub(rf"\b{chance.choice(names)}\b", chance.choice(names), text).split("\n")
        new = "\n".join(lines)
        text = new if parses(new) else text
    return text


MUTATED = st.builds(
    lambda path, seed: mutated(program(path), random.Random(seed)), st.sampled_from(PROGRAMS), st.integers(0, 10**6)
)


@given(MUTATED, NEWLINES, st.booleans(), st.sampled_from([SAFE, EVERYTHING]))
@settings(relaxed, max_examples=max(250, settings().max_examples))
def test_conversion_keeps_its_promises(text: str, newline: str, final: bool, how: engine.Settings) -> None:
    text = (text if final else text.rstrip("\n")).replace("\n", newline)
    assume(parses(text))
    converted = engine.convert(text, "a.py", registry.load(), how, newline)

    ast.parse(converted.text)
    again = engine.convert(converted.text, "a.py", registry.load(), how, newline)
    assert again.text == converted.text, "converting twice changes something"

    lines = text.split("\n")
    for finding in converted.findings:
        assert 1 <= finding.line <= finding.end_line <= len(lines)
        assert 1 <= finding.column <= len(lines[finding.line - 1]) + 1
        assert (finding.line, finding.column) <= (finding.end_line, finding.end_column)
        assert "\x02" not in finding.message
        assert unfixed.UNSETTLED not in finding.message
    if not any(finding.fixed for finding in converted.findings):
        assert converted.text == text
    if newline == "\r\n":
        assert "\n" not in converted.text.replace("\r\n", ""), "a newline of another kind was written"


@given(MUTATED)
@relaxed
def test_another_name_for_torch_changes_nothing(text: str) -> None:
    assume(re.search(r"^import torch$", text, re.MULTILINE) and not re.search(r"\b(t0rch|torch_xla|xm|pl)\b", text))
    assume(parses(text))  # programs of old Python have another test
    tree = ast.parse(text)
    stored = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    assume("torch" not in stored and "torch" not in {a.arg for a in ast.walk(tree) if isinstance(a, ast.arg)})
    spots = [(n.lineno, n.col_offset) for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == "torch"]
    lines = text.split("\n")
    assume(text.isascii() and all(lines[line - 1][column : column + 5] == "torch" for line, column in spots))
    for line, column in spots:
        lines[line - 1] = lines[line - 1][:column] + "t0rch" + lines[line - 1][column + 5 :]
    lines = ["import torch as t0rch" if line == "import torch" else line for line in lines]
    renamed = "\n".join(lines)
    assume(parses(renamed) and not re.search(r"^import torch\.", text, re.MULTILINE))

    def findings(source: str) -> list[tuple[str, int, bool]]:
        found = engine.convert(source, "a.py", registry.load(), EVERYTHING).findings
        return sorted((f.code, f.line, f.fixed) for f in found)

    assert findings(renamed) == findings(text)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: f"{path.parent.parent.name}-{path.parent.name}")
def test_outside_of_an_edit_every_byte_stays(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line that no splice touched is in the result as it was."""
    touched: list[tuple[str, list[tuple[int, int]]]] = []
    apply = splices_module.apply

    def noted(text: str, splices: list[Splice]) -> str:
        new = apply(text, splices)
        for piece in _untouched(text, splices):
            assert piece in new
        touched.append((text, [(s.start, s.end) for s in splices]))
        return new

    monkeypatch.setattr(engine, "apply", noted)
    text = path.read_bytes().decode("utf-8")
    newline = "\r\n" if "\r\n" in text else "\n"
    converted = engine.convert(text, "a.py", registry.load(), EVERYTHING, newline)
    assert bool(touched) or converted.text == text


def _untouched(text: str, splices: list[Splice]) -> list[str]:
    pieces, done = [], 0
    for splice in sorted(splices, key=lambda s: (s.start, s.end)):
        pieces.append(text[done : splice.start])
        done = splice.end
    return [*pieces, text[done:]]
