"""What XLA does not have, as the table of XP416 says; as a program: what each entry gives on the CPU and on XLA.

`python -m tests.shapes.absent` prints as JSON, for each entry, what its code gives or raises on both, and what
activation checkpointing does: PyTorch's on the CPU and on XLA, torch_xla's on XLA.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from rules._lib.shapes.helpers import helpers
from rules._lib.shapes.missing import missing


def given(code: str, device: Any) -> list[str]:
    """What a piece of code gives, or the error that it raises."""
    import copy

    import torch

    names = {"torch": torch, "copy": copy, "d": device, "x": torch.arange(9.0).view(3, 3).to(device) + 0.5}
    try:
        return ["gives", repr(eval(code, names))[:200]]
    except Exception as error:  # that it raises, and what, is the answer
        return ["raises", str(error)]


COMPLEX = {
    "complex": "torch.complex(x, x * 2)",
    "rfft": "torch.fft.rfft(x)",
    "stft": "torch.stft(x.flatten(), 4, window=torch.ones(4, device=d), return_complex=True)",
    "view_as_complex": "torch.view_as_complex(torch.stack([x, x], -1))",
    "product": "torch.complex(x, x * 2) * torch.polar(x, x)",
    "imaginary": "1j * x",
}
"""Complex tensors of x, 3 by 3 numbers, one of which is 0."""


def magnitude(made: str, how: str, device: Any) -> list[str]:
    """The magnitude of complex numbers, and its gradient."""
    import torch

    x = torch.tensor([[0.0, 1.0, -2.0], [3.0, 0.5, -1.0], [0.25, 2.0, -3.0]]).to(device)
    names: dict[str, Any] = {"torch": torch, "d": device, "x": x.requires_grad_()}
    try:
        names["z"] = eval(made, names)
        found = eval(how, names)
        found.sum().backward()
        parts = [found.detach(), names["x"].grad]
        values = [[round(value, 3) + 0.0 for value in part.cpu().flatten().tolist()] for part in parts]
        return ["gives", str(found.dtype), json.dumps(values)]
    except RuntimeError as error:
        return ["raises", str(error)]


def gradients(checkpoint: Any, device: Any, **options: Any) -> list[str]:
    """The gradients of two layers, the first of which is recomputed."""
    import torch
    from torch import nn

    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 4), nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 4)), nn.Linear(4, 1))
    model.to(device)
    try:
        hidden = checkpoint(model[1], model[0](torch.ones(2, 4, device=device)), **options)
        model[2](hidden).sum().backward()
        found = [p.grad.cpu().sum().item() for p in model.parameters() if p.grad is not None]
        return ["gives", json.dumps([round(value, 4) for value in found])]
    except Exception as error:  # that it raises, and what, is the answer
        return ["raises", str(error)]


DETERMINANTS = {
    "sloped_slogdet": "torch.linalg.slogdet(x)",
    "sloped_logdet": "torch.logdet(x @ x.mT)",
}
"""What the helpers of the table do the same as, by their names."""


def determinant(name: str, how: str, device: Any) -> list[Any]:
    """The logarithms of determinants of several matrices, their signs, and the gradient."""
    import torch

    names: dict[str, Any] = {"torch": torch}
    exec(helpers()[name].replace("{torch}", "torch"), names)
    generator = torch.Generator().manual_seed(0)
    names["x"] = x = torch.randn(3, 4, 4, generator=generator).to(device).requires_grad_()
    found = eval(how, names)
    sizes = found if isinstance(found, torch.Tensor) else found.logabsdet
    signs = torch.zeros(3) if isinstance(found, torch.Tensor) else found.sign
    (sizes * torch.arange(3.0, device=device)).sum().backward()
    assert x.grad is not None
    return [part.detach().cpu().flatten().tolist() for part in (signs, sizes, x.grad)]


def main() -> None:
    """Run each entry, and the checkpoints."""
    import torch
    import torch.utils.checkpoint
    import torch_xla
    import torch_xla.utils.checkpoint

    cpu, xla = torch.device("cpu"), torch_xla.device()  # before the first backward(), which counts the devices
    stock, own = torch.utils.checkpoint.checkpoint, torch_xla.utils.checkpoint.checkpoint
    parts = "torch.linalg.vector_norm(torch.view_as_real(z), dim=-1)"
    found = {
        "complex": {
            name: {
                "cpu": magnitude(made, "z.abs()", cpu),
                "abs": magnitude(made, "z.abs()", xla),
                "parts": [magnitude(made, parts, device) for device in (cpu, xla)],
            }
            for name, made in COMPLEX.items()
        },
        "determinants": {
            name: [
                determinant(name, how, cpu),
                determinant(name, f"{name}{how[how.index('(') :]}", xla),
            ]
            for name, how in DETERMINANTS.items()
        },
        "entries": [[given(entry.code, cpu), given(entry.code, xla)] for entry in missing()],
        "checkpoints": {
            "cpu": gradients(stock, cpu, use_reentrant=True),
            "stock": [gradients(stock, xla, use_reentrant=kind) for kind in (True, False)],
            "own": [gradients(own, xla), gradients(own, xla, use_reentrant=True, preserve_rng_state=False)],
            "refused": [gradients(own, xla, use_reentrant=False), gradients(own, xla, determinism_check="none")],
        },
    }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
