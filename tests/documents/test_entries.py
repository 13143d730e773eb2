"""Configurations, held against the parsers of their formats: the same scalars, and exact places."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from xlaport.documents.document import Document, Kind
from xlaport.documents.entries import entries
from xlaport.documents.entry import ITEM, Entry

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Row = tuple[tuple[str, ...], str]


def read(text: str, kind: Kind) -> tuple[Entry, ...]:
    found = entries(Document(text, kind))
    for entry in found:
        assert text[entry.inner.start : entry.inner.end] == entry.value
        assert entry.span.contains(entry.inner)
    return found


def rows(text: str, kind: Kind) -> list[Row]:
    return [(entry.keys, entry.value) for entry in read(text, kind)]


def flattened(value: Any, keys: tuple[str, ...] = ()) -> list[Row]:
    """The strings of what a parser returned, with their keys."""
    if isinstance(value, dict):
        return [row for key, inner in value.items() for row in flattened(inner, (*keys, str(key)))]
    if isinstance(value, list):
        return [row for inner in value for row in flattened(inner, (*keys, ITEM))]
    return [(keys, value)] if isinstance(value, str) else []


def of_yaml(text: str) -> set[tuple[tuple[str, ...], str, int, int]]:
    """The scalars on one line, as PyYAML sees them; anchors count where they are set."""
    found: set[tuple[tuple[str, ...], str, int, int]] = set()
    seen: set[int] = set()

    def walk(node: Any, keys: tuple[str, ...]) -> None:
        if id(node) in seen:
            return
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                walk(value, (*keys, key.value))
        elif isinstance(node, yaml.SequenceNode):
            for value in node.value:
                walk(value, (*keys, ITEM))
        elif node.start_mark.line == node.end_mark.line and node.style not in ("|", ">"):
            if node.style or node.value:
                # For PyYAML a scalar begins with its anchor and its tag.
                start, end = node.start_mark.index, node.end_mark.index
                properties = re.match(r"(?:[&!]\S* +)*", text[start:end])
                found.add((keys, node.value, start + (properties.end() if properties else 0), end))

    for node in yaml.compose_all(text, Loader=yaml.SafeLoader):
        if node is not None:
            walk(node, ())
    return found


def check_yaml(text: str) -> None:
    mine = {(e.keys, e.value, e.span.start, e.span.end) for e in read(text, Kind.YAML)}
    assert mine == of_yaml(text)


YAML = [
    "a: b\n",
    "a: b",
    "a:\r\n  b: c # d\r\n  e: 'f'\r\n",
    "# only\n",
    "",
    "---\na: b\n...\n---\nc: d\n",
    "a:\n- b\n- c: d\n  e: f\n-   g: h\n    i: j\nk: l\n",
    "a:\n  - - b\n    - c\n  - d\n",
    "a: {b: c, d: [e, f], 'g h': \"i\", j: }\nk: l\n",
    "a: [b,\n  c, # d\n  {e: f}]\ng: h\n",
    "a: |\n  b: c\n\n  d\ne: >-\n  f: g\nh: |2\n    i: j\nk: l\n",
    "- |\n b: c\n- d: |\n   e: f\n  g: h\n",
    "a: b\n  c\nd: e\n",
    "a: 'b\n  c'\nd: \"e\n  f: g\"\nh: i\n",
    "a: &x b\nc: *x\nd: !!str e\nf: &y\n  g: h\ni: *y\n",
    "a: &x {b: c}\n<<: *x\n",
    "a:\n  b\nc:\n  # d\n  e\n",
    "a: b#c\nd: e #f\ng: '#h'\n",
    "a: http://b:c\nd: e:f\n\"g:h\": i\n'j': k\nl m: n o\n",
    "a: -b\nc: ?d\ne: :f\n",
    "a:   \nb:\n\n  c: d\n",
    "a: {b: {c: {d: e}}, f: [[g], [h]]}\n",
    "- a\n- b: c\n",
    "a.b: c\n+d: e\n'é': ü😀 # x\nf: g\n",
    "a: [b, 'c', \"d\"]\n",
    "%YAML 1.1\n---\na: b\n",
    "a: {b: c}  # d\ne: 'f'  # g\n",
]  # fmt: skip


@pytest.fixture(params=["libyaml", "Python"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of PyYAML's parsers: that of libyaml is not everywhere."""
    if request.param == "Python":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)


