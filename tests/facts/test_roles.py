"""Roles: what a value stands for. Unknown where the evidence does not agree."""

from __future__ import annotations

import ast
import textwrap

import pytest

from xlaport.facts.module import Module
from xlaport.facts.program import Program
from xlaport.facts.roles import Role, Roles, roles_of

HEAD = """\
import torch, copy, itertools
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader
from tqdm import tqdm
import torchvision
"""


def alone(module: Module) -> Roles:
    """The roles of a file without a project."""
    return roles_of(Program().seen_from(None, module).own)


def role(source: str) -> Role | None:
    """The role of the argument of ``mark(…)``."""
    module = Module(HEAD + textwrap.dedent(source))
    roles = alone(module)
    for call in module.calls:
        if isinstance(call.func, ast.Name) and call.func.id == "mark":
            return roles.role(call.args[0])
    raise AssertionError("no mark(…)")


@pytest.mark.parametrize(
    "source",
    [
        # nothing is known
        "mark(x)",
        "def f(x): mark(x)",
        "class N(nn.Module):\n    def forward(self, cache): mark(cache.get('n', 0))",
        "def f(k):\n    w = torch.tensor(3.0)\n    mark(w / k)",
        "x = unknown()\nmark(x)",
        "x = unknown.step()\nmark(x)",
        "with open() as x: mark(x)",
        # the ways to get it do not agree
        "x = 1\nif c: x = 'a'\nmark(x)",
        "x = nn.Linear(1, 1)\nif c: x = unknown()\nmark(x)",
        "x = nn.Linear(1, 1)\ntry: x = unknown()\nexcept E: pass\nmark(x)",
        "def f(x): mark(x)\nf(1)\nf('a')",
        "def f(x): mark(x)\nf(1)\nf(unknown)",
        "def f(x): mark(x)\nf(*args)",
        "def f(x=1): mark(x)\nf(**options)",
        "def f(): return 1\nif c:\n    def f(): return 'a'\nmark(f())",
        "def f():\n    if c: return 1\n    return 'a'\nmark(f())",
        "def f(): yield 1\nmark(f())",
        "def f(): return 1, 'a'\nmark(f())",
        "def f():\n    if c: return 1, 2\n    return 1\na, b = f()\nmark(b)",
        "x = 1 if c else 'a'\nmark(x)",
        "class T:\n    def __init__(self): self.x = 1\n    def set(self): self.x = 'a'\n    def f(self): mark(self.x)",
        "class T:\n    def __init__(self): self.x = 1\n    def set(self, v): self.x = v\n    def f(self): mark(self.x)",
        "class T:\n    x = 1\n    def set(self): self.x = 'a'\n    def f(self): mark(self.x)",
        "class T:\n    def f(self):\n        for self.x in y: mark(self.x)",
        # uses that prove nothing
        "s = get()\ns.state_dict()\ns.load_state_dict(d)\nmark(s)",
        "s.step()\nmark(s)",
        "a.backward(loss)\nmark(a)",
        "e.zero_grad()\ne.step()\ne(x)\nmark(e)",
        "args.eval\nargs.parameters\nmark(args)",
        "class A:\n    def zero_grad(self): pass\n    def step(self): pass\nclass B(A, U): pass\n"
        "a = B()\na.zero_grad()\na.step()\nmark(a)",
        # shadows
        "def f(torch): mark(torch.zeros(1))",
        "def len(x): return unknown\nmark(len(x))",
        # a host tensor and something unknown
        "mark(torch.zeros(1) + unknown)",
        # a part of a tuple that is not one thing
        "pair = (1, 'a')\nmark(pair)",
        "x = nn.Linear(1, 1)\na, b = x\nmark(a)",
        "x = x\nmark(x)",
        "def f(n): return f(n)\nmark(f(1))",
        "for x, y in zip(a, b): mark(x)",
        # a list of other things, too
        "xs = [torch.ones(3)]\nxs.append(y)\nfor x in xs: mark(x)",
        "xs = [torch.ones(3)]\nxs[0] = y\nfor x in xs: mark(x)",
        "xs = [torch.ones(3), 'a']\nfor x in xs: mark(x)",
    ],
)
def test_unknown(source: str) -> None:
    assert role(source) is None


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("mark(torch.device('cpu'))", Role.DEVICE),
        ("xs = [torch.ones(3)]\nfor x, y in xs: mark(x)", Role.HOST_TENSOR),
        ("def f(*x): mark(x)\nf(1)", Role.OTHER),
        ("def f(**x): mark(x)\nf(a=1)", Role.OTHER),
        ("class T:\n    def __init__(self): self.x, *self.y = 1, 2\n    def f(self): mark(self.x)", Role.NUMBER),
        ("def f(x):\n    x['m'] = torch.zeros(3)\n    mark(x['m'])", Role.HOST_TENSOR),
        ("def f(k):\n    w = torch.ones(3)\n    mark(w[:, None] / k)", Role.HOST_TENSOR),
        ("a, b = (torch.tensor(x) for x in y)\nmark(a)", Role.HOST_TENSOR),
        ("xs = [torch.ones(n, device=d) for n in ns]\nfor i, x in enumerate(xs): mark(x)", Role.TENSOR),
        ("xs = [torch.ones(3), torch.ones(4)]\ny = [mark(x) for x in xs]", Role.HOST_TENSOR),
        ("mark(torch.ones(3, device=d).type())", Role.TEXT),
        ("mark(-torch.inf)", Role.NUMBER),
        ("mark(nn.Linear(1, 2))", Role.MODEL),
        ("mark(torchvision.models.resnet18())", Role.MODEL),
        ("mark(torch.compile(nn.Linear(1, 2)))", Role.MODEL),
        ("mark(copy.deepcopy(nn.Linear(1, 2)))", Role.MODEL),
        ("mark(nn.Linear(1, 2).to(d))", Role.MODEL),
        ("mark(nn.Linear(1, 2).cuda().eval())", Role.MODEL),
        ("mark(torch.optim.SGD(p))", Role.OPTIMIZER),
        ("mark(torch.optim.lr_scheduler.StepLR(o, 1))", Role.SCHEDULER),
        ("mark(torch.amp.GradScaler())", Role.SCALER),
        ("mark(DataLoader(d))", Role.LOADER),
        ("mark(tqdm(DataLoader(d)))", Role.LOADER),
        ("mark(iter(DataLoader(d)))", Role.LOADER),
        ("mark(torchvision.datasets.MNIST('.'))", Role.DATASET),
        ("a, b = torch.utils.data.random_split(d, n)\nmark(b)", Role.DATASET),
        ("mark(len(x))", Role.NUMBER),
        ("mark(1 + len(x))", Role.NUMBER),
        ("mark(x is None)", Role.NUMBER),
        ("mark(not x)", Role.NUMBER),
        ("mark(x.item())", Role.NUMBER),
        ("mark(f'{x}')", Role.TEXT),
        ("mark('a' + x)", Role.TEXT),
        ("mark([x])", Role.OTHER),
        ("mark(None)", Role.OTHER),
        ("class C: pass\nmark(C())", Role.OTHER),
        ("class M(nn.Module): pass\nmark(M())", Role.MODEL),
        ("class B(nn.Module): pass\nclass M(B): pass\nmark(M())", Role.MODEL),
        ("class O(torch.optim.Optimizer): pass\nmark(O())", Role.OPTIMIZER),
    ],
)
def test_what_calls_and_displays_give(source: str, expected: Role) -> None:
    assert role(source) is expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = 1\nmark(x)", Role.NUMBER),
        ("x = 'a'\nx = 1\nmark(x)", Role.NUMBER),
        ("x: int = 1\nmark(x)", Role.NUMBER),
        ("x = y = 1\nmark(x)", Role.NUMBER),
        ("if (x := 1): mark(x)", Role.NUMBER),
        ("x, y = 1, 'a'\nmark(y)", Role.TEXT),
        ("x = None\nif c: x = 1\nmark(x)", Role.NUMBER),
        ("x = nn.Linear(1, 1)\nx = x.to(d)\nmark(x)", Role.MODEL),
        ("x = nn.Sequential(nn.Linear(1, 1)).to(d)\nmark(x[-1])", Role.MODEL),
        ("class N:\n    def __init__(self): self.x = nn.ModuleList(y)\n    def f(self): mark(self.x[0])", Role.MODEL),
        ("x = nn.Linear(1, 1)\nfor _ in y: x = x.to(d)\nmark(x)", Role.MODEL),
        ("x = 0\nfor _ in y: x = x + 1\nmark(x)", Role.NUMBER),
        ("x = 0\nx += 1\nmark(x)", Role.NUMBER),
        ("for i in range(3): mark(i)", Role.NUMBER),
        ("for i, x in enumerate(y): mark(i)", Role.NUMBER),
        ("for i, (x, z) in enumerate(tqdm(DataLoader(d))): mark(z)", Role.HOST_TENSOR),
        ("for x, z in DataLoader(d): mark(z)", Role.HOST_TENSOR),
        ("bar = tqdm(DataLoader(d))\nfor x in bar: mark(x['a'])", Role.HOST_TENSOR),
        ("x, y = next(iter(DataLoader(d)))\nmark(y)", Role.HOST_TENSOR),
        ("[mark(i) for i in range(3)]", Role.NUMBER),
        ("[mark(x) for x in DataLoader(d)]", Role.HOST_TENSOR),
        ("def f():\n    global x\n    x = 1\nmark(x)", Role.NUMBER),
    ],
)
def test_names(source: str, expected: Role) -> None:
    assert role(source) is expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(a, x): mark(x)\nf('a', 1)", Role.NUMBER),
        ("def f(a, x): mark(x)\nf(x=1, a='a')", Role.NUMBER),
        ("def f(a, *, x): mark(x)\nf('a', x=1)", Role.NUMBER),
        ("def f(x=1): mark(x)\nf()", Role.NUMBER),
        ("def f(x=None): mark(x)\nf()\nf(1)", Role.NUMBER),
        ("def f(x): mark(x)\ndef g(y): f(y)\ng(1)", Role.NUMBER),
        ("def f(x, n):\n    mark(x)\n    f(x, n - 1)\nf(nn.Linear(1, 1), 3)", Role.MODEL),
        ("class T:\n    def __init__(self, x): mark(x)\nT(1)", Role.NUMBER),
        ("class T:\n    def f(self, x): mark(x)\n    def g(self): self.f(1)", Role.NUMBER),
        ("class T:\n    def f(self, x): mark(x)\nt = T()\nt.f(1)\nT.f(t, 2)", Role.NUMBER),
        ("class T:\n    @staticmethod\n    def f(x): mark(x)\nt = T()\nt.f(1)", Role.NUMBER),
        ("class M(nn.Module):\n    def f(self): mark(self)", Role.MODEL),
        ("class M(nn.Module):\n    def forward(self, x): mark(x)", Role.TENSOR),
        ("class M(nn.Module):\n    def forward(self, x, flag=False): mark(flag)", Role.NUMBER),
        ("class M(nn.Module):\n    def forward(self, x, n: int): mark(n)", Role.NUMBER),
        ("class M(nn.Module):\n    def forward(self, x=None): mark(x)", Role.TENSOR),
        # what the signature says counts where no call tells
        ("def f(x: torch.Tensor): mark(x)", Role.TENSOR),
        ("from typing import Optional\ndef f(x: Optional[int]): mark(x)", Role.NUMBER),
        ("def f(x: nn.Module | None): mark(x)", Role.MODEL),
        ("def f(x: torch.optim.Optimizer): mark(x)", Role.OPTIMIZER),
        ("def f(x: DataLoader): mark(x)", Role.LOADER),
        ("def f(x: torch.device): mark(x)", Role.DEVICE),
        ("def f(x: str = 'a'): mark(x)", Role.TEXT),
        ("class M(nn.Module): pass\ndef f(x: M): mark(x)", Role.MODEL),
    ],
)
def test_parameters(source: str, expected: Role) -> None:
    assert role(source) is expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(): return 1\nmark(f())", Role.NUMBER),
        ("def f():\n    if c: return None\n    return 1\nmark(f())", Role.NUMBER),
        ("def f(): return nn.Linear(1, 1), torch.optim.SGD(p)\nm, o = f()\nmark(m)", Role.MODEL),
        ("def f(): return nn.Linear(1, 1), torch.optim.SGD(p)\nm, o = f()\nmark(o)", Role.OPTIMIZER),
        ("def f(): return nn.Linear(1, 1), torch.optim.SGD(p)\nt = f()\nm, o = t\nmark(o)", Role.OPTIMIZER),
        ("def f(): return nn.Linear(1, 1), torch.optim.SGD(p)\nmark(f()[1])", Role.OPTIMIZER),
        ("def f():\n    def g(): return 'a'\n    return 1\nmark(f())", Role.NUMBER),
        ("class T:\n    def f(self): return 1\nmark(T().f())", Role.NUMBER),
        ("class T:\n    def f(self): return self.g()\n    def g(self): return 1\nt = T()\nmark(t.f())", Role.NUMBER),
        ("def fact(n): return 1 if n < 1 else n * fact(n - 1)\nmark(fact(3))", Role.NUMBER),
    ],
)
def test_returned_values(source: str, expected: Role) -> None:
    assert role(source) is expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("def __init__(self): self.x = nn.Linear(1, 1)\n    def f(self): mark(self.x)", Role.MODEL),
        ("def __init__(self): self.x = None\n    def g(self): self.x = 1\n    def f(self): mark(self.x)", Role.NUMBER),
        ("def __init__(self, m): self.m = m.to(d)\n    def f(self): mark(self.m)\nT(nn.Linear(1, 1))", Role.MODEL),
        ("def __init__(self): self.a, self.b = 1, 'a'\n    def f(self): mark(self.b)", Role.TEXT),
        ("def __init__(self):\n        self.m = nn.Linear(1, 1)\n        self.m = self.m.to(d)\n"
         "    def f(self): mark(self.m)", Role.MODEL),
        ("x = 1\n    def f(self): mark(self.x)", Role.NUMBER),
        ("def __init__(self): self.x = 0\n    def g(self): self.x += 1\n    def f(self): mark(self.x)", Role.NUMBER),
        ("def __init__(self): self.x = 0\n    def g(self, loss):\n        loss.backward()\n        self.x += loss\n"
         "    def f(self): mark(self.x)", Role.TENSOR),
        ("def g(self): self.o.zero_grad(); self.o.step()\n    def f(self): mark(self.o)", Role.OPTIMIZER),
    ],
)  # fmt: skip
def test_attributes(body: str, expected: Role) -> None:
    assert role(f"class T:\n    {body}") is expected


