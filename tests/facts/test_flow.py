"""Flow: where a value goes, through names, attributes, parameters and options."""

from __future__ import annotations

import ast

import pytest

from .source import facts

V = "'VALUE'"


def reached(source: str) -> tuple[list[str], list[str], int]:
    """The kinds of the sinks of the string ``'VALUE'``, the strings that it meets, and how often it gets lost."""
    context = facts(source)
    (start,) = [n for n in context.module.nodes if isinstance(n, ast.Constant) and n.value == "VALUE"]
    reach = context.flow.reach(start)
    spots = [spot.node for spot in [*reach.comparisons, *reach.lists]]
    met = [str(n.value) for n in spots if isinstance(n, ast.Constant)]
    return [sink.kind.name for sink in reach.sinks], met, len(reach.unknown)


@pytest.mark.parametrize(
    "source",
    [
        f"x = {V}",
        f"print({V})",
        f"x.name({V})",
        f"x = {V}\ndef f(x): torch.device(x)",
        f"x = {V}\n{{'device': x}}",
        f"to({V})",
        f"open({V}).to",
        f"def f(device): pass\nf(device={V})",
        f"torch.tensor({V})",
        f"x.to(1, {V})",
        f"torch.load({V})",
        f"x.cuda\nx = {V}",
        f"from other import to\nto({V})",
        f"class T:\n    def to(self, x): pass\nT().to({V})",
        f"(torch.device if {V} else torch.device)(1)",
        f"def f(): pass\nf.name = {V}",
        f"def f(): pass\nf.names['a'] = {V}",
    ],
)
def test_no_device(source: str) -> None:
    assert reached(source)[0] == []


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        (f"torch.device({V})", "DEVICE"),
        (f"x.to({V})", "DEVICE"),
        (f"x.to(device={V})", "DEVICE"),
        (f"x.cuda({V})", "DEVICE"),
        (f"x.new_zeros(1, device={V})", "DEVICE"),
        (f"torch.zeros(1, device={V})", "DEVICE"),
        (f"torch.set_default_device({V})", "DEVICE"),
        (f"torch.cuda.set_device({V})", "DEVICE"),
        (f"torch.autocast({V})", "DEVICE_TYPE"),
        (f"torch.autocast(device_type={V})", "DEVICE_TYPE"),
        (f"torch.amp.GradScaler({V})", "DEVICE_TYPE"),
        (f"torch.load(f, {V})", "MAP_LOCATION"),
        (f"torch.load(f, map_location={V})", "MAP_LOCATION"),
        (f"torch.Generator({V})", "GENERATOR"),
        (f"torch.Generator(device={V})", "GENERATOR"),
    ],
)
def test_sinks(source: str, kind: str) -> None:
    assert reached(source) == ([kind], [], 0)


@pytest.mark.parametrize(
    "source",
    [
        f"d = {V}\ntorch.device(d)",
        f"d: str = {V}\ntorch.device(d)",
        f"a = b = {V}\ntorch.device(b)",
        f"a, d = 1, {V}\ntorch.device(d)",
        f"if (d := {V}): torch.device(d)",
        f"d = {V} if c else 'cpu'\ntorch.device(d)",
        f"d = c or {V}\ntorch.device(d)",
        f"d = {V}\ndef f(): torch.device(d)",
        f"def f():\n    global d\n    d = {V}\ndef g(): torch.device(d)",
        f"def f(d={V}): torch.device(d)",
        f"def f(*, d={V}): torch.device(d)",
        f"def f(a, d): torch.device(d)\nf(1, {V})",
        f"def f(a, d): torch.device(d)\nf(d={V}, a=1)",
        f"def f(): return {V}\ntorch.device(f())",
        f"class T:\n    def __init__(self, d): self.d = d\n    def f(self): torch.device(self.d)\nT({V})",
        f"class T:\n    def __init__(self): self.d = {V}\n    def f(self): torch.device(self.d)",
        f"class T:\n    d = {V}\n    def f(self): torch.device(self.d)",
        f"class T:\n    d = {V}\ntorch.device(T.d)",
        f"args.d = {V}\ntorch.device(args.d)",
        f"p.add_argument('--dev-ice', default={V})\nargs = p.parse_args()\ntorch.device(args.dev_ice)",
        f"p.add_argument('-d', '--device', default={V})\ndef f(args): torch.device(args.device)",
        f"p.add_argument('-d', dest='device', default={V})\nargs, rest = p.parse_known_args()\n"
        "torch.device(args.device)",
    ],
)
def test_the_ways_a_value_goes(source: str) -> None:
    assert reached(source)[0] == ["DEVICE"]


