"""The order of execution: through calls, with what each call gives; parameters that are taken before a move."""

from __future__ import annotations

import ast

import pytest

from tests.analysis.marks import HEAD
from tests.facts.project import path, program
from xlaport.analysis.analysis import Analysis
from xlaport.analysis.order import copied_at_once, executed, kept_too_long, taken
from xlaport.analysis.tied import tied

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
    found = [one for entrance in analysis.entrances() for one in taken(entrance, analysis) if one.moves]
    return list(dict.fromkeys(ast.unparse(one.take.node) for one in found))


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


TWO = "a, b = nn.Linear(2, 2), nn.Linear(2, 2)\n"
CLIP = "torch.nn.utils.clip_grad_norm_(p, 1)"


@pytest.mark.parametrize(
    ("source", "is_kept"),
    [
        (f"p = list(a.parameters())\na.cuda()\n{CLIP}", True),
        (f"q = [w for w in a.parameters()]\na.cuda()\np = q\n{CLIP}", True),
        (f"q = list(a.parameters())\np = list(q)\na.cuda()\n{CLIP}", True),
        (f"p = []\nfor w in a.parameters():\n    p.append(w)\na.cuda()\n{CLIP}", True),
        ("p = list(a.parameters())\na.cuda()\nfor w in p:\n    w.grad.zero_()", True),
        (f"def f(m):\n    return list(m.parameters())\np = f(a)\na.cuda()\n{CLIP}", True),
        (f"p = a.parameters()\na.cuda()\n{CLIP}", False),
        (f"a.cuda()\np = list(a.parameters())\n{CLIP}", False),
        (f"p = list(a.parameters())\na.cuda()\np = list(a.parameters())\n{CLIP}", False),
        (f"p = list(a.parameters())\nb.cuda()\n{CLIP}", False),
        (f"p = [w.clone() for w in a.parameters()]\na.cuda()\n{CLIP}", False),
        (f"p = list(a.parameters())\n{CLIP}\na.cuda()", False),
        ("p = list(a.parameters())\na.cuda()\nprint(len(p))", False),
        (f"def f(m):\n    return list(m.parameters())\na.cuda()\np = f(a)\nf(b)\nb.cuda()\n{CLIP}", False),
    ],
)  # fmt: skip
def test_parameters_that_are_kept_while_they_move(source: str, is_kept: bool) -> None:
    analysis = analysed(TWO + source)
    found = [triple for entrance in analysis.entrances() for triple in kept_too_long(entrance, analysis)]
    assert bool(found) is is_kept


@pytest.mark.parametrize(
    ("source", "is_untied"),
    [
        ("a.weight = b.weight\nm = nn.Sequential(a, b)\nm.cuda()", True),
        ("setattr(a, 'weight', b.weight)\nm = nn.Sequential(a, b)\nm.cuda()", True),
        ("w = b.weight\na.weight = w\nm = nn.ModuleList([a, b])\nm.cuda()", True),
        ("m = nn.ModuleDict()\nm['a'], m['b'] = a, b\nm['a'].weight = m['b'].weight\nm.cuda()", True),
        ("def f(x, y):\n    x.weight = y.weight\nf(a, b)\nm = nn.Sequential(a, b)\nm.cuda()", True),
        ("m = nn.Sequential(a, b)\nm[0].weight = m[1].weight\nm.cuda()", True),
        ("m = nn.Sequential(a, b)\nm.cuda()\na.weight = b.weight", False),
        ("a.weight = b.weight\nm = nn.Sequential(a, b)\nm.cuda()\na.weight = b.weight", False),
        ("a.weight = b.weight\na.weight = nn.Parameter(torch.eye(2))\nm = nn.Sequential(a, b)\nm.cuda()", False),
        ("a.weight = nn.Parameter(b.weight.clone())\nm = nn.Sequential(a, b)\nm.cuda()", False),
        ("a.weight = b.weight.clone()\nm = nn.Sequential(a, b)\nm.cuda()", False),
        ("a.weight = b.weight\na.cuda()", False),
        ("a.weight = a.weight\nm = nn.Sequential(a, b)\nm.cuda()", False),
        ("a.weight = b.weight\nm = nn.Sequential(a, b)\nm.to(torch.float16)", False),
    ],
)  # fmt: skip
def test_parameters_that_are_one_until_a_move(source: str, is_untied: bool) -> None:
    analysis = analysed(TWO + source)
    found = [one for entrance in analysis.entrances() for one in tied(entrance, analysis) if one.move is not None]
    assert bool(found) is is_untied


