"""Values: what an expression may be, however it came there. Unknown where the program does not say."""

from __future__ import annotations

import textwrap

import pytest

from tests.analysis.marks import marked, role
from xlaport.analysis.library import role_of
from xlaport.analysis.value import NOTHING, NUMBER, PENDING, TENSOR, UNKNOWN, Certainty, Device, Value, join


def of(source: str, **others: str) -> str | None:
    return role(textwrap.dedent(source), **{name: textwrap.dedent(text) for name, text in others.items()})


OPEN = """
from collections import defaultdict
d = defaultdict(list)
d['a'].append(torch.zeros(2))
d['b'].append('text')
"""
MODEL = "class Net(nn.Module):\n    def forward(self, x):\n        return x * 2\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("mark(torch.zeros(3))", "host tensor"),
        ("mark(torch.zeros(3, device='cuda'))", "tensor"),
        ("mark(torch.zeros(3, device='cpu'))", "host tensor"),
        ("mark(torch.zeros(3).cuda())", "tensor"),
        ("mark(torch.zeros(3).to(torch.float16))", "host tensor"),
        ("d = torch.device('cpu')\nmark(torch.zeros(3).to(d))", "host tensor"),
        ("mark(torch.zeros(3).cuda().cpu())", "host tensor"),
        ("mark(torch.zeros(3).cuda().sum().item())", "number"),
        ("b, c = torch.zeros(3, 4).size()\nmark(b)", "number"),
        ("mark(len([1]) + 2)", "number"),
        ("mark('a' + str(1))", "text"),
        ("mark(nn.Linear(1, 2))", "model"),
        ("mark(nn.Linear(1, 2).cuda().train())", "model"),
        ("mark(nn.DataParallel(nn.Linear(1, 2)))", "model"),
        ("m = nn.Linear(1, 2)\nmark(torch.optim.SGD(m.parameters(), lr=1))", "optimizer"),
        ("for x, y in DataLoader([1]):\n    mark(x)", "host tensor"),
        ("for i, (x, y) in enumerate(DataLoader([1])):\n    mark(i)", "number"),
        ("for b in DataLoader([1]):\n    b = b.to('cuda')\n    for k, v in b.items():\n        mark(k)", "text"),
        ("for b in DataLoader([1]):\n    b = b.to('cuda')\n    for k, v in b.items():\n        mark(v)", "tensor"),
        ("for i, (x, y) in enumerate(DataLoader([1])):\n    x = x.cuda()\n    mark(x)", "tensor"),
        ("for p in nn.Linear(1, 2).parameters():\n    mark(p)", "tensor"),
        ("x = torch.zeros(3).cuda()\nmark(x[0] > 1)", "tensor"),
        ("mark([torch.zeros(3) for _ in range(2)][0])", "host tensor"),
        ("mark({'a': nn.Linear(1, 2)}['a'])", "model"),
        (f"{OPEN}for x in d['a']:\n    mark(x)", "host tensor"),
        (f"{OPEN}for x in d[load()]:\n    mark(x)", None),
        (f"{OPEN}for x in d['c']:\n    mark(x)", None),
        (f"{OPEN}d[load()].append(2)\nfor x in d['c']:\n    mark(x)", None),
        (f"{OPEN}e = defaultdict(list)\ne[load()].append(2)\nfor x in e['c']:\n    mark(x)", "number"),
        (f"{OPEN}for row in d.values():\n    for x in row:\n        mark(x)", None),
        (f"{OPEN}for k in d:\n    mark(k)", None),
        (f"{OPEN}if 'c' in d:\n    x = 1\nelse:\n    x = 'text'\nmark(x)", None),
        ("total = 0\nfor x in DataLoader([1]):\n    total += x.cuda()\nmark(total)", "tensor"),
        ("def f(model):\n    model.train()\n    model.eval()\n    mark(model)", "model"),
        ("def f(n):\n    if isinstance(n, int):\n        mark(n)", "number"),
        ("def f(x: torch.Tensor):\n    mark(x)", "tensor"),
        ("def f(x):\n    mark(x)", None),
        ("x = load()\nmark(x)", None),
        ("x = torch.zeros(3) if load() else load()\nmark(x)", None),
        ("x = None\nif load():\n    x = torch.zeros(3)\nmark(x)", "host tensor"),
        ("if load():\n    x = torch.zeros(3)\nelse:\n    raise ValueError\nmark(x)", "host tensor"),
        ("x = torch.zeros(3)\nif load():\n    x = 'text'\nmark(x)", None),
        ("try:\n    x = torch.zeros(3)\nexcept ValueError:\n    x = torch.ones(3)\nmark(x)", "host tensor"),
        ("x = y = torch.zeros(3)\nx, z = 1, y\nmark(z)", "host tensor"),
        ("if (x := torch.zeros(3)).any():\n    mark(x)", "host tensor"),
        ("match load():\n    case 1:\n        x = 1\n    case _:\n        x = 2\nmark(x)", "number"),
    ],
)
def test_what_stands_in_one_place(source: str, expected: str | None) -> None:
    assert of(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        # long ones
        ("mark(" + " + ".join(["1"] * 800) + ")", "number"),
        ("if load():\n    x = 1\n" + "elif load():\n    x = 2\n" * 80 + "else:\n    x = 3\nmark(x)", "number"),
        ("if load():\n    x = 1\nelif load():\n    x = 'a'\nelse:\n    raise ValueError\nmark(x)", None),
        ("if load():\n    x = 1\nelif load():\n    raise ValueError\nelse:\n    x = 2\nmark(x)", "number"),
        # helpers
        ("def make():\n    return nn.Linear(1, 2)\nmark(make())", "model"),
        ("def one():\n    return nn.Linear(1, 2)\ndef two():\n    return one()\nmark(two().cuda())", "model"),
        ("def both():\n    return nn.Linear(1, 2), torch.zeros(1)\nm, t = both()\nmark(t)", "host tensor"),
        ("def f(x):\n    mark(x)\nf(torch.zeros(3))\nf(torch.ones(2))", "host tensor"),
        ("def f(x):\n    mark(x)\nf(torch.zeros(3))\nf(load())", None),
        ("def f(*, x=1):\n    mark(x)\nf(x=torch.zeros(3).cuda())", "tensor"),
        ("def f(*xs):\n    mark(xs[0])\nf(torch.zeros(3))", "host tensor"),
        ("def f(a, b):\n    mark(b)\nxs = [torch.zeros(1), torch.zeros(1)]\nf(*xs)", "host tensor"),
        ("def batches():\n    yield torch.zeros(3)\nfor x in batches():\n    mark(x)", "host tensor"),
        ("def g():\n    x = yield 1\n    mark(x)\na = g()\nnext(a)\na.send(torch.zeros(3))", "host tensor"),
        ("def g():\n    x = yield 1\n    mark(x)\nsend = g().send\nsend(torch.zeros(3).cuda())", "tensor"),
        ("def g():\n    x = yield torch.zeros(3)\n    mark(x)\nfor x in g():\n    pass", None),
        ("def g():\n    x = yield 1\n    mark(x)\na = g()\na.send(torch.zeros(3))\na.send(load())", None),
        ("def g():\n    yield torch.zeros(3)\nmark(next(iter(g())))", "host tensor"),
        (
            "class Of:\n    def __iter__(self):\n        return self\n    def __next__(self):\n"
            "        return torch.zeros(3)\nfor x in Of():\n    mark(x)",
            "host tensor",
        ),
        # containers that are empty where they are made, and get what they hold by another name
        ("def f(x):\n    x.append(torch.zeros(3))\nxs = []\nf(xs)\nfor x in xs:\n    mark(x)", "host tensor"),
        ("def f(x):\n    x.append(torch.zeros(3))\nxs = []\nf(xs)\nload(xs)\nmark(xs[0])", None),
        ("def f(x):\n    load(x)\n    x.append(torch.zeros(3))\nxs = []\nf(xs)\nmark(xs[0])", None),
        ("def f(x):\n    x['a'] = torch.zeros(3)\n    x['b'] = 1\nxs = {}\nf(xs)\nmark(xs['a'])", "host tensor"),
        ("def f(x):\n    x['a'] = torch.zeros(3)\n    x['b'] = 1\nxs = {}\nf(xs)\nmark(xs['b'])", "number"),
        ("def f(x):\n    x['a'] = torch.zeros(3)\n    x['b'] = 'c'\nxs = {}\nf(xs)\nmark(xs['c'])", None),
        ("def f(x):\n    x['a'] = torch.zeros(3)\nxs, ys = {}, {}\nf(xs)\nmark(ys['a'])", None),
        ("def f(x):\n    x['a'] = torch.zeros(3)\nxs = {}\nf(xs)\nf(xs)\nxs['a'] = 1\nmark(xs['a'])", "number"),
        ("xs = dict()\ndef f():\n    return xs\nf()['a'] = torch.zeros(3)\nmark(xs['a'])", "host tensor"),
        (
            "class Of:\n    def __init__(self):\n        self.all = {}\ndef f(x):\n    x['a'] = torch.zeros(3)\n"
            "of = Of()\nf(of.all)\nmark(of.all['a'])",
            "host tensor",
        ),
        ("def f(g):\n    return g()\nmark(f(lambda: torch.zeros(3)))", "host tensor"),
        ("def f():\n    x = torch.zeros(3)\n    def g():\n        mark(x)\n    g()", "host tensor"),
        ("f = functools.partial(nn.Linear, 1)\nmark(f)", None),
        ("def make(n):\n    return nn.Linear(n, n)\nf = functools.partial(make, 3)\nmark(f())", "model"),
        ("def f(n):\n    return torch.zeros(1) if n == 0 else f(n - 1)\nmark(f(3))", "host tensor"),
        ("def f():\n    f2()\ndef f2():\n    f()\nmark(f())", "other"),
        # decorators
        ("def twice(f):\n    def g():\n        return [f(), f()]\n    return g\n@twice\ndef make():\n"
         "    return nn.Linear(1, 2)\nmark(make()[1])", "model"),
        ("def named(n):\n    def add(f):\n        return f\n    return add\n@named('a')\ndef make():\n"
         "    return nn.Linear(1, 2)\nmark(make())", "model"),
        ("def other(f):\n    return load()\n@other\ndef make():\n    return nn.Linear(1, 2)\nmark(make())", None),
        ("@torch.no_grad()\ndef make():\n    return nn.Linear(1, 2)\nmark(make())", "model"),
        # registries
        ("MODELS = {'a': nn.Linear}\nmark(MODELS['a'](1, 2))", "model"),
        (f"{MODEL}MODELS = {{'a': Net, 'b': Net}}\nmark(MODELS[load()]())", "model"),
        # globals
        ("m = None\ndef setup():\n    global m\n    m = nn.Linear(1, 2)\nsetup()\ndef go():\n    mark(m)", "model"),
        ("def setup():\n    global m\n    m = nn.Linear(1, 2)\ndef go():\n    mark(m)", "model"),
        # holders
        ("class T:\n    def __init__(self, m):\n        self.m = m\n    def go(self):\n        mark(self.m)\n"
         "T(nn.Linear(1, 2)).go()", "model"),
        ("class T:\n    pass\nt = T()\nt.m = nn.Linear(1, 2)\nmark(t.m)", "model"),
        ("class T:\n    def go(self):\n        mark(self.m)\n", None),
        ("from dataclasses import dataclass\n@dataclass\nclass T:\n    m: nn.Module\n    n: int = 1\n"
         "mark(T(nn.Linear(1, 2)).m)", "model"),
        ("class T:\n    @property\n    def m(self):\n        return nn.Linear(1, 2)\nmark(T().m)", "model"),
        ("class T:\n    @staticmethod\n    def make():\n        return nn.Linear(1, 2)\nmark(T.make())", "model"),
        ("class T:\n    @classmethod\n    def make(cls):\n        return cls()\n    m = nn.Linear(1, 2)\n"
         "mark(T.make().m)", "model"),
        # inheritance
        ("class A:\n    def __init__(self, m):\n        self.m = m\nclass B(A):\n    def __init__(self):\n"
         "        super().__init__(nn.Linear(1, 2))\nmark(B().m)", "model"),
        ("class A:\n    def go(self):\n        mark(self.make())\nclass B(A):\n    def make(self):\n"
         "        return nn.Linear(1, 2)\nB().go()", "model"),
        (f"{MODEL}class Own(Net):\n    pass\nmark(Own())", "model"),
        (f"{MODEL}mark(Net()(torch.zeros(3).cuda()))", "tensor"),
        ("class Net(nn.Module):\n    def forward(self, x):\n        mark(x)", "tensor"),
        # containers
        ("ms = []\nfor _ in range(2):\n    ms.append(nn.Linear(1, 2))\nfor m in ms:\n    mark(m)", "model"),
        ("ms = {}\nms['a'] = nn.Linear(1, 2)\nmark(ms['a'])", "model"),
        ("for m, x in zip([nn.Linear(1, 2)], DataLoader([1])):\n    mark(x)", "host tensor"),
        # one of several
        ("class A:\n    def go(self):\n        return torch.zeros(1)\nclass B:\n    def go(self):\n"
         "        return torch.ones(1)\nx = A() if load() else B()\nmark(x.go())", "host tensor"),
        ("def a():\n    return torch.zeros(1)\ndef b():\n    return torch.ones(1).cuda()\n"
         "mark((a if load() else b)())", "tensor"),
        (f"{MODEL}net = Net() if load() else nn.Linear(1, 2)\nmark(net)", "model"),
        ("o = torch.optim.SGD if load() else torch.optim.Adam\nmark(o([]))", "optimizer"),
        ("x = nn.Linear(1, 2) if load() else torch.optim.SGD([], 1)\nmark(x)", None),
        # lists that somebody else may fill
        ("xs = [torch.zeros(1)]\nload(xs)\nmark(xs[0])", None),
        ("xs = [torch.zeros(1)]\nlen(xs)\nmark(xs[0])", "host tensor"),
        ("def look(ys):\n    mark(ys[0])\nxs = [torch.zeros(1)]\nlook(xs)", "host tensor"),
        # parts of models, and what they give
        ("for m in nn.ModuleList([nn.Linear(1, 2)]):\n    mark(m)", "model"),
        ("for m in nn.ModuleDict({}):\n    mark(m)", None),
        ("class Net(nn.Module):\n    def forward(self, x):\n        return [load(x)], 3\nmark(Net()(1)[0][0])", None),
        ("class Net(nn.Module):\n    def forward(self, x):\n        return load(x), 3\nmark(Net()(1)[1])", "number"),
        ("class Net(nn.Module):\n    def forward(self, x):\n        return load(x), 3\nmark(Net()(1)[0])", "tensor"),
        # a branch for a version of torch that is long gone
        ("def f():\n    if torch.__version__ < '1.0':\n        return 'a'\n    return torch.zeros(1)\nmark(f())",
         "host tensor"),
        ("def f():\n    if torch.__version__ > '1.0':\n        return torch.zeros(1)\n    return 'a'\nmark(f())",
         "host tensor"),
        # what is entered
        ("class T:\n    def __enter__(self):\n        return nn.Linear(1, 2)\nwith T() as m:\n    mark(m)", "model"),
    ],
)  # fmt: skip
def test_what_comes_another_way(source: str, expected: str | None) -> None:
    assert of(source) == expected