@pytest.mark.parametrize("text", YAML)
def test_yaml(text: str, parser: None) -> None:
    check_yaml(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("? a\n: b\n", [(("a",), "b")]),
        ("? [a, b]\n: c\n? {d: e}\n: {f: g}\nh: i\n", [(("",), "c"), (("", "f"), "g"), (("h",), "i")]),
        ("\"a b\" : c\n'd''e': f\n\"g\\th\": i\n", [(("a b",), "c"), (("d'e",), "f"), (("g\th",), "i")]),
        ("'a': 'it''s'\nb: \"\\x41\"\n", [(("a",), "it''s"), (("b",), "\\x41")]),
        ("a: &x {b: c}\nd:\n  <<: *x\n  e: *x\n*x : f\n", [(("a", "b"), "c"), (("",), "f")]),
        ("a: &x b\nc: &x d\ne: [*x, *x]\n", [(("a",), "b"), (("c",), "d")]),
        ("a: &x\n  b: *x\n  c: d\n", [(("a", "c"), "d")]),
        ("a: b\na: c\n", [(("a",), "b"), (("a",), "c")]),
        ("a: !t &x # y\n  # z\n  b\nc: !!str\nd: ! e\nf: !<t> 'g'\n", [(("a",), "b"), (("d",), "e"), (("f",), "g")]),
        ("[{a: b}, [c],\n d: e, ? f : g,\n]\n",
         [((ITEM, "a"), "b"), ((ITEM, ITEM), "c"), ((ITEM, "d"), "e"), ((ITEM, "f"), "g")]),
        ("a\n---\nb: c\n--- # d\n- e\n--- |\n f\n", [((), "a"), (("b",), "c"), ((ITEM,), "e")]),
        ("a: |2-\n   b: c\nd: >+ # e\n  f\n\ng: h\n", [(("g",), "h")]),
        ("a:\tb\t# c\nd: [e,\tf]\t\n'g'\t:\t'h\ti'\n",
         [(("a",), "b"), (("d", ITEM), "e"), (("d", ITEM), "f"), (("g",), "h\ti")]),
        ("\ufeffa: b\nc: \x85\x93d\u2028\ud800\ne\x7f: 😀 f\n",
         [(("\ufffda",), "b"), (("c",), "\x85\x93d\u2028\ud800"), (("e\ufffd",), "😀 f")]),
        ("a: {{ b }}\nc: d\n", [(("c",), "d")]),
    ],
)  # fmt: skip
def test_yaml_that_a_scanner_of_lines_does_not_read(text: str, expected: list[Row], parser: None) -> None:
    assert rows(text, Kind.YAML) == expected


NAMES = st.sampled_from(["a", "b c", "device", "x.y", "n-1", "é"])
LEAVES = st.one_of(
    st.sampled_from(["cuda", "cuda:0", "b c", "", "x: y", "# no", "- a", "it's", "a\nb: c", "1", "é", "{a", "*x"]),
    st.integers(0, 9),
    st.booleans(),
)
TREES = st.dictionaries(
    NAMES,
    st.recursive(LEAVES, lambda t: st.lists(t, max_size=3) | st.dictionaries(NAMES, t, max_size=3), max_leaves=12),
    min_size=1,
    max_size=4,
)
relaxed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@given(TREES, st.sampled_from([True, False, None]), st.booleans())
@relaxed
def test_yaml_as_it_is_dumped(tree: dict[str, Any], flow: bool | None, wide: bool) -> None:
    text = yaml.safe_dump(tree, default_flow_style=flow, width=400 if wide else 20, allow_unicode=True)
    found = {(e.keys, e.value, e.span.start, e.span.end) for e in read(text, Kind.YAML)}
    plain = {row for row in of_yaml(text) if "\\" not in text[row[2] : row[3]] and "''" not in text[row[2] : row[3]]}
    assert plain <= found
    assert {row[2:] for row in found} <= {row[2:] for row in of_yaml(text)}


