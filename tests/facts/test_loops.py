"""Step loops: the innermost loops that step an optimizer, evaluate or generate."""

from __future__ import annotations

import pytest

from xlaport.context import Context

from .source import HEAD, facts

OFFSET = HEAD.count("\n")


def loops(context: Context) -> list[tuple[int, str]]:
    """Line (from 1, without the preamble) and kind of each step loop."""
    return [(loop.node.lineno - OFFSET, loop.kind.value) for loop in context.loops.all()]


TRAIN = "training"
EVAL = "evaluation"
GENERATE = "generation"
DENOISE = "denoising"
ACT = "acting"


@pytest.mark.parametrize(
    "source",
    [
        "for x in loader: pass",
        "for x in loader: total += x.sum()",
        "for x in y: model(x)",
        "for x in y: scheduler.step()",
        "for x in y: env.step(action)",
        "for p in model.parameters(): p.data.zero_()",
        "while True: model(x)",
        # layers are not steps
        "class M(nn.Module):\n    def forward(self, x):\n        for layer in self.layers: x = layer(x)",
        "@torch.no_grad()\ndef f(x):\n    for layer in model.layers: x = layer(x)",
        "@torch.no_grad()\ndef f(x):\n    for i, layer in enumerate(model.layers): x = layer(x)",
        "with torch.no_grad():\n    for p in model.parameters(): p.mul_(2)",
        "with torch.no_grad():\n    for p, q in zip(a.parameters(), b.parameters()): p.copy_(q)",
        # the model is only mentioned
        "with torch.no_grad():\n    for x in loader:\n        def f(): model(x)",
        "for x in loader:\n    f = lambda: optimizer.step()",
        "for x in loader:\n    class T:\n        def f(self): optimizer.step()",
        "with torch.no_grad():\n    for x in loader: model.eval()",
        # something else steps
        "for x in y:\n    for s in schedulers: s.step()",
        "def fn(): loss.backward()\nfor s in schedulers:\n    fn()\n    s.step()",
        "with profile() as p:\n    for x in y:\n        loss.backward()\n        p.step()",
        # gradient accumulation inside of a step
        "for x in y: loss.backward()",
        "x = model(y)\nfor _ in range(9):\n    x = torch.cat((x, model(x)), dim=1)",  # gradients may go through
    ],
)
def test_no_step_loop(source: str) -> None:
    assert loops(facts(source)) == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("for x in loader:\n    optimizer.step()", [(1, TRAIN)]),
        ("for x in loader:\n    scaler.step(optimizer)", [(1, TRAIN)]),
        ("for x in loader:\n    scaler.step(unknown)", [(1, TRAIN)]),
        ("for x in loader:\n    optimizer.step(closure)", [(1, TRAIN)]),
        ("while n < 10:\n    optimizer.step()", [(1, TRAIN)]),
        ("for x in loader:\n    if n % 4 == 0:\n        optimizer.step()", [(1, TRAIN)]),
        ("for epoch in range(9):\n    for x in loader:\n        optimizer.step()", [(2, TRAIN)]),
        ("for epoch in range(9):\n    for x in loader:\n        optimizer.step()\n    scheduler.step()", [(2, TRAIN)]),
        ("for x in loader:\n    for m in parts:\n        loss.backward()\n    optimizer.step()", [(1, TRAIN)]),
        ("def step(x):\n    optimizer.step()\nfor x in loader:\n    step(x)", [(3, TRAIN)]),
        ("def a(): optimizer.step()\ndef b(): a()\nfor x in loader: b()", [(3, TRAIN)]),
        ("other = torch.optim.SGD(p)\nfor x in loader:\n    optimizer.step()\n    other.step()", [(2, TRAIN)]),
        ("def f(opt, model):\n    for x in y:\n        loss.backward()\n        opt.step()", [(2, TRAIN)]),
        ("def f(opt):\n    for x in y:\n        opt.zero_grad()\n        opt.step()", [(2, TRAIN)]),
        ("async def f():\n    async for x in y:\n        optimizer.step()", [(2, TRAIN)]),
        ("for epoch in range(2):\n    for x in loader:\n        optimizer.step()\n    with torch.no_grad():\n"
         "        for x in loader:\n            model(x)", [(2, TRAIN), (5, EVAL)]),
        ("for x in y:\n    loss.backward()\n    for p in model.parameters(): p.data.add_(p.grad, alpha=-lr)", [(1,
         TRAIN)]),
        ("for epoch in range(2):\n    for x in loader:\n        optimizer.step()\n    with torch.no_grad():\n"
         "        model(x)", [(2, TRAIN)]),
        ("def train():\n    for x in loader:\n        optimizer.step()\nfor epoch in range(2):\n    train()\n"
         "    with torch.no_grad(): model(x)", [(2, TRAIN)]),
        ("def train():\n    for x in loader:\n        optimizer.step()\nfor epoch in range(2):\n    train()", [(2,
         TRAIN)]),
        ("for a in b:\n    for _ in range(9):\n        y = model(x).argmax(-1)\n        x = torch.cat((x, y))\n"
         "    model(x).sum().backward()\n    optimizer.step()", [(1, TRAIN)]),
    ],
)  # fmt: skip
def test_training(source: str, expected: list[tuple[int, str]]) -> None:
    assert loops(facts(source)) == expected