def test_an_attribute_of_a_base_class_counts() -> None:
    base = "class A:\n    def __init__(self): self.x = 1\nclass B(A):\n    def f(self): mark(self.x)"
    assert role(base) is Role.NUMBER
    assert role(base.replace("def f", "def g(self): self.x = 'a'\n    def f")) is None


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("o.zero_grad()\no.step()\nmark(o)", Role.OPTIMIZER),
        ("for g in o.param_groups: pass\nmark(o)", Role.OPTIMIZER),
        ("s = torch.amp.GradScaler()\ns.step(o)\nmark(o)", Role.OPTIMIZER),
        ("s.unscale_(o)\nmark(o)", Role.OPTIMIZER),
        ("m.parameters()\nm.train()\nmark(m)", Role.MODEL),
        ("m.eval()\nm(x)\nmark(m)", Role.MODEL),
        ("m.state_dict()\nm.parameters()\nmark(m)", Role.MODEL),
        ("loss.backward()\nmark(loss)", Role.TENSOR),
        ("def f(o):\n    o.zero_grad()\n    o.step()\n    mark(o)", Role.OPTIMIZER),
    ],
)
def test_use(source: str, expected: Role) -> None:
    assert role(source) is expected


def test_use_in_another_scope_does_not_count() -> None:
    assert role("def f(o):\n    o.zero_grad()\n    o.step()\ndef g(o): mark(o)") is None


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("mark(torch.zeros(1))", Role.HOST_TENSOR),
        ("mark(torch.zeros(1, device=None))", Role.HOST_TENSOR),
        ("mark(torch.zeros(1, device='cpu'))", Role.HOST_TENSOR),
        ("mark(torch.zeros(1, device=torch.device('cpu')))", Role.HOST_TENSOR),
        ("mark(torch.zeros(1).float())", Role.HOST_TENSOR),
        ("mark(torch.zeros(1).to(torch.float16))", Role.HOST_TENSOR),
        ("mark(torch.zeros(1).to(dtype=torch.long))", Role.HOST_TENSOR),
        ("mark(torch.zeros(1) * 2)", Role.HOST_TENSOR),
        ("mark(torch.exp(torch.zeros(1)))", Role.HOST_TENSOR),
        ("mark(torch.cat([torch.zeros(1), torch.ones(1)]))", Role.HOST_TENSOR),
        ("mark(torch.cat([torch.randint(9, (n,)) for n in ns]))", Role.HOST_TENSOR),
        ("mark(torch.cat([nn.Linear(1, 1)(n) for n in ns]))", Role.TENSOR),
        ("xs = [torch.randint(9, (n,)) for n in ns]\nmark(torch.cat(xs).view(1, 2))", Role.HOST_TENSOR),
        ("mark(torch.stft(y, 8, window=torch.hann_window(8)))", Role.HOST_TENSOR),
        ("w = torch.hann_window(8)\nmark(torch.stft(y, 8, window=w))", Role.HOST_TENSOR),
        ("mark(torch.stft(y, 8, window=torch.hann_window(8, **made)))", Role.TENSOR),
        ("mark(torch.stft(nn.Linear(1, 1)(y), 8, window=torch.hann_window(8)))", Role.TENSOR),
        ("mark(F.ctc_loss(y, z, torch.arange(8), torch.arange(4)))", Role.TENSOR),
        ("x = nn.Linear(1, 1)(y)\nmark(x.cpu())", Role.HOST_TENSOR),
        ("x = nn.Linear(1, 1)(y)\nmark(x.to('cpu'))", Role.HOST_TENSOR),
        ("mark(torch.zeros(1, device=d))", Role.TENSOR),
        ("mark(torch.zeros(1).to(d))", Role.TENSOR),
        ("mark(torch.zeros(1).cuda())", Role.TENSOR),
        ("mark(torch.exp(unknown))", Role.TENSOR),
        ("mark(F.relu(unknown))", Role.TENSOR),
        # What is joined lies on one device; what is empty may lie anywhere.
        ("mark(torch.cat([torch.zeros(1), unknown]))", Role.HOST_TENSOR),
        ("mark(torch.cat([torch.zeros(1).long(), torch.stack(unknown)]))", Role.HOST_TENSOR),
        ("mark(torch.cat([torch.zeros(1), nn.Linear(1, 1)(x)]))", Role.TENSOR),
        ("x = torch.tensor([])\nfor y in z: x = torch.cat([x, unknown(y)])\nmark(x)", Role.TENSOR),
        ("xs = []\nfor y in z: xs.append(unknown(y).cpu())\nmark(torch.cat(xs))", Role.HOST_TENSOR),
        ("x = torch.stack(unknown)\nmark(x)\ny = torch.cat([x, torch.zeros(1)])", Role.HOST_TENSOR),
        ("x, ys = torch.stack(z), [torch.zeros(1) for _ in z]\nmark(x)\nx = torch.cat([x, *ys])", Role.HOST_TENSOR),
        ("x = torch.stack(unknown)\nmark(x)\nx = torch.cat([x.cpu(), torch.zeros(1)])", Role.TENSOR),
        ("x = nn.Linear(1, 1)(y)\nmark(x)\ny = torch.cat([x, torch.zeros(1)])", Role.TENSOR),
        ("mark(nn.Linear(1, 1)(x))", Role.TENSOR),
        ("x, y = nn.LSTM(1, 1)(z)\nmark(y)", Role.TENSOR),
        ("x = nn.Linear(1, 1)(y)\nmark(x.shape[0])", Role.NUMBER),
        ("x = nn.Linear(1, 1)(y)\nmark(x.size(0))", Role.NUMBER),
        ("x = nn.Linear(1, 1)(y)\nmark(x.device)", Role.DEVICE),
        ("x = nn.Linear(1, 1)(y)\nmark(x.shape)", Role.OTHER),
        ("x = nn.Linear(1, 1)(y)\nmark(x[0])", Role.TENSOR),
        ("x = nn.Linear(1, 1)(y)\nmark(x > 0)", Role.TENSOR),
        ("x = nn.Linear(1, 1)(y)\nmark(x.argmax(1) == y)", Role.TENSOR),
        ("x = nn.Linear(1, 1)(y)\nv, i = x.max(1)\nmark(i)", Role.TENSOR),
        ("x = nn.Linear(1, 1)(y)\nmark(sum(x))", Role.TENSOR),
        ("t = 0\nfor _ in y: t += nn.Linear(1, 1)(x)\nmark(t)", Role.TENSOR),
        ("t = 0\nfor _ in y: t = t + nn.Linear(1, 1)(x)\nmark(t)", Role.TENSOR),
        ("t = 0\nif c: t = nn.Linear(1, 1)(x)\nmark(t)", Role.TENSOR),
        ("t = torch.zeros(1)\nif c: t = nn.Linear(1, 1)(x)\nmark(t)", Role.TENSOR),
        ("t = 0\nif c: t = torch.zeros(1)\nmark(t)", Role.HOST_TENSOR),
        ("torch.set_default_device('x')\nmark(torch.zeros(1))", Role.TENSOR),
        ("with torch.device('x'): mark(torch.zeros(1))", Role.TENSOR),
        ("mark(torch.nn.utils.clip_grad_norm_(p, 1))", Role.TENSOR),
        ("mark(nn.Parameter(x))", Role.TENSOR),
        ("mark(torch.multinomial(torch.ones(3), n).unique())", Role.HOST_TENSOR),
        ("mark(torch.mul(torch.ones(3), nn.Linear(1, 1)(y)))", Role.TENSOR),
        ("cpu = torch.device('cpu')\nmark(nn.Linear(1, 1)(y).to(cpu))", Role.HOST_TENSOR),
        ("d = torch.device('cpu')\nif c: d = e\nmark(nn.Linear(1, 1)(y).to(d))", Role.TENSOR),
    ],
)
def test_tensors_on_the_host_and_elsewhere(source: str, expected: Role) -> None:
    assert role(source) is expected


