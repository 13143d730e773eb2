"""What tensors hold: the kind of their elements, and how many dimensions they have."""

from __future__ import annotations

import ast

import pytest

from tests.facts.project import path, program
from tests.facts.source import facts
from xlaport.facts.held import Held, Kind
from xlaport.facts.structure import structure_of
from xlaport.facts.tensors import Tensors

FLOAT, COUNT, NOTHING = Held(Kind.FLOAT, 0), Held(Kind.INT, 0), Held()


def held(source: str) -> Held:
    """What the argument of ``mark(…)`` holds."""
    context = facts(source)
    (mark,) = [call for call in context.module.calls if isinstance(call.func, ast.Name) and call.func.id == "mark"]
    return Tensors(context.flow.structure).held(context.view.own, mark.args[0])


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("mark(F.cross_entropy(out, y))", FLOAT),
        ("mark(torch.randint(0, n, (3,)))", Held(Kind.INT)),
        ("mark(torch.randint(0, n, (3,), dtype=torch.float))", Held(Kind.FLOAT)),
        ("mark(torch.randperm(n))", Held(Kind.INT, 1)),
        ("mark(torch.zeros(3, 4).argsort(-1))", Held(Kind.INT, 2)),
        ("mark(F.cross_entropy(out, y, reduction='sum'))", FLOAT),
        ("mark(F.cross_entropy(out, y, reduction='none'))", Held(Kind.FLOAT)),
        ("mark(F.mse_loss(out, y, reduce=False))", Held(Kind.FLOAT)),
        ("mark(criterion(out, y))", FLOAT),
        ("other = nn.MSELoss(reduction='none')\nmark(other(out, y))", Held(Kind.FLOAT)),
        ("def f(criterion=nn.BCELoss()):\n    mark(criterion(out, y))\nf()", FLOAT),
        ("def f(criterion):\n    mark(criterion(out, y))\nf(nn.BCELoss())", FLOAT),
        (
            "def f(criterion):\n    mark(criterion(out, y))\nf(nn.BCELoss())\nf(nn.BCELoss(reduction=how))",
            Held(Kind.FLOAT),
        ),
        ("def f(criterion):\n    mark(criterion(out, y))\nf(unknown)", NOTHING),
        ("loss = model(x)\nloss.backward()\nmark(loss)", FLOAT),
        ("loss = model(x)\nscaler.scale(loss).backward()\nmark(loss)", FLOAT),
        ("loss = model(x)\naccelerator.backward(loss)\nmark(loss)", FLOAT),
        ("out = model(x)\nout.loss.backward()\nmark(out.loss)", FLOAT),
        ("out = model(x)\nout.backward(gradient)\nmark(out)", NOTHING),
        ("part = unknown(x)\nloss = a + 2 * part\nloss.backward()\nmark(part)", FLOAT),
        ("part = unknown(x)\nloss = (a + part).mean()\nloss.backward()\nmark(part)", NOTHING),
        ("mark((model(x) == y).sum())", COUNT),
        ("mark(model(x).eq(y).sum())", COUNT),
        ("mark(torch.sum(model(x) > 0))", COUNT),
        ("mark((model(x) > 0).sum(dim=1))", Held(Kind.INT)),
        ("mark((model(x) > 0).float().sum())", FLOAT),
        ("mark((model(x) > 0).to(torch.float32).sum())", FLOAT),
        ("mark((model(x) > 0).type(torch.float).mean())", FLOAT),
        ("mark((model(x) > 0).all())", Held(Kind.BOOL, 0)),
        ("mark((model(x) > 0).reshape(-1).float().sum(0))", FLOAT),
        ("mark((model(x) > 0).reshape(-1).float().sum(0, keepdim=True))", Held(Kind.FLOAT, 1)),
        ("mark(model(x).sum())", Held(None, 0)),
        ("mark(model(x).mean())", FLOAT),
        ("mark(model(x).mean() / 2)", FLOAT),
        ("mark((model(x) > 0).sum() * 2)", COUNT),
        ("mark((model(x) > 0).sum() * 0.5)", FLOAT),
        ("mark((model(x) > 0).sum() / 2)", FLOAT),
        ("mark(100 * (model(x) > 0).sum() / len(x))", FLOAT),
        ("mark(-model(x).mean())", FLOAT),
        ("mark(model(x).mean().detach().cpu())", FLOAT),
        ("mark(model(x).mean().exp())", FLOAT),
        ("mark(model(x).mean().view(1))", Held(Kind.FLOAT, 1)),
        ("mark(model(x).max())", Held(None, 0)),
        ("mark(torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0))", FLOAT),
        ("_, pred = model(x).max(1)\nmark((pred == y).sum())", COUNT),
        ("_, pred = torch.max(model(x), 1)\nmark(pred)", Held(Kind.INT)),
        ("loss = 0.0\nloss += model(x).mean()\nmark(loss)", FLOAT),
        ("if a:\n    v = model(x).mean()\nelse:\n    v = (model(x) > 0).sum()\nmark(v)", Held(None, 0)),
        ("def f(x):\n    return model(x).mean()\nmark(f(x))", FLOAT),
        ("def f(x):\n    return (x > 0).sum(), x.mean()\na, b = f(model(x))\nmark(a)", COUNT),
        ("def f(x):\n    found = []\n    found.append(model(x).mean())\n    return found\na, b = f(x)\nmark(a)", FLOAT),
        ("def f(x):\n    return [model(x).mean() for _ in x]\na, b = f(x)\nmark(a)", FLOAT),
        ("def f(n):\n    return f(n - 1) if n else model(x).mean()\nmark(f(3))", FLOAT),
        ("parts = {'mask': model(x) > 0}\nmark(parts['mask'])", Held(Kind.BOOL)),
        ("parts = {'mask': model(x) > 0, 'x': x}\nmark(parts['x'])", NOTHING),
        ("reduce = {'all': lambda t: t.mean()}\nmark(reduce['all'](model(x)))", FLOAT),
        ("class R:\n    above = staticmethod(lambda t: t > 0)\nmark(R.above(model(x)))", Held(Kind.BOOL)),
        (
            "class R:\n    def f(self):\n        mark(type(self).g(model(x)))\n    g = lambda t: t > 0\nR().f()",
            Held(Kind.BOOL),
        ),
        ("def masks():\n    yield model(x) > 0\nfor mask in masks():\n    mark(mask)", Held(Kind.BOOL)),
        ("def f(b):\n    b['m'] = b['x'] > 0\nb = {'x': model(x)}\nf(b)\nmark(b['m'])", Held(Kind.BOOL)),
        ("for row in torch.zeros(3, 4):\n    mark(row)", Held(Kind.FLOAT, 1)),
        ("losses = {'a': nn.MSELoss(), 'b': nn.L1Loss(reduction='none')}\nmark(losses['a'](out, y))", FLOAT),
        ("losses = {'a': nn.MSELoss(), 'b': nn.L1Loss(reduction='none')}\nmark(losses['b'](out, y))", Held(Kind.FLOAT)),
        ("mark((model(x) > 0).flatten())", Held(Kind.BOOL, 1)),
        ("mark((model(x) > 0).flatten(1))", Held(Kind.BOOL)),
        ("mark(torch.flatten(model(x) > 0, start_dim=1))", Held(Kind.BOOL)),
        ("j, k = (model(x) > 0).T\nmark(torch.stack((torch.ones_like(j), j, k)))", Held(Kind.BOOL)),
        ("m = torch.zeros(3, 4) > 0\nmark(torch.stack([m, m]))", Held(Kind.BOOL, 3)),
        ("m = torch.zeros(3, 4) > 0\nmark(torch.cat([m, m]))", Held(Kind.BOOL, 2)),
        ("m = torch.zeros(3, 4) > 0\nmark(torch.vstack([m, m]))", Held(Kind.BOOL)),
        (
            "rows = []\nfor r in torch.zeros(3, 4):\n    rows.append(r > 0)\nmark(torch.stack(rows))",
            Held(Kind.BOOL, 2),
        ),
        ("m = torch.zeros(3) > 0\nmark(torch.cat([m, torch.zeros(3)]))", Held(Kind.FLOAT, 1)),
        ("m = torch.zeros(3) > 0\nmark(torch.cat([m, unknown(x)]))", NOTHING),
        ("mark(torch.cat([]))", NOTHING),
        ("mark(torch.stack(unknown(x)))", NOTHING),
        ("mark(len(x))", COUNT),
        ("mark(x.size(0))", COUNT),
        ("mark(model(x).size(0))", COUNT),
        ("mark(3)", COUNT),
        ("mark(torch.zeros(2, device=device))", Held(Kind.FLOAT, 1)),
        ("mark(torch.zeros((), dtype=torch.int64, device=device))", COUNT),
        ("mark(unknown(x))", NOTHING),
        ("mark(v)", NOTHING),
    ],
)
def test_what_an_expression_holds(source: str, expected: Held) -> None:
    assert held(source) == expected


def test_calls_are_followed_into_other_files() -> None:
    files = program(
        train="import torch\nfrom metrics import accuracy\nresult = accuracy(torch.zeros(3), torch.zeros(3))",
        metrics="def accuracy(out, y):\n    return (out == y).sum()",
    )
    train = files.facts(path("train"))
    assert train is not None
    view = files.seen_from(path("train"), train.module)
    call = train.module.calls[-3]
    assert ast.unparse(call).startswith("accuracy(")
    assert Tensors(structure_of(view)).held(view.own, call) == COUNT
