"""Calls of what XLA has no kernel for, and what takes their place; as a program: what both do.

`python -m tests.shapes.replacements` runs each on the CPU and on XLA, before and after the conversion, and prints as
JSON what became of values, types and gradients, and which operators ran on the host.
"""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path
from typing import Any

KEPT = Path(__file__).parent.parent / "snapshots" / "XP411" / "keep-what-has-a-kernel" / "before.py"
SPECIAL = "torch.tensor([[1.0, nan, -inf, inf, 0.0, -0.0], [2.5, 2.5, -1.0, 1e30, -1e-30, 0.25]])"

CALLS: dict[str, tuple[str, ...]] = {
    "bincount": (
        "y = torch.bincount(ids, minlength=12)",
        "few = ids.int()\ny = torch.bincount(few, minlength=12)",
        "y = ids.bincount(minlength=15) / 3",
        "none = ids[:0]\ny = torch.bincount(none, minlength=4)",
    ),
    "histc": (
        "y = torch.histc(x, 10, -2.0, 2.0)",
        "y = x.detach().histc(bins=7, min=-1, max=3)",
        "y = torch.histc(special, bins=4, min=0, max=2.5)",
        "y = torch.histc(x[:0], 5, min=0, max=1)",
    ),
    "searchsorted": (
        "y = torch.searchsorted(edges, x)",
        "y = torch.searchsorted(edges, special.contiguous(), right=True)",
        "y = torch.searchsorted(x.sort(1).values, x + 0.1, right=False)",
        "y = torch.searchsorted(x.sort(1).values, x[:, :2].contiguous(), right=True) + 1",
        "y = torch.searchsorted(edges, x[:0])",
    ),
    "bucketize": (
        "y = torch.bucketize(x, edges)",
        "y = torch.bucketize(special, edges, right=True)",
        "y = torch.bucketize(x[0, 0], edges)",
        "y = torch.bucketize(ids, torch.arange(5, device=device)) * 2",
    ),
    "repeats": (
        "counts = ids[:4] % 3\ny = torch.repeat_interleave(x, counts, dim=0, output_size=3)",
        "counts = ids[:6] % 4\ny = x.repeat_interleave(counts, 1, output_size=11)",
    ),
    "isin": (
        "y = torch.isin(ids, ids[:2])",
        "y = ~torch.isin(special, special[0])",
        "y = torch.isin(ids, ids[:0])",
    ),
    "embedding bag": (
        'y = F.embedding_bag(ids.view(2, 4), w, mode="sum")',
        'y = F.embedding_bag(ids.view(4, 2), w, mode="sum", sparse=False)',
        'y = F.embedding_bag(ids.view(2, 4), w, per_sample_weights=p.view(2, 4), mode="sum")',
        "y = F.embedding_bag(ids.view(2, 4), w)",
        'y = F.embedding_bag(ids.view(4, 2), weight=w, mode="mean")',
        'y = F.embedding_bag(ids.view(2, 4)[:0], w, mode="sum")',
    ),
    "EmbeddingBag": (
        # Called out of sight, as by a library: what is rewritten takes offsets, too.
        'm = nn.EmbeddingBag(12, 3, mode="sum").to(device)\nrun = lambda f: f(ids, offsets)\ny = run(m)',
        'm = nn.EmbeddingBag(12, 3, mode="sum", sparse=True).to(device)\ngo = lambda f: f(ids, offsets, p)\ny = go(m)',
        "m = nn.EmbeddingBag(12, 3).to(device)\nrun = lambda f: f(ids, offsets)\ny = run(m)",
        'm = nn.EmbeddingBag(12, 3, mode="mean").to(device)\ny = m(ids.view(2, 4))',
    ),
    "sparse gradients": (
        "m = nn.Embedding(12, 3, sparse=True).to(device)\ny = m(ids)",
        "y = F.embedding(ids, w, sparse=True)",
        "m = nn.Embedding.from_pretrained(w.detach(), freeze=False, sparse=True)\ny = m(ids)",
    ),
    "median": (
        "y = x.median()",
        "y = torch.median(ids)",
        "y = x.median(1).values",
        "v, i = torch.median(x, dim=-2, keepdim=True)\ny = v * (i + 1)",
    ),
    "huber": (
        "y = F.huber_loss(x, t)",
        'y = F.huber_loss(x, t, reduction="none")',
        "y = F.huber_loss(x, t, delta=0.3)",
        'y = 2 * F.huber_loss(x * 5, t, reduction="sum", delta=2.0)',
        "y = nn.HuberLoss()(x, t)",
        'y = nn.HuberLoss(reduction="sum")(x * 3, t)',
    ),
    "glu": ("y = F.glu(x)", "y = F.glu(x, dim=0)", "y = F.glu(special, 1)", "m = nn.GLU(0).to(device)\ny = m(x)"),
    "elu": (
        "y = F.elu(x)",
        "y = F.elu(x, 0.5, False) * 2",
        "y = F.elu(special, alpha=2.0, inplace=False)",
        "y = F.celu(x, alpha=1.5)",
        "y = F.selu(x + t)",
        "y = torch.celu(x)",
        "y = torch.celu(x, alpha=0.5)",
        "y = torch.selu(x)",
        "m = nn.ELU().to(device)\ny = m(x)",
        "m = nn.ELU(0.5, inplace=False)\ny = m(x)",
        "m = nn.CELU(1.5)\ny = m(x)",
        "m = nn.SELU()\ny = m(x)",
    ),
    "unfold": (
        "y = F.unfold(image, 3)",
        "y = F.unfold(image, kernel_size=(2, 3), padding=(1, 0), stride=2, dilation=(1, 2))",
        "y = F.unfold(image[0], 2, 1, 1, 1)",
        "y = F.unfold(special.view(1, 1, 3, 4), 2)",
        "y = F.unfold(image, (9, 8), (1, 2), (4, 5), (2, 1))",
        "m = nn.Unfold((2, 1), stride=(2, 3)).to(device)\ny = m(image)",
        "m = nn.Unfold((9, 8), (1, 2), (4, 5), (2, 1)).to(device)\ny = m(image)",
    ),
    "grid": (
        "y = F.grid_sample(image, grid, align_corners=False)",
        'y = F.grid_sample(image, grid, mode="bilinear", padding_mode="border", align_corners=True)',
        'y = F.grid_sample(image, grid * 2, "bilinear", "zeros", True)',
        'y = F.grid_sample(image, grid * 2, padding_mode="border", align_corners=False)',
        "grid = F.affine_grid(a[:4].view(2, 2, 3), [2, 4, 5, 3], align_corners=False)\n"
        "y = F.grid_sample(image, grid, align_corners=False)",
        "corners = F.affine_grid(torch.eye(2, 3, device=device).repeat(2, 1, 1), [2, 4, 6, 7], align_corners=True)\n"
        'y = F.grid_sample(image, corners * (1 + 0 * grid.sum()), padding_mode="border", align_corners=True)',
    ),
    "windows": ("y = x.unfold(1, 3, 2)", "y = image.unfold(-2, 4, 1)", "y = image.unfold(2, 2, 2).unfold(3, 3, 3)"),
    "spectra": (
        "y = torch.view_as_real(torch.stft(x, 4, return_complex=True))",
        "y = torch.stft(x[0], n_fft=5, hop_length=2, win_length=3, window=p[:3], center=False, return_complex=False)",
        "y = torch.view_as_real(x.stft(3, 1, normalized=True, onesided=False, return_complex=True))",
        'y = torch.stft(x, 4, 1, 3, t[0, :3], pad_mode="constant", onesided=None, return_complex=False).pow(2).sum(-1)',
        "wave = image.flatten(1)\ny = torch.view_as_real(torch.stft(wave / 9, 64, 16, return_complex=True))",
    ),
    "shuffle": ("y = F.channel_shuffle(image, 2)", "m = nn.ChannelShuffle(2).to(device)\ny = m(image)"),
    "weight norm": (
        "m = nn.utils.weight_norm(nn.Linear(6, 2)).to(device)\ny = m(x)",
        "m = nn.utils.weight_norm(nn.Conv2d(4, 2, 3), dim=None).to(device)\ny = m(image)",
        'm = nn.utils.weight_norm(nn.ConvTranspose2d(4, 2, 3), "weight", 1).to(device)\ny = m(image)',
    ),
    "parametrized weight norm": (
        "m = nn.utils.parametrizations.weight_norm(nn.Linear(6, 2)).to(device)\ny = m(x)",
        "m = nn.utils.parametrizations.weight_norm(nn.Conv2d(4, 2, 3), dim=None).to(device)\ny = m(image)",
    ),
    "elementwise": (
        "y = torch.exp2(x)",
        "y = torch.exp2(ids)",
        "y = torch.logaddexp(x, t)",
        "y = torch.logaddexp(x[:1], t)",
        "y = torch.round(x, decimals=2)",
        "y = x.round(decimals=0) + 1",
        "probability = x.sigmoid()\ny = torch.logit(probability)",
        "y = torch.fmax(x, t)",
        "other = special.flip(1)\ny = torch.fmin(special, other)",
        "other = special.flip(1)\ny = torch.fmax(special, other)",
        "y = torch.hypot(x, t)",
    ),
    "vectors": (
        "y = torch.linalg.cross(a, b)",
        "y = torch.cross(a, b, dim=1)",
        "c, d = a.t(), b.t()\ny = torch.cross(c, d, dim=0) * 2",
        "y = torch.cdist(x, t, p=1) + torch.cdist(x, t, 3)",
        "y = torch.cdist(image, image + 1, p=3.0).sum(-1)",
        "y = (x > 0).cumsum(1) * x",
        "mask = x > 0\ny = torch.cumsum(mask, 0) + x",
        "y = (x[0] > 0).cumsum(\n    dim=0\n) - 1",
        "y = torch.linalg.inv(square)",
        "y = torch.inverse(square) @ square",
    ),
}
"""Pieces of a step that make `y`, by what they are about."""