@pytest.mark.parametrize("name", ["is_tensor", "equal", "load", "get_default_dtype", "vmap", "is_autocast_enabled"])
def test_functions_of_torch_that_return_no_tensor(name: str) -> None:
    assert role(f"mark(torch.{name}(x))") is None


def test_an_inner_question_is_not_answered_with_half_of_the_evidence() -> None:
    module = Module(HEAD + "t = 0\nfor _ in y:\n    t = t + nn.Linear(1, 1)(x)\nprint(t)")
    names = [n for n in module.nodes if isinstance(n, ast.Name) and n.id == "t" and isinstance(n.ctx, ast.Load)]
    for order in (names, names[::-1]):
        roles = alone(module)
        assert [roles.role(name) for name in order] == [Role.TENSOR, Role.TENSOR]
    tangled = (
        "x = y = z = 0\nfor _ in r:\n    x = y\n    y = z if c else x\n    z = x if c else nn.Linear(1, 1)(w)\nmark(x)"
    )
    assert role(tangled) is Role.TENSOR


def test_many_names_that_depend_on_each_other_take_no_time() -> None:
    lines = [f"    v{i} = v{(i * 7 + 1) % 40} + v{(i * 3 + 2) % 40} + v{(i * 5 + 3) % 40}" for i in range(40)]
    start = "\n".join(f"v{i} = unknown()" for i in range(40))
    assert role("\n".join([start, "for _ in r:", *lines, "mark(v0)"])) is None