@pytest.mark.parametrize(
    ("source", "met"),
    [
        (f"d = {V}\nif d == 'a': pass", ["a"]),
        (f"d = {V}\nif 'a' != d: pass", ["a"]),
        (f"d = {V}\nif d in ('a', 'b'): pass", ["a", "b"]),
        (f"d = {V}\nif d.startswith('a'): pass", ["a"]),
        (f"d = {V}\nif d == 'a' or d == 'b': pass", ["a", "b"]),
        (f"p.add_argument('--d', default={V}, choices=['a', 'b'])", ["a", "b"]),
        (f"d = {V}\nif d.lower() == 'a': pass", ["a"]),
        (f"d = {V}\nif d.split(':')[0] == 'a': pass", [":", "a"]),
    ],
)
def test_strings_that_it_is_compared_with(source: str, met: list[str]) -> None:
    assert reached(source)[1] == met


@pytest.mark.parametrize(
    "source",
    [
        f"d = {V}\nunknown(d)",
        f"unknown(x={V})",
        f"d = [{V}]",
        f"d = {{'a': {V}}}",
        f"d = {V}\nf(*d)",
        f"yield_ = lambda: {V}",
        f"x[0] = {V}",
    ],
)
def test_lost(source: str) -> None:
    assert reached(source)[2] == 1


def test_a_value_that_goes_in_circles() -> None:
    assert reached(f"a = {V}\nfor _ in x:\n    b = a\n    a = b\ntorch.device(b)")[0] == ["DEVICE"]


@pytest.mark.parametrize(
    ("source", "met"),
    [
        (f"KNOWN = ['a', 'b']\nd = {V}\nassert d in KNOWN", ["a", "b"]),
        (f"KNOWN = frozenset(('a',))\nd = {V}\nassert d in KNOWN", ["a"]),
        (f"A = ['a']\nB = A + ['b']\nd = {V}\nassert d in B", ["a", "b"]),
        (f"A = 'a'\nd = {V}\nassert d == A", ["a"]),
        (f"class K:\n    A = 'a'\nd = {V}\nassert d == K.A", ["a"]),
        (f"A = 'a'\nA = 'b'\nd = {V}\nassert d == A", []),
        (f"import re\nd = {V}\nre.match('a', d)", ["a"]),
        (f"d = {V}\nd.startswith(('a', 'b'))", ["a", "b"]),
        (f"d = {V}\nkind = d.split(':')[0]\nassert kind == 'a'", [":", "a"]),
        (f"d = {V}\nkind, n = d.split(':')\nassert kind == 'a' or n == 'b'", [":", "a"]),
    ],
)
def test_strings_behind_names(source: str, met: list[str]) -> None:
    assert reached(source)[1] == met


@pytest.mark.parametrize(
    "annotation",
    ["Literal['a', 'b']", "Optional[Literal['a', 'b']]", "Kind", "Kind | None", "typing.Literal['a', 'b']"],
)
def test_literals(annotation: str) -> None:
    head = "import typing\nfrom typing import Literal, Optional\nKind = Literal['a', 'b']\n"
    assert reached(head + f"def f(d: {annotation} = {V}): pass")[1] == ["a", "b"]
