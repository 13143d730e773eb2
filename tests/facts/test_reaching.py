"""Reaching definitions: which bindings may have given a name its value."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xlaport.facts.module import Module
from xlaport.facts.names import Names
from xlaport.facts.reaching import definitions


def reaching(source: str) -> list[int]:
    """The lines whose bindings reach the name in ``use(name)``; the first line of `source` is 1."""
    module = Module(textwrap.dedent(source).strip("\n"))
    names = Names(module)
    (use,) = [call.args[0] for call in module.calls if isinstance(call.func, ast.Name) and call.func.id == "use"]
    name = next(node for node in ast.walk(use) if isinstance(node, ast.Name))
    return sorted({getattr(binding.node, "lineno", 0) for binding in names.reaching(name)})


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("a = 1\na = 2\nuse(a)\na = 3", [2]),
        ("a = 1\nif c:\n    a = 2\nuse(a)", [1, 3]),
        ("a = 1\nif c:\n    a = 2\nelse:\n    a = 3\nuse(a)", [3, 5]),
        ("a = 1\nif c:\n    a = 2\nelif d:\n    a = 3\nuse(a)", [1, 3, 5]),
        ("a = 1\nif c:\n    a = 2\n    use(a)", [3]),
        ("a = 1\na += 1\nuse(a)", [2]),
        ("a = 1\na: int\nuse(a)", [1]),
        ("a = 1\na: int = 2\nuse(a)", [2]),
        ("a = 1\n(a, b), *c = x\nuse(a)", [2]),
        ("a = 1\nimport a\nuse(a)", [2]),
        ("a = 1\ndef a(): pass\nuse(a)", [2]),
        ("a = 1\nclass a: pass\nuse(a)", [2]),
        ("a = 1\ndel a\na = 3\nuse(a)", [3]),
    ],
)  # fmt: skip
def test_straight_lines_and_branches(source: str, lines: list[int]) -> None:
    assert reaching(source) == lines


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("a = 1\nfor i in x:\n    use(a)\n    a = 4", [1, 4]),
        ("a = 1\nfor i in x:\n    a = 3\n    use(a)", [3]),
        ("a = 1\nfor a in x:\n    use(a)", [2]),
        ("a = 1\nfor a in x:\n    pass\nuse(a)", [1, 2]),
        ("a = 1\nfor i in x:\n    a = 3\nelse:\n    a = 5\nuse(a)", [5]),
        ("a = 1\nfor i in x:\n    a = 3\n    if c: break\nelse:\n    a = 6\nuse(a)", [3, 6]),
        ("a = 1\nfor i in x:\n    if c:\n        a = 4\n        continue\n    use(a)", [1, 4]),
        ("a = 1\nfor i in x:\n    if c:\n        a = 4\n        break\n    use(a)", [1]),
        ("a = 1\nwhile c:\n    a = 3\nuse(a)", [1, 3]),
        ("a = 1\nwhile True:\n    a = 3\n    if c:\n        break\nuse(a)", [3]),
        ("a = 1\nwhile (a := f()):\n    use(a)", [2]),
        ("a = 1\nfor i in x:\n    for j in y:\n        use(a)\n    a = 5", [1, 5]),
    ],
)  # fmt: skip
def test_loops(source: str, lines: list[int]) -> None:
    assert reaching(source) == lines


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("def f():\n    a = 1\n    if c:\n        a = 4\n        return\n    use(a)", [2]),
        ("def f():\n    a = 1\n    if c:\n        a = 4\n        raise E\n    use(a)", [2]),
        ("def f(a):\n    if c:\n        a = 3\n    use(a)", [1, 3]),
        ("def f(a):\n    a = 2\n    use(a)", [2]),
        ("a = 1\ndef f():\n    global a\n    a = 4\na = 5\nuse(a)", [4, 5]),
        ("a = 1\na = 2\ndef f():\n    use(a)", [1, 2]),
        ("a = 1\na = 2\nf = lambda: use(a)\na = 4", [1, 2, 4]),
        ("a = 1\na = 2\nx = [use(a) for _ in y]\na = 4", [2]),
        ("a = 1\na = 2\nx = (use(a) for _ in y)\na = 4", [1, 2, 4]),
        ("a = 1\na = 2\nclass C:\n    use(a)", [1, 2]),
        ("class C:\n    a = 1\n    a = 3\n    use(a)", [3]),
    ],
)  # fmt: skip
def test_functions_and_scopes(source: str, lines: list[int]) -> None:
    assert reaching(source) == lines


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("a = 1\ntry:\n    a = 3\nexcept E:\n    use(a)", [1, 3]),
        ("a = 1\ntry:\n    a = 3\nexcept E:\n    pass\nuse(a)", [1, 3]),
        ("a = 1\ntry:\n    a = 3\nexcept E:\n    raise\nuse(a)", [3]),
        ("a = 1\ntry:\n    a = 3\nexcept E:\n    a = 5\nuse(a)", [3, 5]),
        ("a = 1\ntry:\n    a = 3\n    a = 4\nfinally:\n    use(a)", [1, 3, 4]),
        ("a = 1\ntry:\n    a = 3\nfinally:\n    b = 1\nuse(a)", [3]),
        ("a = 1\ntry:\n    b = 3\nexcept E:\n    a = 5\nelse:\n    a = 7\nuse(a)", [5, 7]),
        ("a = 1\ntry:\n    pass\nexcept E as a:\n    use(a)", [4]),
        ("a = 1\nwith c() as a:\n    pass\nuse(a)", [2]),
        ("a = 1\nwith c():\n    a = 3\nuse(a)", [3]),
        ("a = 1\nwith suppress(E):\n    a = 3\nuse(a)", [1, 3]),
        ("a = 1\nmatch x:\n    case [a, 1]:\n        use(a)", [3]),
        ("a = 1\nmatch x:\n    case [a, 1]:\n        pass\nuse(a)", [1, 3]),
        ("a = 1\nmatch x:\n    case 1:\n        a = 4\n    case _:\n        a = 6\nuse(a)", [4, 6]),
        ("a = 1\nif (a := f()) and use(a): pass", [2]),
        ("a = 1\nb = c and (a := 2)\nuse(a)", [1, 2]),
        ("a = 1\nb = [(a := 2) for _ in y]\nuse(a)", [1, 2]),
    ],
)  # fmt: skip
def test_exceptions_with_match_and_walrus(source: str, lines: list[int]) -> None:
    assert reaching(source) == lines


# -- the oracle: run little programs, and see which binding a name really had ------------------------------

NAMES = st.sampled_from("ab")
SIMPLE = (
    "{n} = {line}",
    "{n}, {m} = {line}, {line}",
    "{n} += same({n}, {line})",
    "use({n})",
    "use({n})",
    "use([{n} for _ in some(0)])",
    "boom()",
    "flip() and ({n} := {line})",
    "use({n}) if ({n} := {line}) and flip() else use({m})",
    "[({n} := {line}) for _ in some(0)]",
    "late = [({n} := {line}) for _ in some(0) if use({n})]",
    "other()",
    "del {n}",
)
JUMPS = ("return", "raise ValueError", "break", "continue")
BLOCKS = (
    ("if flip():", "else:"),
    ("for {n} in some({line}):",),
    ("for {n} in some({line}):", "else:"),
    ("while flip():",),
    ("while ({n} := {line}) and flip():", "else:"),
    ("while True:",),
    ("try:", "except ValueError:"),
    ("try:", "except ValueError:", "else:"),
    ("try:", "finally:"),
    ("try:", "except NameError as {n}:", "finally:"),
    ("with suppress(ValueError):",),
    ("with given({line}) as {n}:",),
    ("match some({line}):",),
)


@st.composite
def programs(draw: st.DrawFn) -> str:
    out = ["def program(a=1, b=1):", "    def other():", "        nonlocal a", "        a = 4"]

    def fill(template: str, indent: int, *, line: int | None = None) -> None:
        number = len(out) + 1 if line is None else line
        out.append("    " * indent + template.format(n=draw(NAMES), m=draw(NAMES), line=number))

    def block(indent: int, loops: int, in_loop: bool) -> None:
        for _ in range(draw(st.integers(1, 3))):
            kind = draw(st.integers(0, 5))
            if kind == 5 and draw(st.booleans()):
                jumps = JUMPS if in_loop else JUMPS[:2]
                out.append("    " * indent + draw(st.sampled_from(jumps)))
                return
            if kind < 4 or indent > 4:
                fill(draw(st.sampled_from(SIMPLE)), indent)
                continue
            for header in draw(st.sampled_from(BLOCKS)):
                fill(header, indent)
                looping = in_loop or header.startswith(("for", "while"))
                if header.startswith("match"):
                    for case in ("case [{n}, _]:", "case [{n}] if flip():", "case _:"):
                        fill(case, indent + 1, line=len(out) + 1)
                        block(indent + 2, loops, looping)
                    continue
                if header == "while True:":
                    out.append("    " * (indent + 1) + "if done(): break")
                block(indent + 1, loops + 1, looping)

    block(1, 0, False)
    return "\n".join(out) + "\n"


def run(source: str, choices: list[int], seen: Callable[[int, int, Any], None]) -> None:
    """Run the program; `choices` decide each branch. `seen` gets line, column and value of each use."""
    feed = iter(choices)

    class given_:
        def __init__(self, line: int) -> None:
            self.line = line

        def __enter__(self) -> int:
            return self.line

        def __exit__(self, *_: object) -> None:
            return None

    import contextlib

    def boom() -> None:
        if next(feed, 0) == 1:
            raise ValueError

    def use(value: Any, place: tuple[int, int] | None = None) -> bool:
        assert place is not None
        for one in value if isinstance(value, list) else [value]:
            seen(*place, one)
        return bool(next(feed, 0))

    class Mark(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> ast.Call:
            self.generic_visit(node)
            if isinstance(node.func, ast.Name) and node.func.id == "use":
                name = next(n for n in ast.walk(node.args[0]) if isinstance(n, ast.Name) and n.id in "ab")
                place = ast.Tuple([ast.Constant(name.lineno), ast.Constant(name.col_offset)], ast.Load())
                node.args.append(place)
            return node

    tree = ast.fix_missing_locations(Mark().visit(ast.parse(source)))
    space: dict[str, Any] = {
        "flip": lambda: bool(next(feed, 0)),
        "done": lambda: next(feed, None) in (None, 0),
        "some": lambda line: [line] * next(feed, 0),
        "given": given_,
        "boom": boom,
        "use": use,
        "same": lambda old, line: line - old,
        "suppress": contextlib.suppress,
    }
    exec(compile(tree, "<program>", "exec"), space)
    with contextlib.suppress(ValueError, NameError, TypeError):
        space["program"]()


@settings(max_examples=400, deadline=None)
@given(programs(), st.lists(st.integers(0, 2), max_size=30))
def test_the_binding_that_a_use_sees_is_always_among_those_that_reach_it(source: str, choices: list[int]) -> None:
    module = Module(source)
    names = Names(module)
    loads = {
        (node.lineno, node.col_offset): node
        for node in module.nodes
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }

    lines = source.split("\n")

    def seen(line: int, column: int, value: Any) -> None:
        if isinstance(value, int) and lines[value - 1].strip().startswith("match"):
            return  # bound by one of its patterns, which stand in other lines
        found = {getattr(b.node, "lineno", 0) for b in names.reaching(loads[line, column])}
        if isinstance(value, int):
            assert value in found, (line, value, found)
        else:
            assert isinstance(value, NameError)

    run(source, choices, seen)


def test_a_statement_that_is_thought_of_behind_another_one() -> None:
    module = ast.parse("a = 0\nfor x in y:\n    a += x\nuse(a)")
    _, loop, _ = module.body
    assert isinstance(loop, ast.For)
    first, added, _, name = [n for n in ast.walk(module) if isinstance(n, ast.Name) and n.id in ("a", "use")]
    read = ast.Pass()
    places: dict[ast.AST, str] = {first: "a", added: "a", read: "a"}
    assert definitions(module.body, places)[name] == {first, added}
    assert definitions(module.body, places, behind={loop: read})[name] == {read}
