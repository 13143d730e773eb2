"""What `verify --tpu` says of known models: one training step each, traced by shapes alone, and compiled for chips.

Nothing runs, so that neither weights nor memory for them are needed. Prints the tables of `docs/tpu-models.md`: a model
whose step somebody has measured on a slice is not compiled, its work for the matrix unit is set beside that step.

    python -m benchmarks.tpu_models v5e v6e
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xlaport.caching.store import Store, folder
from xlaport.report.on_chip import size, speed
from xlaport.tpu.chips import chip_of
from xlaport.tpu.compiler import Compiler
from xlaport.tpu.costs import costs_of
from xlaport.tpu.matrix import products
from xlaport.tpu.memory import Roles, memory
from xlaport.tpu.module import read_module
from xlaport.tpu.origins import Origins
from xlaport.tpu.program import read_program
from xlaport.tpu.refusal import read_refusal
from xlaport.tpu.work import work_of
from xlaport.verify.wire import encoded

_MODULE, _DONORS, _ENTRY, _PARAMETER = 1, 18, 1, 1
"""Fields of XLA's messages: of a dump, of a module, of its donors, of one of them."""


@dataclass(frozen=True)
class Measured:
    """What a source gives for a step on a chip of a slice, in seconds."""

    chip: str
    seconds: float


@dataclass(frozen=True)
class Step:
    """A model with its batch: `loss` computes it of the model and the inputs, whose shapes and types these are."""

    name: str
    model: Callable[[], Any]
    inputs: tuple[tuple[tuple[int, ...], str], ...]
    loss: Callable[..., Any]
    measured: Measured | None = None


