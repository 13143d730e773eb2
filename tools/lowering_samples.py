"""Runs the samples that torch tests its functions and modules with, on XLA: the process behind `measure_lowerings`.

Reads requests as lines of JSON and writes lines of JSON. A sample is a call that torch's own tests make, forward and
backward; the answer says which operators ran on the host, and whether the gradients are those of the CPU.
"""

from __future__ import annotations

import copy
import functools
import itertools
import json
import os
import sys
import types
import unittest
from collections.abc import Callable, Iterable, Iterator
from typing import Any

# Nothing of what is compiled counts, and what the host is given has to be compiled.
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true")

import torch
import torch_xla
import torch_xla.debug.metrics as met
from torch.utils._pytree import tree_flatten, tree_map

AT_MOST = 24
"""How many samples of one kind are run."""
DTYPES = (torch.float32, torch.int64, torch.bool)

FURTHER = {
    "torch.Tensor.is_nonzero": ["(x > 9).any().is_nonzero()"],
    "torch.celu": ["torch.celu(x)"],
    "torch.conv_tbc": ["torch.conv_tbc(rand(5, 2, 3), rand(2, 3, 4), rand(4))"],
    "torch.distributions.Beta": ["torch.distributions.Beta(p, p, validate_args=False).rsample()"],
    "torch.distributions.Dirichlet": ["torch.distributions.Dirichlet(p, validate_args=False).rsample()"],
    "torch.distributions.Gamma": ["torch.distributions.Gamma(p, p, validate_args=False).rsample()"],
    "torch.distributions.Poisson": ["torch.distributions.Poisson(p, validate_args=False).sample()"],
    "torch.embedding_bag": ["torch.embedding_bag(x, ids, ids * 0)"],
    "torch.istft": ["torch.istft(torch.view_as_complex(rand(9, 5, 2)), 16)"],
    "torch.nn.AdaptiveLogSoftmaxWithLoss": [
        "made(torch.nn.AdaptiveLogSoftmaxWithLoss(6, 20, [5, 10]))(x, ids.long() % 20).loss"
    ],
    "torch.nn.ChannelShuffle": ["torch.nn.ChannelShuffle(2)(image)"],
    "torch.nn.EmbeddingBag": [
        f'made(torch.nn.EmbeddingBag(8, 3, mode="{mode}"))(ids.view(2, 2))' for mode in ("sum", "mean", "max")
    ],
    "torch.nn.Embedding": ["made(torch.nn.Embedding(8, 3, max_norm=1.0))(ids)"],
    "torch.nn.Fold": ["torch.nn.Fold((4, 4), 2)(rand(1, 8, 9))"],
    "torch.nn.MaxUnpool2d": ["torch.nn.MaxUnpool2d(2)(*torch.nn.MaxPool2d(2, return_indices=True)(image))"],
    "torch.nn.PairwiseDistance": ["torch.nn.PairwiseDistance()(x, x + 1)"],
    "torch.nn.RReLU": ["torch.nn.RReLU()(x)"],
    "torch.nn.TripletMarginLoss": ["torch.nn.TripletMarginLoss()(x, x + 1, x * 2)"],
    "torch.nn.Unfold": ["torch.nn.Unfold(2)(image)"],
    "torch.nn.Upsample": [
        "torch.nn.Upsample(scale_factor=2)(image)",
        'torch.nn.Upsample(scale_factor=2, mode="bilinear")(image)',
        'torch.nn.Upsample(scale_factor=2, mode="bicubic")(image)',
    ],
    "torch.nn.UpsamplingBilinear2d": ["torch.nn.UpsamplingBilinear2d(scale_factor=2)(image)"],
    "torch.nn.UpsamplingNearest2d": ["torch.nn.UpsamplingNearest2d(scale_factor=2)(image)"],
    "torch.nn.functional.fold": ["torch.nn.functional.fold(rand(1, 8, 9), (4, 4), 2)"],
    "torch.nn.functional.gumbel_softmax": ["torch.nn.functional.gumbel_softmax(x, hard=True)"],
    "torch.nn.functional.lp_pool2d": ["torch.nn.functional.lp_pool2d(image, 2.0, 2)"],
    "torch.nn.utils.parametrizations.spectral_norm": [
        "made(torch.nn.utils.parametrizations.spectral_norm(torch.nn.Linear(6, 3)))(x)"
    ],
    "torch.nn.utils.parametrizations.weight_norm": [
        "made(torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(6, 3)))(x)"
    ],
    "torch.nn.utils.spectral_norm": ["made(torch.nn.utils.spectral_norm(torch.nn.Linear(6, 3)))(x)"],
    "torch.nn.utils.weight_norm": ["made(torch.nn.utils.weight_norm(torch.nn.Linear(6, 3)))(x)"],
    "torch.poisson": ["torch.poisson(p)"],
    "torch.selu": ["torch.selu(x)"],
    "torch.special.gammainc": ["torch.special.gammainc(p, p)"],
    "torch.special.gammaincc": ["torch.special.gammaincc(p, p)"],
    "torch.tril_indices": ["torch.tril_indices(3, 3, device=device)"],
    "torch.triu_indices": ["torch.triu_indices(3, 3, device=device)"],
    "torch.view_as_complex": ["torch.view_as_complex(rand(3, 2))"],
    "torch.view_as_real": ["torch.view_as_real(torch.view_as_complex(rand(3, 2)))"],
}
"""Calls of public functions and modules that torch has no samples for."""