def test_other_files_of_the_program() -> None:
    models = MODEL + "def build():\n    return Net()\nnet = build()\n"
    assert of("import models\nmark(models.build())", models=models) == "model"
    assert of("from models import *\nmark(net)", models=models) == "model"
    assert of("from models import Net as N\nmark(N()(torch.zeros(1)))", models=models) == "tensor"
    assert (
        of("from pkg import build\nmark(build())", pkg__="from .models import build\n", pkg__models=models) == "model"
    )
    lost = "import helper\nhelper.show(load())\n"
    helper = "def show(x):\n    mark(x)\nshow(torch.zeros(1))\n"
    assert of("import helper", helper=helper, lost=lost) == "host tensor"  # what its own file passes counts
    assert of("import helper", helper=helper, lost="import helper\nhelper.show(3)\n") == "host tensor"
    assert of("import helper", helper="def show(x):\n    mark(x)\n", lost=lost) is None
    circle = "import main\ndef make():\n    return main.build()\n"
    assert of("import other\ndef build():\n    return nn.Linear(1, 2)\nmark(other.make())", other=circle) == "model"


ALIASES = """\
class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1)
    def move(self):
        self.model.cuda()
        mark(self.model)
model = nn.Linear(1, 2)
other = nn.Linear(1, 2)
net = nn.DataParallel(model)
net = net.cuda()
mark(model, net, copy.deepcopy(other), other)
Trainer(model).move()
"""


