"""The places of expressions inside f-strings, which are exact with every Python."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlaport.facts.module import Module
from xlaport.quoting import Quoting
from xlaport.rule import Replace


def replaced(source: str) -> str:
    """The source with each use of ``v`` in its f-strings written as ``V``."""
    module = Module(source)
    spans = [module.span(n) for n in module.named.get("v", []) if module.is_placed(n) and module.fstring(n)]
    text = source
    for span in sorted(spans, reverse=True):
        text = f"{text[: span.start]}V{text[span.end :]}"
    return text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('f"{v}"', 'f"{V}"'),
        ('f"v: {v:.3f} v"', 'f"v: {V:.3f} v"'),
        ('f"{{v}} {v} {{{v}}}"', 'f"{{v}} {V} {{{V}}}"'),
        ('f"{v / len(v)!r:>{v}}"', 'f"{V / len(V)!r:>{V}}"'),
        ('f"{a.v} {v.a} {vv} {d[v]}"', 'f"{a.v} {V.a} {vv} {d[V]}"'),
        ("f'''{v}\n{v}''' 'v {v}' rf\"\\{v}\"", "f'''{V}\n{V}''' 'v {v}' rf\"\\{V}\""),
        ("(f'{v}'  # not v {v}\n 'v')", "(f'{V}'  # not v {v}\n 'v')"),
        ('f"é {v}"', 'f"é {V}"'),
        ("f'\\'{v}'", "f'\\'{V}'"),
        ("f\"{d['v']} {v}\"", "f\"{d['v']} {V}\""),
        ("f\"{d['}']} {v}\"", "f\"{d['}']} {V}\""),
        ("f\"{f'{v}'} {v}\" f'{v!r:{v}}{v}'", "f\"{f'{V}'} {V}\" f'{V!r:{V}}{V}'"),
        ("f'\\N{EM DASH} {v}'", "f'\\N{EM DASH} {V}'"),
        ("f'{v != v} {v == 1} {(lambda: v)()} {v, v}'", "f'{V != V} {V == 1} {(lambda: V)()} {V, V}'"),
        ("f'''é{\n  v.x(\n 'é', v)\n} {v}'''", "f'''é{\n  V.x(\n 'é', V)\n} {V}'''"),
        ("f'{v=} {v = !r} {v=:>3}'", "f'{V=} {V = !r} {V=:>3}'"),
        ("f'{v}' \\\n f'{v}'", "f'{V}' \\\n f'{V}'"),
    ],
)
def test_uses_are_found_and_nothing_else(source: str, expected: str) -> None:
    assert replaced(source) == expected


_EXPRESSIONS = st.sampled_from(
    ["v", " v.x ", "v[0]", "f(v, 'é')", "{'a': v}['a']", "v!=w", "v, w", "(v)", "x if v else w"]
)
_FORMATS = st.sampled_from(["", ":", "!r", ":>3", ":{w}", "!s:{v.y}.{w}", "=", " = !r"])
_TEXTS = st.sampled_from(["", "a", "é", "{{", "}}", "\\\\", "\\N{EM DASH}", "#"])
_FIELDS = st.builds(lambda e, f: "{ " + e + f + "}", _EXPRESSIONS, _FORMATS)
_LITERALS = st.builds(
    lambda prefix, quote, parts: prefix + quote + "".join(parts) + quote,
    st.sampled_from(["f", "F"]),
    st.sampled_from(['"', '"""']),
    st.lists(st.one_of(_TEXTS, _FIELDS), max_size=5),
)


@given(st.lists(_LITERALS, min_size=1, max_size=3), st.sampled_from(["", " ", "\n  ", "  # {v}'\n "]))
def test_every_place_holds_its_expression(literals: list[str], between: str) -> None:
    module = Module(f"é = 1; x = ({between.join(literals)})\n")
    for field in module.of_type(ast.FormattedValue):
        for node in (n for n in ast.walk(field.value) if isinstance(n, ast.expr)):
            assert module.is_placed(node)
            assert ast.dump(ast.parse(f"({module.segment(node).strip()})", mode="eval").body) == ast.dump(node)


def test_what_is_printed_as_it_is_written_is_known() -> None:
    module = Module("f'{v=} {w} {(u) = !r:>{n}} {a == b}'")
    assert [name for name, (node,) in module.named.items() if module.is_shown(node)] == ["v", "u"]


@pytest.mark.parametrize(
    ("source", "code", "expected"),
    [
        ('f"{v}"', 'a("x")', "a('x')"),
        ("f'{v}'", 'a("x")', 'a("x")'),
        ("f'{v}'", "a('x')", 'a("x")'),
        ("f'''{v}'''", "a(\n1)", "a(\n1)"),
        ("f'{v}'", "a(\n1)", None),
        ("f'{v}'", "'\\n'", None),
        ("f'{v}'", "a('x', \"y\")", None),
        ("f\"{f'{v}'}\"", 'a("x")', None),
        ("f'{v}'", "{1: 2}", " {1: 2}"),
        ("f'{v}'", "lambda: 1", None),
        ("g(v)", "'\\n'", "'\\n'"),
    ],
)
def test_new_code_does_not_end_the_string(source: str, code: str, expected: str | None) -> None:
    module = Module(source)
    edit = Replace(module.span(module.named["v"][0]), code)
    assert Quoting(module).fitted(edit) == expected
    if expected is not None:
        assert ast.parse(f"{source[: edit.span.start]}{expected}{source[edit.span.end :]}")