class Samples:
    """All samples, by what they are of."""

    def __init__(self) -> None:
        # torch's tests take their base class from a package that nothing else needs.
        stand_in = types.ModuleType("expecttest")
        vars(stand_in)["TestCase"] = unittest.TestCase
        sys.modules.setdefault("expecttest", stand_in)
        from torch.testing._internal.common_methods_invocations import op_db
        from torch.testing._internal.common_modules import module_db

        self.device = torch_xla.device()
        self.functions: dict[str, list[Any]] = {}
        for info in op_db:
            if (known := public(info.name)) is not None:
                self.functions.setdefault(known, []).append(info)
        self.modules: dict[str, Any] = {}
        for info in module_db:
            name = getattr(info.module_cls, "__name__", "")
            if getattr(torch.nn, name, None) is info.module_cls:
                self.modules[f"torch.nn.{name}"] = info

    def names(self) -> list[tuple[str, str]]:
        """What there are samples of."""
        kinds = (("function", self.functions), ("module", self.modules), ("code", FURTHER))
        return [(kind, name) for kind, names in kinds for name in names]

    def of(self, kind: str, name: str, skip: int) -> Iterator[dict[str, Any]]:
        """What becomes of the samples of one name, those left out that are done."""
        yield from itertools.islice(getattr(self, f"_{kind}")(name, itertools.count(), skip), None)

    def _function(self, name: str, number: Iterator[int], skip: int) -> Iterator[dict[str, Any]]:
        for info in self.functions[name]:
            also = sorted({other for alias in info.aliases if (other := public(alias.name)) is not None} - {name})
            others = (alias.method_variant for alias in info.aliases if alias.method_variant is not None)
            method = info.method_variant or info.inplace_variant or next(others, None)
            called = getattr(method, "__name__", "").strip("_")
            named = {"method": called if called.isidentifier() else "", "also": also}
            for dtype in DTYPES:
                if dtype not in info.supported_dtypes("cpu"):
                    continue
                differentiates = dtype is torch.float32 and info.supports_autograd
                torch.manual_seed(0)
                try:
                    given = spread(info.sample_inputs("cpu", dtype, requires_grad=differentiates))
                except (RuntimeError, ValueError):
                    continue
                for sample in given:
                    if next(number) < skip:
                        continue
                    found = self._run(functools.partial(apply, info.op), (sample.input, *sample.args), sample.kwargs)
                    yield {**found, **named}

    def _module(self, name: str, number: Iterator[int], skip: int) -> Iterator[dict[str, Any]]:
        info = self.modules[name]
        for training in (True, False):
            torch.manual_seed(0)
            try:
                made = info.module_inputs_func(
                    info, device="cpu", dtype=torch.float32, requires_grad=True, training=training
                )
            except (RuntimeError, ValueError):
                continue
            for sample in spread(made):
                if sample.forward_input is None or next(number) < skip:
                    continue
                given = sample.constructor_input
                module = info.module_cls(*given.args, **given.kwargs).train(training)
                modules = [module, copy.deepcopy(module).to(self.device)]
                forward = sample.forward_input
                yield self._run(functools.partial(apply_next, modules), tuple(forward.args), forward.kwargs)

    def _code(self, name: str, number: Iterator[int], skip: int) -> Iterator[dict[str, Any]]:
        for code in FURTHER[name]:
            if next(number) < skip:
                continue

            def run(arguments: tuple[Any, ...], _: object, code: str = code) -> Any:
                device = arguments[0].device
                names = {
                    "torch": torch,
                    "device": device,
                    "x": arguments[0],
                    "p": arguments[0].detach().sigmoid(),
                    "image": arguments[1],
                    "ids": arguments[2],
                    "rand": lambda *size: torch.rand(*size).to(device).requires_grad_(),
                    "made": lambda module: module.to(device),
                }
                return eval(code, names)

            torch.manual_seed(0)
            x, image = torch.randn(4, 6, requires_grad=True), torch.randn(1, 4, 6, 6, requires_grad=True)
            yield self._run(run, (x, image, torch.tensor([1, 3, 2, 1])), {})

    def _run(self, call: Callable[[Any, Any], Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """Run one sample on the CPU, to see that it makes sense, and on XLA."""
        try:
            right = moved((args, kwargs), torch.device("cpu"))
            wanted = call(*right)
            differentiated = backward(wanted)
        except Exception:  # a sample may be anything
            return {"error": "on the CPU"}
        try:
            given = moved((args, kwargs), self.device)
            torch_xla.sync()
            met.clear_counters()
            result = call(*given)
            forward = counted()
            met.clear_counters()
            if differentiated:
                backward(result)
            undone = counted() if differentiated else None
            results, operands = (wanted, result), (right, given)
            return {"forward": forward, "backward": undone, "differs": differentiated and differs(results, operands)}
        except Exception as error:  # as an operation without elements may raise
            return {"error": f"{type(error).__name__}: {str(error).partition(chr(10))[0][:160]}"}


def apply(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function."""
    return function(*args, **kwargs)


def apply_next(functions: list[Callable[..., Any]], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call the module on the CPU, and then the one on the device."""
    return functions.pop(0)(*args, **kwargs)


def public(name: str) -> str | None:
    """The qualified name of a function that torch's tests know by another; None where it is not public."""
    parts = name.removeprefix("torch.").split(".")
    if any(part.startswith("_") for part in parts):
        return None
    for prefix, root in (("torch", torch), ("torch.Tensor", torch.Tensor)):
        value: Any = root
        for part in parts:
            value = getattr(value, part, None)
        if callable(value):
            return f"{prefix}.{'.'.join(parts)}"
        if callable(getattr(value, f"{parts[-1]}_", None)) or callable(getattr(root, f"{name}_", None)):
            return f"{prefix}.{name}_"
    return None


def spread(samples: Iterable[Any]) -> list[Any]:
    """Some of the samples, all over the list."""
    found = list(itertools.islice(samples, 400))
    return [found[i * len(found) // AT_MOST] for i in range(AT_MOST)] if len(found) > AT_MOST else found


def moved(values: Any, device: torch.device) -> Any:
    """The tensors among the values on a device, each a leaf of its own."""

    def move(value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        copied = value.detach().clone().to(device)
        return copied.requires_grad_() if value.requires_grad else copied

    return tree_map(move, values)


def backward(result: Any) -> bool:
    """Differentiate the sum of what came out; whether there was anything to differentiate."""
    found = [t for t in tree_flatten(result)[0] if isinstance(t, torch.Tensor) and t.requires_grad]
    sums = [t.sum() for t in found if t.is_floating_point()]
    if sums:
        torch.autograd.backward(sums)
    return bool(sums)


def differs(results: tuple[Any, Any], operands: tuple[Any, Any]) -> bool:
    """Whether the gradients of two calls differ although their results do not."""
    values = [[value.detach() for value in tensors(result)] for result in results]
    gradients = [[value.grad for value in tensors(operand)] for operand in operands]
    try:
        return are_near(*values) and not are_near(*gradients)
    except RuntimeError:  # what was traced may not run
        return False


def are_near(right: list[Any], found: list[Any]) -> bool:
    """Whether tensors, or what there is of them, are the same up to what a kernel may round."""
    for one, other in zip(right, found, strict=True):
        if one is None or other is None or one.is_sparse or other.is_sparse or not one.is_floating_point():
            continue
        known = one.isfinite()
        if one.shape != other.shape or not torch.allclose(one[known], other.cpu()[known], rtol=0.02, atol=0.001):
            return False
    return True


def tensors(values: Any) -> list[torch.Tensor]:
    """The tensors among some values."""
    return [value for value in tree_flatten(values)[0] if isinstance(value, torch.Tensor)]


def counted() -> list[str]:
    """The operators that ran on the host since the counters were cleared."""
    return sorted(name.removeprefix("aten::") for name in met.counter_names() if name.startswith("aten::"))


def dispatched() -> dict[str, list[str]]:
    """The operators whose kernel for XLA is the fallback, by whether the host has one."""
    found: dict[str, list[str]] = {"host": [], "missing": []}
    for name in torch._C._dispatch_get_all_op_names():
        if name.startswith("aten::"):
            table = torch._C._dispatch_dump_table(name).splitlines()
            kernel = next(line for line in table if line.startswith("XLA:"))
            if "fallback" in kernel:
                has = torch._C._dispatch_has_kernel_for_dispatch_key(name, "CPU")
                found["host" if has else "missing"].append(name.removeprefix("aten::"))
    return {key: sorted(names) for key, names in found.items()}


def main() -> None:
    """Answer the requests."""
    samples = Samples()
    out, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        request = json.loads(line)
        answers: Iterable[Any]
        match request["kind"]:
            case "names":
                answers = [samples.names()]
            case "operators":
                answers = [dispatched()]
            case "versions":
                answers = [{"torch": torch.__version__.partition("+")[0], "torch_xla": torch_xla.__version__}]
            case kind:
                answers = itertools.chain(samples.of(kind, request["name"], request["skip"]), ["end"])
        for answer in answers:
            out.write(json.dumps(answer) + "\n")
            out.flush()


if __name__ == "__main__":
    main()