def test_two_names_of_one_object_have_one_object() -> None:
    held, model, net, copied, other = marked({"main": ALIASES})
    assert held.objects == model.objects == net.objects != frozenset()
    assert other.objects not in (model.objects, frozenset())
    assert copied.type == other.type


def test_the_answer_does_not_depend_on_the_order_of_the_files() -> None:
    models = MODEL + "import main\ndef build():\n    return Net()\nmark(main.size, build())\n"
    source = "import models\nsize = 3\nmark(models.build(), models.build()(torch.zeros(size)))\n"
    forward, backward = (marked({"main": source, "models": models}, reverse) for reverse in (False, True))
    assert [role_of(value) for value in forward] == [role_of(value) for value in backward]
    assert None not in [role_of(value) for value in forward]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("distance", [1, 3, 20])
def test_what_a_class_inherits_from_a_file_that_runs_later(distance: int, reverse: bool) -> None:
    files = {
        f"kind_{n:02}": f"from kind_{n + 1:02} import Kind as Base\nclass Kind(Base):\n    pass\n"
        for n in range(distance)
    }
    files[f"kind_{distance:02}"] = (
        "class Kind:\n    def __init__(self, loss):\n        self.loss = loss\n"
        "    def go(self):\n        mark(self.loss(), self.loss)\n"
    )
    files["train"] = (
        "from kind_00 import Kind\ndef train(name):\n"
        "    if name == 'a':\n        kind = Kind(loss=lambda: torch.zeros(2))\n"
        "    elif name == 'b':\n        kind = Kind(loss=lambda: torch.ones(2))\n    kind.go()\n"
        "if __name__ == '__main__':\n    train(read())\n"
    )
    loss, function = marked(files, reverse)
    assert loss.type == TENSOR
    assert len(function.alternatives) == 2


