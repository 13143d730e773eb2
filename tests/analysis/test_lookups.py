"""What is looked up by a text, or is so where nobody says otherwise: as a value, and how sure that is."""

from __future__ import annotations

import textwrap

import pytest

from tests.analysis.marks import marked
from xlaport.analysis.definitions import Class, Function
from xlaport.analysis.value import NUMBER, Certainty, Value, each_alternative
from xlaport.facts.held import Kind

PARSER = "import argparse\nparser = argparse.ArgumentParser()\n"


def value(source: str, **others: str) -> Value:
    """The value of what a program marks."""
    return marked({"main": textwrap.dedent(source), **others})[0]


def names(found: Value) -> list[str]:
    """The names of what it may stand for; of the program's own, their last ones."""
    shown = []
    for one in each_alternative(found):
        own = one.refers if isinstance(one.refers, Class | Function) else one.type
        shown.append(own.node.name if isinstance(own, Class) else getattr(own, "name", None) or str(one.refers))
    return shown


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("mark(getattr(torch, 'float64'))", ["torch.float64"]),
        ("name = 'SGD'\nmark(getattr(torch.optim, name))", ["torch.optim.SGD"]),
        ("def f(name):\n    return getattr(nn, name)\nmark(f('GELU'))", ["torch.nn.GELU"]),
        ("def f(name):\n    mark(getattr(nn, name))\nf('GELU')\nf('ReLU')", ["torch.nn.GELU", "torch.nn.ReLU"]),
        ("mark(getattr(torch.optim, unknown))", ["torch.optim.Optimizer"]),
        ("mark(getattr(torch.optim, 'A' + unknown))", ["torch.optim.Optimizer"]),
        ("mark(vars(torch.optim)['SGD'])", ["torch.optim.SGD"]),
        ("mark(torch.optim.__dict__['SGD'])", ["torch.optim.SGD"]),
        ("import importlib\nmark(importlib.import_module('torch.optim').SGD)", ["torch.optim.SGD"]),
        ("class Net(nn.Module):\n    pass\nmark(globals()['Net'])", ["Net"]),
        ("class Net(nn.Module):\n    pass\nmark(globals()['Net']())", ["Net"]),
        ("def step():\n    pass\nmark(globals()['step'])", ["step"]),
        ("t = {n: getattr(torch.optim, n) for n in ('SGD', 'Adam')}\nmark(t['Adam'])", ["torch.optim.Adam"]),
        (
            "t = {n: getattr(torch.optim, n) for n in ('SGD', 'Adam')}\nmark(t[unknown])",
            ["torch.optim.Adam", "torch.optim.SGD"],
        ),
        ("t = [getattr(torch.optim, n) for n in ('SGD', 'Adam')]\nmark(t[0])", ["torch.optim.SGD"]),
        (
            "class C:\n    kind = torch.float32\nclass D(C):\n    kind = torch.float64\nmark(D().kind)",
            ["torch.float64"],
        ),
        ("class C:\n    kind = torch.float32\nclass D(C):\n    pass\nmark(D().kind)", ["torch.float32"]),
        (
            "class C:\n    @property\n    def kind(self):\n        return torch.half\nmark(getattr(C(), 'kind', None))",
            ["torch.half"],
        ),
        ("class C:\n    kind = 1\nd = C()\nd.kind = torch.float64\nmark(C().kind)", ["None"]),
        ("A = None\ndef f():\n    global A\n    A = torch.optim\nf()\nmark(A.SGD)", ["torch.optim.SGD"]),
        ("A = None\ndef f():\n    A = torch.optim\nf()\nmark(A)", ["None"]),
        ("A = {}\ndef f(c):\n    A['a'] = c\nf(torch.optim.SGD)\nmark(A['a'])", ["torch.optim.SGD"]),
        ("A = {}\ndef f(c):\n    A[c.__name__] = c\nf(torch.optim.SGD)\nmark(A['SGD'])", ["torch.optim.SGD"]),
        ("A = {}\ndef f(c):\n    A = {}\n    A['a'] = c\nf(torch.optim.SGD)\nmark(A['a'])", ["None"]),
        (
            "def f():\n    a = None\n    def g():\n        nonlocal a\n        a = nn\n    g()\n    mark(a)",
            ["torch.nn"],
        ),
    ],
)
def test_what_a_text_leads_to(source: str, expected: list[str]) -> None:
    assert names(value(source)) == expected


def test_in_another_file() -> None:
    assert names(value("import other\nmark(getattr(other, 'Net'))", other="class Net(nn.Module):\n    pass\n")) == [
        "Net"
    ]


def test_the_texts_that_a_name_may_be() -> None:
    found = value("name = 'a' if unknown else 'b'\nmark(name)")
    assert [one.constant for one in found.alternatives] == ["a", "b"]
    assert value("name = 'a' if unknown else unknown\nmark(name)") == Value()
    assert value("name = 'a' if unknown else str(1)\nmark(name)").alternatives == ()