ACCURACY = """
def accuracy(output, target, topk=(1,)):
    pred = output.topk(5)[1].t()
    res = []
    for k in topk:
        res.append(pred.eq(target)[:k].float().sum() * 100)
        {also}
    return res


first, second = accuracy(nn.Linear(2, 2).to("cuda")(torch.zeros(4, 2, device="cuda")), torch.zeros(4, device="cuda"))
mark(first)
"""


@pytest.mark.parametrize("also", ["pass", "print(len(res))", "res.sort()", "res[0].mean()"])
def test_what_a_returned_list_was_filled_with(also: str) -> None:
    assert role(ACCURACY.format(also=also)) is Role.TENSOR


@pytest.mark.parametrize(
    "also",
    ["res.append(0.5)", "res.append('text')", "fill(res)", "res += fill()", "res[0] = fill()", "res.insert(0, 1)"],
)
def test_a_list_that_something_else_fills_may_hold_anything(also: str) -> None:
    assert role(ACCURACY.format(also=also)) is not Role.TENSOR


NET = """
class Net(nn.Module):
    def forward(self, x):
        loss, kept = self.body(x).mean(), 0
        return loss, loss.item(), kept, unknown(x)
"""


@pytest.mark.parametrize(
    ("index", "expected"), [(0, Role.TENSOR), (1, Role.NUMBER), (2, Role.NUMBER), (3, Role.TENSOR)]
)
def test_elements_of_what_a_model_gives(index: int, expected: Role) -> None:
    """By the forward() of its class, through what wraps it; a tensor where that does not say."""
    train = f"""
def train(net, data):
    net = nn.DataParallel(net).to("cuda")
    net, _ = library.prepare(net, None)
    net.eval()
    a, b, c, d = net(data)
    mark({"abcd"[index]})

train(Net(), torch.ones(2).to("cuda"))
"""
    assert role(NET + train) is expected


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        ('mode == "train"', Role.TEXT),
        ('"train" != mode', Role.TEXT),
        ('mode in ("train", "test")', Role.TEXT),
        ("mode == 1", Role.TENSOR),
        ("mode in (1, 'x')", Role.TENSOR),
        ("mode in ()", Role.TENSOR),
        ("x == 'train'", Role.TENSOR),
    ],
)
def test_a_parameter_that_is_compared_with_a_text(use: str, expected: Role) -> None:
    module = f"""
class Net(nn.Module):
    def forward(self, x, mode):
        if {use}:
            x = x + 1
        mark(mode)
        return x
"""
    assert role(module) is expected