def test_a_class_whose_base_nobody_says() -> None:
    source = (
        "from other import Base\nclass Net(Base):\n    def go(self):\n        return torch.zeros(2)\nmark(Net().go())\n"
    )
    assert role(source, other="exec(open('base.py').read())\n") == "host tensor"


def test_a_value_of_a_parameter_that_nothing_says_is_a_tensor_of_forward_but_assumed() -> None:
    (value,) = marked({"main": "class Net(nn.Module):\n    def forward(self, x):\n        mark(x)\n"})
    assert (value.type, value.certainty) == (TENSOR, Certainty.ASSUMED)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (PENDING, Value(NUMBER), Value(NUMBER)),
        (UNKNOWN, Value(NUMBER), UNKNOWN),
        (NOTHING, Value(NUMBER), Value(NUMBER)),
        (Value(TENSOR, Device.HOST), Value(NUMBER), Value(TENSOR, Device.HOST)),
        (Value(TENSOR, Device.HOST), Value(TENSOR, Device.ACCELERATOR), Value(TENSOR, Device.EITHER)),
        (Value(TENSOR, Device.HOST), Value(TENSOR), Value(TENSOR)),
        (Value(NUMBER, constant=1), Value(NUMBER, constant=1), Value(NUMBER, constant=1)),
        (Value(NUMBER, constant=1), Value(NUMBER, constant=True), Value(NUMBER)),
        (Value(elements=(Value(NUMBER),)), Value(elements=(Value(NUMBER),)), Value(elements=(Value(NUMBER),))),
        (Value(elements=(NOTHING,)), Value(elements=(NOTHING, Value(NUMBER))), Value(element=Value(NUMBER))),
    ],
)  # fmt: skip
def test_how_two_values_meet(one: Value, other: Value, expected: Value) -> None:
    assert join(one, other) == expected
    assert join(other, one) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("d = {'a': torch.zeros(2), 'n': 1}\nmark(d['a'])", "host tensor"),
        ("d = {'a': torch.zeros(2), 'n': 1}\nmark(d['n'])", "number"),
        ("d = {'a': torch.zeros(2)}\nd['n'] = 1\nmark(d['n'])", "number"),
        ("d = {'a': torch.zeros(2)}\nfor k in d:\n    mark(k)", "text"),
        ("d = {'a': torch.zeros(2), 'n': 1}\nd.update(n=torch.ones(1).cuda())\nmark(d['n'])", "tensor"),
        ("d = {**{'a': 1}, 'b': 'x'}\nmark(d['a'])", "number"),
        ("d = dict(a=torch.zeros(2), n=1)\nmark(d['a'])", "host tensor"),
        ("d = dict([('a', torch.zeros(2)), ('n', 1)])\nmark(d['a'])", "host tensor"),
        ("d = dict(zip(['a'], [torch.zeros(2)]))\nmark(d['a'])", "host tensor"),
        ("import collections\nd = collections.OrderedDict([('a', nn.Linear(1, 1))])\n"
         "mark(nn.Sequential(d)[0])", "model"),
        ("import types\nn = types.SimpleNamespace(a=1)\nn.b = torch.zeros(2)\nmark(n.b)", "host tensor"),
        ("xs = []\nxs.extend([torch.zeros(2)])\nxs[0] = xs[0].cuda()\nfor x in xs:\n    mark(x)", None),
        ("def f():\n    xs = []\n    xs.append(torch.zeros(2))\n    return xs\na, b = f()\nmark(b)", "host tensor"),
        ("def f(a, *rest):\n    mark(rest[1])\nf(1, torch.zeros(2), 'x')", "text"),
        ("def f(a, *rest):\n    g(*rest)\ndef g(x, y):\n    mark(y)\nf(1, torch.zeros(2), 'x')", "text"),
        ("def f(*xs, flag=None):\n    mark(flag)\nf(*unknown, flag=1)", "number"),
        ("def f(a, b, flag=None):\n    mark(flag)\nf(*unknown, flag=1)", "number"),
        ("def f(**o):\n    mark(o['a'])\nf(a=torch.zeros(2), b=1)", "host tensor"),
        ("def f(a, b):\n    mark(a)\ndef g(**o):\n    f(**o)\ng(b=1, a='x')", "text"),
        ("from functools import partial\ndef f(a, b, c):\n    mark(b)\ng = partial(f, 1, 'x')\ng(2)", "text"),
        ("from functools import partial\ndef f(a, b, c):\n    mark(c)\n"
         "partial(partial(f, 1), 'x')(torch.zeros(2))", "host tensor"),
        ("import torch.optim\nfrom functools import partial\nmark(partial(torch.optim.SGD, lr=1)([]))", "optimizer"),
        ("def a(x):\n    mark(x)\ndef b(x):\n    pass\nfor f in [a, b]:\n    f(torch.zeros(2))", "host tensor"),
        ("def watch(m, i, o):\n    mark(o)\nnn.Linear(1, 1).register_forward_hook(watch)", "tensor"),
        ("def pre(n, m, i):\n    mark(n)\nfrom functools import partial\n"
         "nn.Linear(1, 1).register_forward_pre_hook(partial(pre, 'x'))", "text"),
        ("move = nn.Linear(1, 1).cuda\nmark(move())", "model"),
        ("import torch.optim.swa_utils as swa\nmark(swa.SWALR(unknown, 0.1))", "scheduler"),
        ("import torch.optim.swa_utils as swa\nmark(swa.AveragedModel(unknown))", "model"),
        ("read = torch.zeros(2).cuda().item\nmark(read())", "number"),
        ("for layer in nn.ModuleList([nn.Linear(1, 1)]):\n    mark(layer)", "model"),
    ],
)  # fmt: skip
def test_fields_arguments_and_functions_as_values(source: str, expected: str | None) -> None:
    assert of(source) == expected