@given(TREES, st.sampled_from([None, 1, "\t"]))
@relaxed
def test_json(tree: dict[str, Any], indent: int | str | None) -> None:
    text = json.dumps(tree, indent=indent, ensure_ascii=False)
    expected = [row for row in flattened(tree) if "\n" not in row[1]]
    found = iter(rows(text, Kind.JSON))
    assert all(row in found for row in expected), "the strings are among the entries, in their order"
    assert len(rows(text, Kind.JSON)) == len(leaves(tree))


def leaves(tree: Any) -> list[Any]:
    if isinstance(tree, dict):
        return [leaf for value in tree.values() for leaf in leaves(value)]
    if isinstance(tree, list):
        return [leaf for value in tree for leaf in leaves(value)]
    return [tree]


TOML = [
    'a = "b"\nc.d = \'e\'\n[f]\ng = "h" # i\n[f."j k"]\nl = "m"\n',
    '[[a]]\nb = "c"\n[[a]]\nb = "d"\n[a.e]\nf = "g"\n',
    'a = ["b", "c", # d\n  "e",\n]\nf = { g = "h", i.j = "k" }\n',
    'a = """\nb = "c"\n"""\nd = \'\'\'e = "f"\'\'\'\ng = "h"\n',
    "a = 1979-05-27 07:32:00\nb = 1_000\nc = 'x'\r\nd = true\r\n",
    'a = """b""""\nc = "d"\n',
    "",
]


@pytest.mark.parametrize("text", TOML)
def test_toml(text: str) -> None:
    def plain(found: list[Row]) -> list[Row]:
        return [(tuple(k for k in keys if k != ITEM), v.lstrip("\r\n")) for keys, v in found]

    strings = [(e.keys, e.value) for e in read(text, Kind.TOML) if e.quoted]
    assert sorted(plain(strings)) == sorted(plain(flattened(tomllib.loads(text))))


def test_ini() -> None:
    text = "[a]\nb = c ; d\ne: 'f'\n# g = h\ni =\n    j>=1\n    # k\n\n    l # m\n\n[o p]\nq=r\n"
    assert rows(text, Kind.INI) == [
        (("a", "b"), "c"), (("a", "e"), "f"), (("a", "i", ITEM), "j>=1"), (("a", "i", ITEM), "l"), (("o p", "q"), "r"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"a": "b"', Kind.JSON), ('{"a": "b"} x', Kind.JSON), ("{'a': 'b'}", Kind.JSON), ('{"a": "b', Kind.JSON),
        ("", Kind.JSON), ("[" * 50_000, Kind.JSON), ("a:\n\tb: c\n", Kind.YAML), ("a: b\n c: d\n", Kind.YAML),
        ("a: [b\n", Kind.YAML), ("[" * 50_000, Kind.YAML), ("a: 'b\n", Kind.YAML),
        ("{% if a %}\nb: c\n{% endif %}\n", Kind.YAML),
        ('a = "b\n', Kind.TOML), ("a", Kind.TOML), ("[a\nb = c\n", Kind.TOML), ("a = [1\n", Kind.TOML),
    ],
)  # fmt: skip
def test_what_is_not_well_formed_has_no_entries(text: str, kind: Kind) -> None:
    assert read(text, kind) == ()


@given(st.text(alphabet="ab:-# \n\t'\"[]{},|>&*!?%=.", max_size=40), st.sampled_from(list(Kind)[:4]))
@relaxed
def test_any_text_is_read_or_passed_over(text: str, kind: Kind) -> None:
    read(text, kind)


def test_json_of_editors_has_comments() -> None:
    assert rows('// a\n{"b": "c", /* "d": "e" */ "f": ["g",]}', Kind.JSON) == [(("b",), "c"), (("f", ITEM), "g")]