NARROW = (
    "wide = image.repeat(1, 1, 50, 100)\ny = F.grid_sample(wide, grid, align_corners=False)",
    'wide = image.repeat(1, 1, 50, 100)\ny = F.grid_sample(wide, grid, padding_mode="border", align_corners=True)',
    "many = x.repeat(300, 1)\ny = torch.histc(many, 10, -2.0, 2.0)",
    'm = nn.EmbeddingBag(12, 3, mode="sum").to(x)\n'
    "run = lambda f: f(ids.repeat(500), offsets * 500 - offsets % 3)\ny = run(m)",
    "m = nn.EmbeddingBag(12, 3).to(x)\nrun = lambda f: f(ids.repeat(500), offsets * 500 - offsets % 3)\ny = run(m)",
    'y = F.embedding_bag(ids.repeat(500).view(2, 2000), w, mode="sum")',
    "y = F.glu(x.repeat(1, 300))",
    "y = F.unfold(image, (9, 8), (1, 2), (4, 5), (2, 1))",
    "rows = x.repeat(1, 500)\ny = rows.unfold(1, 4, 3)",
    "m = nn.utils.weight_norm(nn.Linear(6, 2)).to(x)\ny = m(x)",
    "m = nn.utils.parametrizations.weight_norm(nn.Linear(6, 2)).to(x)\ny = m(x)",
)
"""Those of them that have to be as exact as the type of their tensors, in types of 16 bits, too."""
TYPES = ("float16", "bfloat16")

