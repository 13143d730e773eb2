"""Flow: where a value goes, through names, attributes, parameters and options."""

from __future__ import annotations

import ast

import pytest

from .source import facts

V = "'cuda:7'"


def reached(source: str) -> tuple[list[str], list[str], int]:
    """The kinds of the sinks of the string ``'cuda:7'``, the strings that it meets, and how often it gets lost."""
    context = facts(source)
    (start,) = [n for n in context.module.nodes if isinstance(n, ast.Constant) and n.value == "cuda:7"]
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
        (f"d = {V}\nif d == 'cpu': pass", ["cpu"]),
        (f"d = {V}\nif 'cpu' != d: pass", ["cpu"]),
        (f"d = {V}\nif d in ('cpu', 'mps'): pass", ["cpu", "mps"]),
        (f"d = {V}\nif d.startswith('cpu'): pass", ["cpu"]),
        (f"d = {V}\nif d == 'cpu' or d == 'mps': pass", ["cpu", "mps"]),
        (f"p.add_argument('--d', default={V}, choices=['cpu', 'mps'])\ntorch.device(p.parse_args().d)", ["cpu", "mps"]),
        (f"d = {V}\nif d.lower() == 'cpu': pass", ["cpu"]),
        (f"d = {V}\nif d.split(':')[0] == 'cpu': pass", ["cpu"]),
    ],
)
def test_strings_that_it_is_compared_with(source: str, met: list[str]) -> None:
    assert reached(source)[1] == met


@pytest.mark.parametrize(
    "source",
    [
        f"d = {V}\nunknown(d)",
        f"unknown(x={V})",
        f"d = {V}\nf(*d)",
    ],
)
def test_lost(source: str) -> None:
    assert reached(source)[2] == 1


def test_a_value_that_goes_in_circles() -> None:
    assert reached(f"a = {V}\nfor _ in x:\n    b = a\n    a = b\ntorch.device(b)")[0] == ["DEVICE"]


@pytest.mark.parametrize(
    ("source", "met"),
    [
        (f"KNOWN = ['cpu', 'mps']\nd = {V}\nassert d in KNOWN", ["cpu", "mps"]),
        (f"KNOWN = frozenset(('cpu',))\nd = {V}\nassert d in KNOWN", ["cpu"]),
        (f"A = ['cpu']\nB = A + ['mps']\nd = {V}\nassert d in B", ["cpu", "mps"]),
        (f"A = 'cpu'\nd = {V}\nassert d == A", ["cpu"]),
        (f"class K:\n    A = 'cpu'\nd = {V}\nassert d == K.A", ["cpu"]),
        (f"A = 'cpu'\nA = 'mps'\nd = {V}\nassert d == A", ["mps"]),
        (f"import re\nd = {V}\nre.match('cpu', d)", ["cpu"]),
        (f"d = {V}\nd.startswith(('cpu', 'mps'))", ["cpu", "mps"]),
        (f"d = {V}\nkind = d.split(':')[0]\nassert kind == 'cpu'", ["cpu"]),
        (f"d = {V}\nkind, n = d.split(':')\nassert kind == 'cpu' or n == 'mps'", ["cpu", "mps"]),
    ],
)
def test_strings_behind_names(source: str, met: list[str]) -> None:
    assert reached(source)[1] == met


@pytest.mark.parametrize(
    "annotation",
    ["Literal['cpu', 'mps']", "Optional[Literal['cpu', 'mps']]", "Kind", "Kind | None", "typing.Literal['cpu', 'mps']"],
)
def test_literals(annotation: str) -> None:
    head = "import typing\nfrom typing import Literal, Optional\nKind = Literal['cpu', 'mps']\n"
    assert reached(head + f"def f(d: {annotation} = {V}): torch.device(d)")[1] == ["cpu", "mps"]
