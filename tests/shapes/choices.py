"""What the host decides by a value of the device, and what XP309, XP403, XP415 and XP424 write instead; as a program.

`python -m tests.shapes.choices` runs both forms for some steps, on the CPU and on XLA, and prints as JSON what each
step gave, and how many graphs were compiled, graphs run and values fetched in the steps after the first two.
"""

from __future__ import annotations

import json
import sys
import textwrap
from typing import Any

STEPS, WARM_UP = 8, 2

FORMS: dict[str, tuple[str, str]] = {
    "a branch of assignments": (
        "y = x * 2\nif x.sum() > 0:\n    y = x.exp()",
        "y = x * 2\ny = torch.where(x.sum() > 0, x.exp(), y)",
    ),
    "a conditional expression": (
        "y = x / (x.max() if x.max() > 1 else 1.0)",
        "y = x / torch.where(x.max() > 1, x.max(), 1.0)",
    ),
    "a mask that is true somewhere": (
        "y = x * 1\nmask = x > 0.5\nif mask.any():\n    y = y.masked_fill(mask, -1e9)",
        "y = x * 1\nmask = x > 0.5\ny = y.masked_fill(mask, -1e9)",
    ),
    "allclose": (
        "y = x * 1\nif torch.allclose(x, x.abs()):\n    y = y + 1",
        "y = x * 1\ny = torch.where(torch.isclose(x, x.abs()).all(), y + 1, y)",
    ),
    "equal": (
        "y = x * 1\nif x.equal(x.abs()):\n    y = y + 1",
        "y = x * 1\ny = torch.where((x == x.abs()).all(), y + 1, y)",
    ),
    "the number of passes": (
        "lengths = (x > 0).sum(1)\ny = x * 1\nfor i in range(int(lengths.max())):\n"
        "    y = torch.where((i < lengths).unsqueeze(-1), y * 0.5 + i, y)",
        "lengths = (x > 0).sum(1)\ny = x * 1\nfor i in range(4):\n"
        "    y = torch.where((i < lengths).unsqueeze(-1), y * 0.5 + i, y)",
    ),
    "until it converges": (
        "y = x.abs() + 1\nwhile y.max() > 0.2:\n    y = y * 0.5",
        "y = x.abs() + 1\nfor _ in range(8):\n    y = torch.where(y.max() > 0.2, y * 0.5, y)",
    ),
    "until all are done": (
        "y = x * 1\nfor n in range(8):\n    y = y.abs() + 0.25\n    if (y > 1).all():\n        break",
        "y = x * 1\ndone = (x > 9).all()\nfor n in range(8):\n    y = torch.where(done, y, y.abs() + 0.25)\n"
        "    done = (y > 1).all()",
    ),
    "the checks of Normal": (
        "dist = torch.distributions.Normal(x, x.exp())\ny = dist.log_prob(x + 1)",
        "dist = torch.distributions.Normal(x, x.exp(), validate_args=False)\ny = dist.log_prob(x + 1)",
    ),
    "the checks of Categorical": (
        "dist = torch.distributions.Categorical(logits=x)\ny = dist.log_prob(x.argmax(-1)) + dist.entropy()",
        "dist = torch.distributions.Categorical(logits=x, validate_args=False)\n"
        "y = dist.log_prob(x.argmax(-1)) + dist.entropy()",
    ),
    "the checks of Independent": (
        "dist = torch.distributions.Independent(torch.distributions.Normal(x, x.exp()), 1)\ny = dist.log_prob(x + 1)",
        "dist = torch.distributions.Independent(torch.distributions.Normal(x, x.exp(), validate_args=False), 1, "
        "validate_args=False)\ny = dist.log_prob(x + 1)",
    ),
    "the checks of Bernoulli": (
        "y = torch.distributions.Bernoulli(logits=x).log_prob((x > 0).float())",
        "y = torch.distributions.Bernoulli(logits=x, validate_args=False).log_prob((x > 0).float())",
    ),
    "an error for gradients that are not finite": (
        "w.grad = x.sum().detach()\ny = torch.nn.utils.clip_grad_norm_([w], 1.0, error_if_nonfinite=True) + w.grad",
        "w.grad = x.sum().detach()\ny = torch.nn.utils.clip_grad_norm_([w], 1.0) + w.grad",
    ),
    "a place by a tensor": (
        "i = x.sum(1).argmax()\ny = x[i] * 2",
        "i = x.sum(1).argmax()\ny = x[i.view(1)].squeeze(0) * 2",
    ),
    "a step that is skipped": (
        "w.grad = None\nloss = (x.sum() * w).log()\nif torch.isnan(loss):\n    y = w.detach()\nelse:\n"
        "    loss.backward()\n    w.data.sub_(w.grad)\n    y = w.detach()",
        "w.grad = None\nloss = (x.sum() * w).log()\nloss.backward()\ngood = ~torch.isnan(loss)\n"
        "w.grad = torch.where(good, w.grad, 0.0)\nw.data.sub_(w.grad)\ny = w.detach()",
    ),
    "values drawn again": (
        "y = x * 1\nwhile (y < 0).any():\n    mask = y < 0\n    y[mask] = y.flip(0)[mask].abs()",
        "y = x * 1\nfor _ in range(2):\n    mask = y < 0\n    y = torch.where(mask, y.flip(0).abs(), y)",
    ),
}
"""Each makes `y` of `x`, 4 by 4 numbers that are others in each step, and of a parameter `w`: as found, as advised."""


def run(code: str, device: Any, counts: Any, barrier: Any) -> dict[str, Any]:
    """What a piece of code gives in some steps, and what `counts` says of the later ones."""
    import torch

    torch.manual_seed(0)
    batches = torch.randn(STEPS, 4, 4)
    batches[1], batches[5] = batches[1].abs(), batches[5].abs()
    compiled = compile(code, "<choice>", "exec")
    names: dict[str, Any] = {"torch": torch, "w": torch.ones((), device=device, requires_grad=True)}
    given: list[Any] = []
    begin: list[int] = []
    for step, batch in enumerate(batches):
        names["x"] = batch.to(device)
        barrier()
        begin = counts() if step == WARM_UP else begin
        exec(compiled, names)
        barrier()
        given.append(names["y"].detach().clone())
        barrier()
    spent = [after - before for before, after in zip(begin, counts(), strict=True)]
    return {"given": [y.cpu().tolist() for y in given], "spent": spent}


def main() -> None:
    """Run both forms of each."""
    import torch
    import torch_xla
    import torch_xla.core.xla_model as xm
    import torch_xla.debug.metrics as metrics

    xla = torch_xla.device()  # before the first backward(), which counts the kinds of devices

    def counts() -> list[int]:
        xm.wait_device_ops()
        fetched = metrics.metric_data("TransferFromDeviceTime")
        scalars = metrics.counter_value("aten::_local_scalar_dense") or 0
        return [metrics.counter_value("UncachedCompile") or 0, (fetched[0] if fetched else 0) + scalars]

    found: dict[str, Any] = {}
    for name, forms in FORMS.items():
        found[name] = {
            "cpu": [run(textwrap.dedent(code), torch.device("cpu"), lambda: [0, 0], lambda: None) for code in forms],
            "xla": [run(textwrap.dedent(code), xla, counts, torch_xla.sync) for code in forms],
        }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