TRAINER = """
class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters())

    def step(self, x):
        self.model(x).backward()
        self.optimizer.step()

    def fit(self):
        for x in loader:
            self.step(x)
"""


def test_a_trainer_class() -> None:
    assert loops(facts(TRAINER)) == [(11, TRAIN)]
    assert loops(facts(TRAINER.replace("    def fit", "class Sub(Trainer):\n    def fit"))) == [(12, TRAIN)]
    outside = (
        TRAINER.replace("self.step(x)", "pass") + "trainer = Trainer(model)\nfor x in loader:\n    trainer.step(x)"
    )
    assert loops(facts(outside)) == [(14, TRAIN)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("with torch.no_grad():\n    for x in y:\n        model(x)", [(2, EVAL)]),
        ("with torch.inference_mode():\n    for x in y:\n        model.generate(x)", [(2, EVAL)]),
        ("for x in y:\n    with torch.no_grad():\n        model(x)", [(1, EVAL)]),
        ("@torch.no_grad()\ndef f():\n    for x in y:\n        model(x)", [(3, EVAL)]),
        ("@torch.no_grad\ndef f():\n    for x in y:\n        model(x)", [(3, EVAL)]),
        ("with torch.set_grad_enabled(False):\n    for x in y:\n        model(x)", [(2, EVAL)]),
        ("for x in loader:\n    model(x)", [(1, EVAL)]),
        ("for i, x in enumerate(loader):\n    model(x)", [(1, EVAL)]),
        ("@torch.no_grad()\ndef f(x):\n    for _ in range(9):\n        x = torch.cat([x, model(x)])", [(3, GENERATE)]),
        (
            "def f(x):\n    for _ in range(9):\n        y = torch.multinomial(model(x)[:, -1], 1)\n"
            "        x = torch.cat((x, y), dim=1)",
            [(2, GENERATE)],
        ),
        ("@torch.no_grad()\ndef f(x):\n    while n < 9:\n        x = model(x)", [(3, GENERATE)]),
        ("def predict(x): return model(x)\nwith torch.no_grad():\n    for x in y: predict(x)", [(3, EVAL)]),
        # the losses of several outputs belong to one step
        (
            "with torch.no_grad():\n    for x in loader:\n        ys = model(x)\n"
            "        for i in range(len(ys)):\n            loss = model(ys[i])",
            [(2, EVAL)],
        ),
        ("ys = model(x)\nwith torch.no_grad():\n    for y in ys:\n        model(y)", [(3, EVAL)]),
    ],
)
def test_evaluation(source: str, expected: list[tuple[int, str]]) -> None:
    assert loops(facts(source)) == expected


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("for x in loader:\n    optimizer.step()", 0),
        ("for x in loader:\n    optimizer.step()\n    torch_xla.sync()", 1),
        ("import torch_xla.core.xla_model as xm\nfor x in loader:\n    optimizer.step()\n    xm.mark_step()", 1),
        ("import torch_xla.core.xla_model as xm\nfor x in loader:\n    xm.optimizer_step(optimizer, barrier=True)", 1),
        ("import torch_xla.core.xla_model as xm\nfor x in loader:\n    xm.optimizer_step(optimizer)", 0),
        ("def step():\n    optimizer.step()\n    torch_xla.sync()\nfor x in loader:\n    step()", 1),
    ],
)
def test_barriers_of_its_own(source: str, count: int) -> None:
    (loop,) = facts(source).loops.all()
    assert len(loop.barriers) == count


def test_a_device_loader_cuts_the_graph() -> None:
    source = "import torch_xla.distributed.parallel_loader as pl\nfor x in {}:\n    optimizer.step()"
    assert [loop.cut_by_loader for loop in facts(source.format("pl.MpDeviceLoader(loader, d)")).loops.all()] == [True]
    assert [loop.cut_by_loader for loop in facts(source.format("loader")).loops.all()] == [False]