def steps() -> Iterator[Step]:
    """The models, each with the batch that the table names."""
    import torch
    from torch import nn
    from torch.nn import functional
    from torchvision.models import resnet50

    class Attention(nn.Module):
        def __init__(self, width: int, heads: int, groups: int, bias: bool) -> None:
            super().__init__()
            self.heads, self.groups, self.size = heads, groups, width // heads
            self.inner = nn.Linear(width, (heads + 2 * groups) * self.size, bias=bias)
            self.outer = nn.Linear(width, width, bias=bias)

        def forward(self, x: Any) -> Any:
            batch, length, width = x.shape
            split = [self.heads * self.size, self.groups * self.size, self.groups * self.size]
            q, k, v = (
                part.view(batch, length, -1, self.size).transpose(1, 2) for part in self.inner(x).split(split, dim=-1)
            )
            k, v = (part.repeat_interleave(self.heads // self.groups, dim=1) for part in (k, v))
            y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            return self.outer(y.transpose(1, 2).reshape(batch, length, width))

    class Gated(nn.Module):
        def __init__(self, width: int, inner: int) -> None:
            super().__init__()
            self.gate, self.up = nn.Linear(width, inner, bias=False), nn.Linear(width, inner, bias=False)
            self.down = nn.Linear(inner, width, bias=False)

        def forward(self, x: Any) -> Any:
            return self.down(functional.silu(self.gate(x)) * self.up(x))

    class Block(nn.Module):
        def __init__(self, attention: nn.Module, inner: nn.Module, norm: Callable[[], nn.Module]) -> None:
            super().__init__()
            self.first, self.attention, self.second, self.inner = norm(), attention, norm(), inner

        def forward(self, x: Any) -> Any:
            x = x + self.attention(self.first(x))
            return x + self.inner(self.second(x))

    class Decoder(nn.Module):
        def __init__(
            self, tokens: int, width: int, places: int, blocks: list[nn.Module], norm: nn.Module, tied: bool = True
        ) -> None:
            super().__init__()
            self.table = nn.Embedding(tokens, width)
            self.head = self.table.weight if tied else nn.Parameter(torch.zeros(tokens, width))
            self.places = nn.Parameter(torch.zeros(places, width)) if places else None
            self.blocks, self.norm = nn.ModuleList(blocks), norm

        def forward(self, tokens: Any) -> Any:
            x = self.table(tokens)
            x = x if self.places is None else x + self.places
            for block in self.blocks:
                x = block(x)
            return functional.linear(self.norm(x), self.head)

    def gpt2() -> nn.Module:
        def inner() -> nn.Module:
            return nn.Sequential(nn.Linear(768, 3072), nn.GELU(approximate="tanh"), nn.Linear(3072, 768))

        blocks = [Block(Attention(768, 12, 12, True), inner(), lambda: nn.LayerNorm(768)) for _ in range(12)]
        return Decoder(50304, 768, 1024, blocks, nn.LayerNorm(768))

    def llama(layers: int, width: int, inner: int, tied: bool) -> nn.Module:
        blocks = [
            Block(Attention(width, 32, 8, False), Gated(width, inner), lambda: nn.RMSNorm(width)) for _ in range(layers)
        ]
        return Decoder(128256, width, 0, blocks, nn.RMSNorm(width), tied)

    def next_token(model: Any, tokens: Any, targets: Any) -> Any:
        return functional.cross_entropy(model(tokens).flatten(0, 1).float(), targets.flatten())

    def classes(model: Any, images: Any, labels: Any) -> Any:
        return functional.cross_entropy(model(images).float(), labels)

    yield Step("GPT-2 124M, 8 x 1,024 tokens", gpt2, (((8, 1024), "int64"), ((8, 1024), "int64")), next_token)
    yield Step(
        "ResNet-50, 128 images of 224 x 224", resnet50, (((128, 3, 224, 224), "float32"), ((128,), "int64")), classes
    )
    tokens = ((2, 1024), "int64")
    yield Step("Llama 1B, 2 x 1,024 tokens", lambda: llama(16, 2048, 8192, True), (tokens, tokens), next_token)
    # MaxText's recipe for v6e-8 of August 2026: its last line is a step of 196,608 tokens on 8 chips.
    tokens, measured = ((3, 8192), "int64"), Measured("v6e", 3.443)
    yield Step(
        "Llama 3.1 8B, 3 x 8,192 tokens",
        lambda: llama(32, 4096, 14336, False),
        (tokens, tokens),
        next_token,
        measured,
    )


def traced(step: Step) -> bytes:
    """The dump of a training step with AdamW under autocast to bfloat16, whose state is there already."""
    import _XLAC
    import torch
    import torch_xla
    from torch_xla.core.xla_builder import create_placeholder_tensor as placeholder

    _XLAC._set_ir_debug(True)
    device = torch_xla.device()
    with torch.device("meta"):
        model = step.model()
    for inner in model.modules():
        for name, weight in list(inner._parameters.items()):
            if weight is not None:
                inner._parameters[name] = torch.nn.Parameter(placeholder(weight.shape, weight.dtype))
        for name, buffer in list(inner._buffers.items()):
            if buffer is not None:
                inner._buffers[name] = placeholder(buffer.shape, buffer.dtype)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, capturable=True)
    for weight in model.parameters():
        sizes = weight.shape
        state = {"exp_avg": placeholder(sizes, weight.dtype), "exp_avg_sq": placeholder(sizes, weight.dtype)}
        optimizer.state[weight] = {"step": placeholder((), torch.float32), **state}
    inputs = [placeholder(sizes, getattr(torch, kind)) for sizes, kind in step.inputs]
    with torch.autocast(device.type, dtype=torch.bfloat16):
        loss = step.loss(model, *inputs)
    loss.backward()
    optimizer.step()
    states = [value for state in optimizer.state.values() for value in state.values()]
    made = [loss, *model.parameters(), *states, *model.buffers()]
    module = _XLAC._get_xla_tensors_hlo_proto(made)
    return encoded([(_MODULE, module + _donors(module, {tuple(sizes) for sizes, _ in step.inputs}))])


def _donors(module: bytes, inputs: set[tuple[int, ...]]) -> bytes:
    """That all arguments but the batch hand their memory on, as they do where torch_xla runs the step."""
    from xlaport.verify.graphs import read_module

    sizes = [node.shape.partition("[")[2].rstrip("]") for node in read_module(module).inputs]
    places = [place for place, text in enumerate(sizes) if tuple(map(int, filter(None, text.split(",")))) not in inputs]
    entries = [(_ENTRY, encoded([(_PARAMETER, place)])) for place in places]
    return encoded([(_DONORS, encoded(entries))])


def main() -> None:
    """Compile each model for each chip, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("chips", nargs="*", default=["v5e", "v6e"])
    parser.add_argument("--timeout", type=float, default=3600.0)
    parser.add_argument("--only", help="a part of the name of the models")
    options = parser.parse_args()
    compiler = Compiler(sys.executable, Store(folder()), options.timeout)
    for step in steps():
        if options.only and options.only not in step.name:
            continue
        dump = traced(step)
        if step.measured:
            chip = chip_of(step.measured.chip)
            flops = sum(item.flops for item in products(read_module(dump), chip.side, {}))
            bound = flops / chip.flops
            print(f"## {step.name}: {chip.name}; measured {step.measured.seconds} s")
            print(
                f"{flops / 1e12:.0f} TFLOP; {bound:.2f} s at best; {step.measured.seconds / bound:.2f} times",
                flush=True,
            )
            continue
        origins = Origins(dump)
        for chip in map(chip_of, options.chips):
            compiled = compiler.compiled(dump, chip, step.name)
            print(f"## {step.name}: {chip.name}", flush=True)
            if compiled.error:
                why = read_refusal(compiled.error, origins)
                print(f"refused: {size(why.wanted)} of {size(chip.usable)}; {why.why}", flush=True)
                continue
            program = read_program(compiled.dump)
            taken = memory(compiled, program, origins, Roles(None), [])
            print(f"compiled in {compiled.seconds:.0f} s; {size(taken.peak)} of {size(chip.usable)} at its peak")
            print(speed(work_of(dump, program, chip)))
            for cost in costs_of(dump, program, chip)[:4]:
                print(f"- {Path(cost.site.path).name if cost.site else ''}: {cost.reason}")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