HEAD = """
import torch
import torch.nn.functional as F
from torch import nn

device = torch.device("cuda")
model = nn.Linear(6, 6).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
w = torch.randn(12, 3).to(device)
edges = torch.linspace(-1, 1, 6).to(device)
"""
NAMES = "x t a b p image grid square special ids offsets"


def program(call: str) -> str:
    """A loop of training steps with a call in it."""
    given = "".join(f"{name} = model(inputs[{name!r}].to(device))\n" for name in NAMES.split())
    step = f"{given}# begin\n{call}\n# end\nloss = x.sum()\nloss.backward()\noptimizer.step()\n"
    return f"{HEAD}\nfor inputs in torch.utils.data.DataLoader(range(9)):\n{textwrap.indent(step, '    ')}"


def parts(text: str) -> tuple[str, str]:
    """What a program has got at its top, and the call."""
    top = text[: text.index("device = ")]
    call = text[text.index("# begin\n") + len("# begin\n") : text.index("    # end")]
    return top, textwrap.dedent(call)


def given(torch: Any, device: Any, values: Any, kept: Any) -> tuple[dict[str, Any], list[Any]]:
    """What the calls work on, and what of it has a gradient: numbers that one type has, in another one."""
    torch.manual_seed(0)
    nan, inf = float("nan"), float("inf")
    leaves = {
        "x": torch.randn(4, 6),
        "t": torch.randn(4, 6),
        "a": torch.randn(5, 3),
        "b": torch.randn(5, 3),
        "p": torch.rand(8),
        "w": torch.randn(12, 3),
        "image": torch.randn(2, 4, 6, 7),
        "grid": torch.rand(2, 5, 3, 2) * 2.4 - 1.2,
        "square": torch.eye(3) * 3 + torch.rand(3, 3),
    }
    leaves = {name: leaf.to(values).to(device, kept).requires_grad_() for name, leaf in leaves.items()}
    fixed = {
        "special": eval(SPECIAL, {"torch": torch, "nan": nan, "inf": inf}),
        "ids": torch.tensor([3, 1, 1, 7, 0, 11, 3, 3]),
        "offsets": torch.tensor([0, 3, 3, 7, 8]),
        "edges": torch.linspace(-1, 1, 6),
    }
    return {**leaves, **{name: value.to(device) for name, value in fixed.items()}}, list(leaves.values())


