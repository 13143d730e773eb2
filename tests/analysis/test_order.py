"""The order of execution: through calls, with what each call gives; parameters that are taken before a move."""

from __future__ import annotations

import ast

import pytest

from tests.analysis.marks import HEAD
from tests.facts.project import path, program
from xlaport.analysis.analysis import Analysis
from xlaport.analysis.order import executed, taken_too_early

SGD = "torch.optim.SGD"


def analysed(source: str) -> Analysis:
    own = program(main=HEAD + source).facts(path("main"))
    assert own is not None
    analysis = Analysis(own.program, own)
    analysis.run([path("main")])
    return analysis


def early(source: str) -> list[str]:
    """The code that takes parameters too early."""
    analysis = analysed(source)
    pairs = [pair for entrance in analysis.entrances() for pair in taken_too_early(entrance, analysis)]
    return [ast.unparse(take.node) for take, _ in pairs]


def test_events_stand_where_they_run() -> None:
    source = (
        "def take(m):\n    return torch.optim.SGD(m.parameters(), 1)\n"
        "def go(m):\n    take(m)\n    m.cuda()\n"
        "a, b = nn.Linear(1, 2), nn.Linear(1, 2)\nb.cuda()\ngo(a)\ngo(b)\n"
    )
    analysis = analysed(source)
    module = next(analysis.entrances())
    events = executed(module, analysis)
    happened = [(event.kind.value, sorted(site.column for site in event.objects)) for event in events]
    a, b = [7], [24]
    assert happened == [
        ("move", b),
        ("call", []), ("call", []), ("take", a), ("move", a),
        ("call", []), ("call", []), ("take", b), ("move", b),
    ]  # fmt: skip
    assert early(source) == ["torch.optim.SGD(m.parameters(), 1)"]


@pytest.mark.parametrize(
    ("source", "is_early"),
    [
        ("m = nn.Linear(1, 2)\no = torch.optim.SGD(m.parameters(), 1)\nm.cuda()", True),
        ("m = nn.Linear(1, 2)\nm.cuda()\no = torch.optim.SGD(m.parameters(), 1)", False),
        ("m = nn.Linear(1, 2)\nm.cuda()\no = torch.optim.SGD(m.parameters(), 1)\nm.cuda()", False),
        ("m = nn.Linear(1, 2)\no = torch.optim.SGD(m.parameters(), 1)\nm.to(torch.float16)", False),
        ("m = nn.Linear(1, 2)\no = torch.optim.SGD(m.parameters(), 1)\nm.to(dtype=torch.float16)", False),
        ("m = nn.Linear(1, 2)\no = torch.optim.SGD(m.parameters(), 1)\nm.cpu()", False),
        ("m = nn.Linear(1, 2)\no = torch.optim.SGD(m.parameters(), 1)\nn = copy.deepcopy(m)\nn.cuda()", False),
        ("m = nn.Linear(1, 2)\no = torch.optim.SGD(m.parameters(), 1)\nw = nn.Sequential(m)\nw.cuda()", True),
        ("m = nn.Linear(1, 2)\nw = nn.Sequential(m)\no = torch.optim.SGD(w.parameters(), 1)\nm.cuda()", True),
        ("m = nn.Linear(1, 2)\no = torch.optim.SGD([{'params': m.parameters()}], 1)\nm.cuda()", True),
        ("m = nn.Linear(1, 2)\np = [p for p in m.parameters()]\no = torch.optim.SGD(p, 1)\nm.cuda()", True),
        ("m = nn.Linear(1, 2)\no = torch.optim.SGD(m.parameters(), 1)\ndef f():\n    m.cuda()\nf()", True),
        ("m = nn.Linear(1, 2)\no = torch.optim.SGD(m.parameters(), 1)\nm = nn.Linear(1, 2)\nm.cuda()", False),
        ("ms = [nn.Linear(1, 2), nn.Linear(1, 2)]\no = torch.optim.SGD(ms[0].parameters(), 1)\nms[1].cuda()", False),
        ("def f(m):\n    f(m)\n    o = torch.optim.SGD(m.parameters(), 1)\n    m.cuda()\nf(nn.Linear(1, 2))", True),
        ("class A:\n    def __init__(self):\n        self.m = nn.Linear(1, 2)\n        self.m = self.m.cuda()\n"
         "        self.o = torch.optim.SGD(self.m.parameters(), 1)\nA()", False),
        ("class A:\n    def __init__(self, m):\n        self.m = copy.deepcopy(m)\n        self.m.cuda()\n"
         "m = nn.Linear(1, 2)\no = torch.optim.SGD(m.parameters(), 1)\nA(m)", False),
    ],
)  # fmt: skip
def test_parameters_that_are_taken_before_a_move(source: str, is_early: bool) -> None:
    assert bool(early(source)) is is_early
