"""What becomes of parameters that move to XLA, measured, and that ports keep their models: ties, counts and losses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.child import output_of
from tests.warm_python import with_torch, with_torch_xla
from xlaport import run
from xlaport.config import Config

TIED = """
import json

import torch
from torch import nn

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
RESULT = {}


class Tied(nn.Module):
    def __init__(self, tied=True):
        super().__init__()
        self.emb = nn.Embedding(8, 4)
        self.rnn = nn.LSTM(4, 4, batch_first=True)
        self.out = nn.Linear(4, 8)
        if tied:
            self.out.weight = self.emb.weight

    def forward(self, x):
        return self.out(self.rnn(self.emb(x))[0])


class ByMethod(Tied):
    def __init__(self, share):
        super().__init__(False)
        self.share = share
        self.tie_weights()

    def tie_weights(self):
        if self.share:
            self.out.weight = self.emb.weight


class Head(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.decoder = nn.Linear(4, 8)
        self.decoder.weight = weight

    def forward(self, x):
        return self.decoder(x)


class Whole(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.emb = nn.Embedding(8, 4)
        self.head = Head(self.emb.weight)
        self.inner = inner

    def forward(self, x):
        return self.head(self.emb(x)) + self.inner(x)


class SharedModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(8, 4)
        self.a = nn.Linear(4, 4)
        self.b = self.a
        self.out = nn.Linear(4, 8)

    def forward(self, x):
        return self.out(self.b(self.a(self.emb(x)).relu()))


def fit(name, model, optimizer=None):
    generator = torch.Generator().manual_seed(1)
    optimizer = optimizer or torch.optim.Adam(model.parameters(), lr=0.05)
    losses = []
    for step in range(4):
        x = torch.randint(8, (4, 5), generator=generator).to(device)
        loss = nn.functional.cross_entropy(model(x).flatten(0, 1), x.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    RESULT[name] = [len(list(model.parameters())), *losses]


options = {"tied": True}
tied = options["tied"]
model = Tied(tied).to(device)
fit("in the class, under a condition", model)
model = Tied(tied=False).to(device)
fit("not at all", model)
other = ByMethod(True)
other.load_state_dict(other.state_dict())
other.to(device)
fit("by a method", other)
whole = Whole(Tied())
optimizer = torch.optim.SGD(whole.parameters(), lr=0.1)
whole = whole.to(device)
fit("in parts, with the optimizer first", whole, optimizer)
outside = Tied(False)
outside.out.weight = outside.emb.weight
outside.to(device)
fit("from outside", outside)
replaced = Tied()
replaced.emb = nn.Embedding(8, 4)
replaced.to(device)
fit("untied again", replaced)
shared = SharedModule().to(device)
fit("a module", shared)
hooked = Tied(False)
for p in hooked.parameters():
    p.register_hook(lambda grad: grad.clamp(-0.001, 0.001))
params = list(hooked.parameters())
hooked.to(device)
fit("with hooks", hooked, torch.optim.SGD(params, lr=10.0))


class Learner(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Tied(False)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def forward(self, x):
        return self.net(x)


learner = Learner().to(device)
fit("with an optimizer of its own", learner, learner.optimizer)
print(json.dumps(RESULT))
"""


def result(folder: Path, text: str) -> dict[str, Any]:
    """What a script prints as its last line; on XLA where it imports torch_xla."""
    script = folder / "script.py"
    script.write_text(text)
    found: dict[str, Any] = json.loads(
        output_of(str(script), python=with_torch_xla() if "torch_xla" in text else with_torch()).splitlines()[-1]
    )
    return found


def ported(folder: Path, text: str, *ignore: str) -> str:
    """The script as a conversion with all rules but some leaves it."""
    folder.mkdir(exist_ok=True)
    (folder / "script.py").write_text(text)
    found = run.convert([folder / "script.py"], Config(ignore=ignore))
    (file,) = found.changed
    return file.after


def test_a_port_keeps_tied_parameters_one(tmp_path: Path) -> None:
    """The same number of parameters and the same losses as on the CPU; without XP205 it is another model."""
    expected = result(tmp_path, TIED)
    assert [expected[name][0] for name in ("not at all", "by a method", "from outside")] == [7, 6, 6]
    after = ported(tmp_path / "with", TIED)
    assert "import torch_xla" in after
    found = result(tmp_path, after)
    assert list(found) == list(expected)
    for name, values in expected.items():
        assert found[name] == pytest.approx(values, rel=1e-4), name

    without = result(tmp_path, ported(tmp_path / "without", TIED, "XP205"))
    changed = {name for name in expected if without[name] != pytest.approx(expected[name], rel=1e-4)}
    tied = ("in the class, under a condition", "by a method", "in parts, with the optimizer first", "from outside")
    assert changed == set(tied)


def test_a_port_trains_what_the_script_trains(tmp_path: Path) -> None:
    """Without XP203 and XP208 the optimizers and the hooks are left with parameters that nobody uses."""
    expected = result(tmp_path, TIED)
    without = result(tmp_path, ported(tmp_path / "without", TIED, "XP203", "XP208"))
    for name in ("in parts, with the optimizer first", "with hooks", "with an optimizer of its own"):
        assert len({round(loss, 6) for loss in expected[name][1:]}) == 4, name
        assert without[name][1:] != pytest.approx(expected[name][1:], rel=1e-3), name


FACTS = """
import json

import torch
import torch_xla
from torch import nn

DEVICE = torch_xla.device()
x = torch.ones(2, 4)
FOUND = {}


def tied(make):
    model = make()
    model.to(DEVICE)
    return len(list(model.parameters()))


class Module(nn.Module):
    def __init__(self, how):
        super().__init__()
        self.a = nn.Linear(4, 4, bias=False)
        self.b = nn.Linear(4, 4, bias=False)
        how(self)


def by_attribute(m): m.b.weight = m.a.weight
def by_setattr(m): setattr(m.b, "weight", m.a.weight)
def by_dict(m): m.b._parameters["weight"] = m.a.weight
def by_register(m): m.b.register_parameter("weight", m.a.weight)
def by_list(m):
    m.b = nn.ParameterList([m.a.weight])
def by_alias(m):
    m.b = m.a.weight
def by_module(m): m.b = m.a
def by_container(m): m.b = nn.Sequential(m.a)


forms = [by_attribute, by_setattr, by_dict, by_register, by_list, by_alias, by_module, by_container]
FOUND["tied"] = {form.__name__: tied(lambda: Module(form)) for form in forms}

model = Module(by_attribute)
model.to(torch.bfloat16)
FOUND["dtype keeps the tie"] = model.a.weight is model.b.weight
model.to(DEVICE)
model.b.weight = model.a.weight
model.to(DEVICE)
model.half()
FOUND["XLA to XLA keeps the tie"] = model.a.weight is model.b.weight
model.cpu()
FOUND["to the CPU keeps the tie"] = model.a.weight is model.b.weight
torch.__future__.set_swap_module_params_on_conversion(True)
model = Module(by_attribute)
kept = model.a.weight
kept.mark = True
model.to(DEVICE)
FOUND["swapping keeps the tie"] = model.a.weight is model.b.weight is kept
FOUND["swapping keeps marks"] = hasattr(model.a.weight, "mark")
torch.__future__.set_swap_module_params_on_conversion(False)


class Special(nn.Parameter):
    pass


calls = []
model = nn.Linear(4, 4)
model.bias = Special(torch.zeros(4))
model.bias.requires_grad = False
model.weight.mark = True
model.weight.register_hook(lambda grad: calls.append("hook"))
model.weight.register_post_accumulate_grad_hook(lambda p: calls.append("post"))
model.register_forward_hook(lambda *args: calls.append("forward"))
model.register_full_backward_hook(lambda *args: calls.append("backward"))
params = list(model.parameters())
model(x).sum().backward()
calls.clear()
model.to(DEVICE)
FOUND["the gradient moves"] = str(model.weight.grad.device).startswith("xla")
model(x.to(DEVICE)).sum().backward()
torch_xla.sync()
FOUND["hooks called"] = sorted(calls)
FOUND["marks"] = hasattr(model.weight, "mark")
FOUND["class"] = type(model.bias).__name__
FOUND["requires_grad"] = model.bias.requires_grad
FOUND["a list holds them"] = any(p is q for p in params for q in model.parameters())
FOUND["norm of the list's gradients on the device"] = nn.utils.clip_grad_norm_(
    [p for p in params if str(p.device) != "cpu"], 1.0
).item()
print(json.dumps(FOUND))
"""


def test_what_a_move_to_xla_undoes(tmp_path: Path) -> None:
    found = result(tmp_path, FACTS)
    whole = {"by_module", "by_container"}
    assert found.pop("tied") == {
        name: 1 if name in whole else 2
        for name in ("by_attribute", "by_setattr", "by_dict", "by_register", "by_list", "by_alias", *whole)
    }
    assert found == {
        "dtype keeps the tie": True,
        "XLA to XLA keeps the tie": True,
        "to the CPU keeps the tie": False,
        "swapping keeps the tie": True,
        "swapping keeps marks": False,
        "the gradient moves": True,
        "hooks called": ["backward", "forward"],
        "marks": False,
        "class": "Parameter",
        "requires_grad": False,
        "a list holds them": False,
        "norm of the list's gradients on the device": 0.0,
    }