def run(text: str, device: Any, values: str = "float32", kept: str = "float32") -> dict[str, Any]:
    """What a call does: values, gradients, and the operators that ran on the host."""
    import torch
    import torch_xla
    import torch_xla.debug.metrics as metrics

    top, call = parts(text)
    names, leaves = given(torch, device, getattr(torch, values), getattr(torch, kept))
    names["device"] = device
    exec(top, names)
    torch_xla.sync()
    metrics.clear_counters()
    exec(call, names)
    y = names["y"]
    if "m" in names:
        leaves += list(names["m"].parameters())
    if y.requires_grad:
        (y * torch.linspace(0.5, 1.5, max(y.numel(), 1)).to(device)[: y.numel()].view(y.shape)).sum().backward()
    host = sorted(name for name in metrics.counter_names() if name.startswith("aten::"))
    torch_xla.sync()
    made = [y, *(leaf.grad for leaf in leaves if leaf.grad is not None)]
    return {
        "types": [str(value.dtype) for value in made],
        "shapes": [list(value.shape) for value in made],
        "values": [repr(value.detach().to_dense().cpu().double().flatten().tolist()) for value in made],
        "host": host,
    }


def kept(device: str) -> list[str]:
    """What of the snapshot that nothing is said of runs on the host, but for what a TPU has a kernel for."""
    import torch_xla
    import torch_xla.debug.metrics as metrics

    from rules.shapes.xp411_missing_lowering.recipes import recipes

    on_tpu = {f"aten::{op}" for recipe in recipes() if recipe.kernel_on for name in recipe.of for op in reached(name)}
    text = KEPT.read_text(encoding="utf-8").replace("* 64", "* 8").replace('torch.device("cuda")', device)
    torch_xla.sync()
    metrics.clear_counters()
    exec(text, {"torch_xla": torch_xla, "__name__": "kept"})
    torch_xla.sync()
    return sorted(name for name in metrics.counter_names() if name.startswith("aten::") and name not in on_tpu)


def reached(name: str) -> tuple[str, ...]:
    """The operators that a function gets to."""
    from rules.shapes.xp411_missing_lowering.lowerings import functions

    return functions()[name].operators


def main() -> None:
    """Convert each call, and run both."""
    import torch
    import torch_xla

    from xlaport import registry
    from xlaport.engine import Settings, convert
    from xlaport.rule import Applicability
    from xlaport.targets.known import target

    xla = torch_xla.device()  # before the first backward(), which counts the kinds of devices
    rules = [rule for rule in registry.load() if rule.code in ("XP411", "XP419", "XP425")]
    settings = Settings(target(), frozenset({Applicability.SAFE, Applicability.UNSAFE}))
    found: dict[str, Any] = {}
    cpu = torch.device("cpu")
    for call in [call for calls in CALLS.values() for call in calls]:
        before = program(call)
        after = convert(before, "program.py", rules, settings, "\n").text
        found[call] = {
            "rewritten": parts(after)[1] != parts(before)[1],
            "before": run(before, cpu),
            "cpu": run(after, cpu),
            "xla": run(after, xla),
        }
    for call in NARROW:
        before = program(call)
        after = convert(before, "program.py", rules, settings, "\n").text
        for name in TYPES:
            found[f"{name}: {call}"] = {
                "rewritten": parts(after)[1] != parts(before)[1],
                "exact": run(before, cpu, name),
                "cpu": run(after, cpu, name, name),
                "xla": run(after, xla, name, name),
            }
    found["kept"] = kept("torch_xla.device()")
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