@pytest.mark.parametrize(
    ("applied", "expected"),
    [
        ("Scale.apply(x, 2)", Role.TENSOR),
        ("scale(x, 2)", Role.TENSOR),
        ("Scale.apply(2, x)", Role.NUMBER),
        ("Scale.apply(*both)", None),
        ("Scale.apply(x, 2), Scale.apply(2, 2)", Role.TENSOR),
        ("Scale.apply(x, 2), Scale.apply('x', 2)", None),
        ("Scale.apply(x, 2), Scale.apply(None, 2)", Role.TENSOR),
        ("x", None),
    ],
)
def test_a_parameter_of_a_function_of_autograd(applied: str, expected: Role | None) -> None:
    text = f"""
class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        mark(x)
        return x * factor

scale = Scale.apply

class Net(nn.Module):
    def forward(self, x, *both):
        return {applied}
"""
    assert role(text) is expected


def test_a_function_of_autograd_with_its_context_set_up_apart() -> None:
    text = """
class Scale(torch.autograd.Function):
    @staticmethod
    def forward(x, factor):
        mark(x)
        return x * factor

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

class Net(nn.Module):
    def forward(self, x):
        return Scale.apply(x, 2)
"""
    assert role(text) is Role.TENSOR


def test_the_gradient_of_a_function_of_autograd() -> None:
    text = """
class Scale(torch.autograd.Function):
    @staticmethod
    def backward(ctx, gradient):
        mark(gradient)
"""
    assert role(text) is Role.TENSOR


@pytest.mark.parametrize(
    "moved",
    [
        "map(lambda t: t.to('cuda'), batch)",
        "tuple(t.to('cuda') for t in batch)",
        "list(map(lambda t: t.to('cuda'), batch))",
        "map(lambda t, u: u.to('cuda'), other, batch)",
    ],
)
def test_each_part_of_a_batch(moved: str) -> None:
    loop = "for batch in torch.utils.data.DataLoader(data):\n"
    assert role(f"{loop}    x, y = {moved}\n    mark(y)\n") is Role.TENSOR
    assert role(f"{loop}    parts = {moved}\n    mark(parts[0])\n") is Role.TENSOR


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("loader, loader", None),
        ("*both, loader", None),
        ("torch.zeros(2), (torch.ones(3), torch.ones(4))", Role.HOST_TENSOR),
        ("loader, (torch.ones(3), 'x')", None),
    ],
)
def test_a_parameter_of_a_lambda_that_is_mapped(source: str, expected: Role | None) -> None:
    assert role(f"def train(loader, both):\n    list(map(lambda a, t: mark(t), {source}))\n") is expected