@pytest.mark.parametrize(
    ("source", "is_at_once"),
    [
        ("b.load_state_dict(a.state_dict())", True),
        ("s = a.state_dict()\ndef f(m, s):\n    m.load_state_dict(s)\nf(b, s)", True),
        ("ms = {'a': a, 'b': b}\nms = {k: m.eval() for k, m in ms.items()}\n"
         "ms['b'].load_state_dict(ms['a'].state_dict())", True),
        ("a.load_state_dict(a.state_dict())", False),
        ("b.load_state_dict({k: v.cpu() for k, v in a.state_dict().items()})", False),
        ("b.load_state_dict(torch.load('x'))", False),
        ("import torch_xla\ntorch_xla.sync()\nb.load_state_dict(a.state_dict())", False),
        ("o = torch.optim.SGD(a.parameters(), 1)\no.step()\nb.load_state_dict(a.state_dict())", False),
        ("c = nn.Linear(2, 2)\nc.load_state_dict(a.state_dict())", False),
    ],
)  # fmt: skip
def test_copies_of_weights_before_a_step(source: str, is_at_once: bool) -> None:
    analysis = analysed(f"{TWO}a.cuda()\nb.cuda()\n{source}")
    found = [event for entrance in analysis.entrances() for event in copied_at_once(entrance, analysis)]
    assert bool(found) is is_at_once


OPT = "o = torch.optim.SGD(a.parameters(), 1)\n"


@pytest.mark.parametrize(
    ("source", "moves", "is_idle"),
    [
        (f"{OPT}a.cuda()", [1], True),
        (f"{OPT}a(1)\na.cuda()", [1], False),
        (f"{OPT}b(1)\na.cuda()\na(1)", [1], True),
        (f"{OPT}show(a)\na.cuda()", [1], False),
        (f"{OPT}nn.init.zeros_(a.weight)\na.cuda()", [1], False),
        (f"{OPT}a.apply(print)\na.cuda()", [1], False),
        (f"{OPT}a.train()\na.cuda()", [1], True),
        (f"{OPT}b.cuda()", [0], True),
        (f"import accelerate\nc = accelerate.Accelerator()\n{OPT}a, o = c.prepare(a, o)\na.cuda()", [], True),
        (f"import accelerate\nc = accelerate.Accelerator()\n{OPT}b = c.prepare(b)\na.cuda()", [1], True),
        ("o = torch.optim.SGD([*a.parameters(), *b.parameters()], 1)\nfor m in (a, b):\n    m.cuda()", [2], True),
        ("o = torch.optim.SGD([*a.parameters(), *b.parameters()], 1)\na.cuda()\nb.cuda()", [2], True),
        ("p = list(a.parameters())\np += b.parameters()\no = torch.optim.SGD(p, 1)\nb.cuda()\na.cuda()", [2], True),
        ("p = list(a.parameters())\np += list(b.parameters())\no = torch.optim.SGD(p, 1)\nb.cuda()", [1], True),
        ("def f(m):\n    return torch.optim.SGD(m.parameters(), 1)\nf(a)\nf(b)\na.cuda()", [0, 1], True),
        ("def f(m):\n    o = torch.optim.SGD(m.parameters(), 1)\n    n = m\n    n.cuda()", [1], True),
        ("def g(m):\n    m.cuda()\ndef f(m):\n    o = torch.optim.SGD(m.parameters(), 1)\n    g(m)", [1], True),
        ("def f(m, n):\n    o = torch.optim.SGD(m.parameters(), 1)\n    n.cuda()", [0], True),
        (f"{OPT}thing().cuda()", [], True),
        (f"class A:\n    def __init__(self):\n        self.m = nn.Linear(1, 2)\n        {OPT.replace('a.', 'self.m.')}"
         "A()\nA()", [0, 0], True),
    ],
)  # fmt: skip
def test_what_is_taken_and_its_moves(source: str, moves: list[int], is_idle: bool) -> None:
    analysis = analysed(TWO + source)
    found = [one for entrance in analysis.entrances() for one in taken(entrance, analysis)]
    assert sorted(len(one.moves) for one in found) == moves
    assert all(one.is_idle for one in found) is is_idle