def test_an_attribute_that_only_one_of_two_classes_has() -> None:
    source = """
        class A:
            pass
        class B:
            def go(self):
                return torch.zeros(2)
        mark((A() if unknown else B()).go())
    """
    assert of(source) == "host tensor"


def test_many_partials_of_each_other_come_to_an_end() -> None:
    loops = "".join(f"{'    ' * depth}for i{depth} in range(3):\n" for depth in range(5))
    assert of(f"from functools import partial\nf = print\n{loops}{'    ' * 5}f = partial(f, f)\nmark(f)") is None


NET = "net = nn.Linear(2, 1).cuda()\nx = torch.zeros(2).cuda()\n"
OFF = f"{NET}with torch.no_grad():\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"{NET}mark(net(x))", False),
        (f"{OFF}    mark(net(x))", True),
        (f"{OFF}    y = net(x).mean() * 2\nmark(y)", True),
        (f"{OFF}    y = -net(x)\nmark(torch.relu(y))", True),
        (f"{OFF}    pass\nmark(net(x))", False),
        (f"{OFF}    with torch.enable_grad():\n        mark(net(x))", False),
        (f"{NET}with torch.set_grad_enabled(unknown):\n    mark(net(x))", False),
        (f"{OFF}    with torch.set_grad_enabled(unknown):\n        mark(net(x))", False),
        (f"{OFF}    mark(nn.Parameter(torch.zeros(2)))", False),
        (f"{OFF}    mark(torch.zeros(2, requires_grad=True))", False),
        (f"{OFF}    mark(net.weight.to('cuda'))", False),
        (f"{OFF}    mark(net.weight.add_(1))", False),
        (f"{NET}def get():\n    return net.weight\nwith torch.no_grad():\n    mark(get())", False),
        (f"{NET}@torch.no_grad()\ndef f():\n    return net(x)\nmark(f())", True),
        (f"{NET}@torch.inference_mode()\ndef f():\n    return net(x)\nmark(f())", True),
        (f"{NET}@unknown.no_grad()\ndef f():\n    return net(x)\nmark(f())", False),
    ],
)
def test_what_is_computed_without_gradients(source: str, expected: bool) -> None:
    assert marked({"main": source})[0].detached is expected
