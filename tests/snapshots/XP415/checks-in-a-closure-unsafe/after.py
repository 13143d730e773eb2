"""Checks of each step that only raise or tell: a closure makes them when the answer is there."""

import warnings

import torch
import torch_xla.core.xla_model as xm
from torch import nn

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
debug = input() == "debug"


def update(loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def checked(x, low=-9.0):
    loss = model(x).mean()

    def check(fails):
        if fails:  # the steps are counted by who calls this
            raise RuntimeError("NaN")

    xm.add_step_closure(check, args=(torch.isnan(loss),), run_async=True)

    def check_2(fails):
        if fails:
            raise ValueError(
                f"not between {low} and 9"
            )

    xm.add_step_closure(
        check_2,
        args=((torch.min(x) < low) | (torch.max(x) > 9.0),),
        run_async=True,
    )
    scores = model(x)

    def check_3(holds):
        assert holds, "large"

    xm.add_step_closure(check_3, args=((scores < 1e9).all(),), run_async=True)
    if debug:

        def check_4(fails):
            if fails:
                warnings.warn("all are negative")

        xm.add_step_closure(check_4, args=((scores < 0).all(),), run_async=True)

    def check_5(fails, loss):
        if fails:
            print("loss", loss.item())

    xm.add_step_closure(check_5, args=(loss > 3, loss.clone()), run_async=True)
    return loss


for i in range(1000):
    loss = checked(torch.randn(8, 4, device=device))

    def check(fails, i):
        if fails:  # another step may be fine again
            raise RuntimeError(f"large in step {i}")

    xm.add_step_closure(check, args=(loss > 10, i), run_async=True)
    update(loss)

# Nothing that is NaN in one batch of an evaluation is so in the next one.
with torch.no_grad():
    for i, x in enumerate(torch.utils.data.DataLoader(torch.zeros(8, 4))):
        out = model(x.to(device))

        def check_2(fails):
            if fails:
                raise RuntimeError("NaN")

        xm.add_step_closure(check_2, args=(torch.isnan(out).any(),), run_async=True)