class TestOptions:
    """An option of the command line is its default, where nobody says otherwise."""

    ADD = "parser.add_argument('--kind', default='SGD')\n"

    @pytest.mark.parametrize(
        "parsing", ["parser.parse_args()", "parser.parse_args([])", "parser.parse_known_args()[0]"]
    )
    def test_its_default(self, parsing: str) -> None:
        found = value(f"{PARSER}{self.ADD}args = {parsing}\nmark(getattr(torch.optim, args.kind))")
        assert (names(found), found.certainty) == (["torch.optim.SGD"], Certainty.ASSUMED)

    def test_in_a_table(self) -> None:
        table = "table = {'SGD': torch.optim.SGD, 'Adam': torch.optim.Adam}\n"
        found = value(f"{PARSER}{self.ADD}{table}args = parser.parse_args()\nmark(table[args.kind])")
        assert (names(found), found.certainty) == (["torch.optim.SGD"], Certainty.ASSUMED)

    def test_handed_on(self) -> None:
        source = (
            f"{PARSER}{self.ADD}def f(options):\n    mark(getattr(torch.optim, options.kind))\nf(parser.parse_args())"
        )
        assert names(value(source)) == ["torch.optim.SGD"]

    @pytest.mark.parametrize(
        "source",
        [
            "parser.add_argument('--kind')\nargs = parser.parse_args()\n",
            "parser.add_argument('--kind', default='SGD', nargs='*')\nargs = parser.parse_args()\n",
            "parser.add_argument('--kind', default='SGD', type=load)\nargs = parser.parse_args()\n",
            "parser.add_argument('--kind', default='SGD')\nargs = parser.parse_args()\nargs.kind = load()\n",
            "parser.add_argument('--kind', default='SGD')\nargs = load()\n",
            "parser.add_argument('--kind', default='cuda')\nargs = parser.parse_args()\n",
        ],
    )
    def test_not_known(self, source: str) -> None:
        assert value(f"{PARSER}{source}mark(args.kind)").constant is None

    @pytest.mark.parametrize(
        ("options", "kind"),
        [
            ("parser.add_argument('--n', type=int, default=70)", Kind.INT),
            ("parser.add_argument('--n', type=float, required=True)", Kind.FLOAT),
            ("parser.add_argument('--n', type=int)", None),  # it may be None
            ("parser.add_argument('--n', type=int, default=None)", None),
            ("parser.add_argument('--n', type=int, default=70, nargs=2)", None),
            ("parser.add_argument('--n', type=int, default=load())", None),
            ("parser.add_argument('--n', type=load, default=70)", None),
            ("parser.add_argument('--n', type=int, default=70)\nparser.set_defaults(n=None)", None),
            (
                "parser.add_argument('--n', type=int, default=7)\nother.add_argument('--n', type=float, default=7.0)",
                None,
            ),
        ],
    )
    def test_a_number(self, options: str, kind: Kind | None) -> None:
        source = f"{PARSER}{options}\nargs = parser.parse_args()\n"
        found = value(f"{source}mark(args.n)")
        assert (found.type == NUMBER, found.holds.kind) == (kind is not None, kind)
        assert found.constant is None
        assert value(f"{source}args.n = load()\nmark(args.n)").type != NUMBER

    def test_a_field_of_a_class(self) -> None:
        source = "import dataclasses\n@dataclasses.dataclass\nclass C:\n    kind: str = 'SGD'\nmark(C().kind)"
        assert (value(source).constant, value(source).certainty) == ("SGD", Certainty.ASSUMED)
        assert value(source.replace("C()", "C('Adam')")).constant is None


@pytest.mark.parametrize(
    ("source", "wide"),
    [
        ("mark(np.zeros(3))", True),
        ("mark(np.zeros(3, np.float32))", False),
        ("mark(np.zeros(3, dtype='float64'))", True),
        ("mark(np.zeros(3, dtype=kind))", False),
        ("mark(np.array([1.0]))", False),
        ("mark(np.log(0.1))", True),
        ("mark(np.log(unknown))", False),
        ("mark(np.random.rand(3) * 2)", True),
        ("mark(np.random.rand(3) * unknown)", False),
        ("mark(np.random.rand(3) > 2)", False),
        ("mark(-np.random.rand(3))", True),
        ("mark(np.random.default_rng(0).normal(size=3))", True),
        ("mark(np.random.default_rng(0).integers(3))", False),
        ("mark(np.random.rand(3).astype(np.float32))", False),
        ("mark(unknown.astype(np.float64))", True),
        ("mark(torch.from_numpy(np.zeros(3)))", True),
        ("mark(torch.tensor(np.zeros(3), dtype=torch.float32))", False),
        ("mark(torch.from_numpy(np.zeros(3)).cuda())", True),
        ("mark(torch.from_numpy(np.zeros(3)).to('cuda', torch.float32))", False),
        ("mark(torch.from_numpy(np.zeros(3)).float())", False),
        ("mark(torch.from_numpy(np.zeros(3)).view(1, 3).clone())", True),
        ("mark(torch.from_numpy(np.zeros(3)).argmax())", False),
        ("mark(torch.zeros(3).double())", True),
        ("mark(torch.zeros(3).to(torch.float64))", True),
        ("mark(torch.zeros(3, dtype=torch.float64) + 1)", True),
        ("mark(np.random.rand(3).reshape(3, 1)[None])", True),
        ("mark(np.stack([np.zeros(3), np.ones(3)]))", True),
        ("mark(np.stack([np.zeros(3), unknown]))", False),
        ("mark(np.stack([np.zeros(3)], dtype=np.float32))", False),
        ("x = np.zeros(3)\nif unknown:\n    x = np.array([1])\nmark(x)", False),
    ],
)
def test_floats_of_64_bits(source: str, wide: bool) -> None:
    assert value(f"import numpy as np\n{source}").wide is wide


def test_the_value_of_a_member_of_an_enum() -> None:
    assert value("import enum\nclass P(enum.Enum):\n    a = 'cuda'\nmark(P.a.value)").constant == "cuda"


def test_what_calls_a_method_of_what_it_gets() -> None:
    found = value("import operator\nmove = operator.methodcaller('cuda')\nmark(move(torch.zeros(3)))")
    assert (found.type, found.because) == ("torch.Tensor", "moved by .cuda()")
    assert value("import operator\nmove = operator.methodcaller(unknown)\nmark(move(torch.zeros(3)))") == Value()
