"""Trains a model that `FullyShardedDataParallel`, or the helper of XP612, shards over processes of the CPU.

Called with the file that has the helpers, or `none`, and where to write what came of it.
"""

import functools
import os
import sys
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
import torch.distributed.checkpoint.state_dict
import torch.distributed.fsdp
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import MixedPrecision
from torch.distributed.fsdp.wrap import (
    ModuleWrapPolicy,
    always_wrap_policy,
    size_based_auto_wrap_policy,
    transformer_auto_wrap_policy,
)

code, output = Path(sys.argv[1]), Path(sys.argv[2])
is_port = code.name != "none"
given: dict[str, Any] = {}
if is_port:
    exec(code.read_text(encoding="utf-8"), given | {"torch": torch}, given)
Block = type("Block", (nn.Sequential,), {})


def listed() -> Any:
    """A module with others in a list, which nobody calls."""
    made = Listed()
    made.layers = nn.ModuleList([nn.Linear(8, 8), nn.Linear(8, 2)])
    return made


def _in_order(self: Any, x: torch.Tensor) -> torch.Tensor:
    for layer in self.layers:
        x = layer(x)
    return x


Listed = type("Listed", (nn.Module,), {"forward": _in_order})


POLICIES = {
    "no policy": None,
    "nested": None,
    "blocks": functools.partial(transformer_auto_wrap_policy, transformer_layer_cls={Block}),
    "modules": ModuleWrapPolicy({nn.Linear}),
    "always": always_wrap_policy,
    "sizes": functools.partial(size_based_auto_wrap_policy, min_num_params=200),
}
HALF = MixedPrecision(torch.bfloat16, torch.float32, torch.bfloat16)


def shards(model: nn.Module) -> list[str]:
    kinds = (FSDP, torch.distributed.fsdp.FSDPModule)
    names = [name for name, module in model.named_modules() if isinstance(module, kinds)]
    plain = (name.replace("_fsdp_wrapped_module", "").replace("..", ".").strip(".") for name in names)
    return sorted(name for name in plain if not name.endswith("layers"))  # the class wraps a list, too


def run(name: str, half: bool) -> None:
    # FullyShardedDataParallel sends weights to the others on GPUs alone: there all start from the same.
    torch.manual_seed(dist.get_rank() if is_port and name != "nested" else 0)
    blocks = [Block(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 8)) for _ in range(2)]
    model = nn.Sequential(nn.BatchNorm1d(8), *blocks, listed())
    mixed, names = HALF if half else None, {name for name, _ in model.named_parameters()}
    if is_port:
        shard = given["shard_fully"]
        options = {"mixed_precision": mixed, "sync_module_states": name != "nested", "device": torch.device("cpu")}
        for at in (1, 2) if name == "nested" else ():
            model[at] = shard(model[at], **options)
        model = shard(model, auto_wrap_policy=POLICIES[name], **options)
    else:
        options = {"mixed_precision": mixed, "device_id": torch.device("cpu"), "use_orig_params": True}
        for at in (1, 2) if name == "nested" else ():
            model[at] = FSDP(model[at], **options)
        model = FSDP(model, auto_wrap_policy=POLICIES[name], **options)
    lines.append(f"{name} {half} {shards(model)}")
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    torch.manual_seed(7 + dist.get_rank())
    for _ in range(4):
        loss = model(torch.randn(4, 8)).float().square().mean()
        loss.backward()
        if is_port:
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0).full_tensor()
        else:
            norm = model.clip_grad_norm_(1.0)
        optimizer.step()
        optimizer.zero_grad()
        lines.append(f"{name} {half} {loss.item():.6f} {norm.item():.5f}")
    if is_port:
        gather = given["whole_state_dict"]
        whole, first = gather(model), gather(model, first_only=True)
        assert list(first) == (list(whole) if dist.get_rank() == 0 else [])
        weights = {key: value for key, value in whole.items() if key in names}
    else:
        with FSDP.summon_full_params(model):  # state_dict() gives what is freed again, on the CPU
            named = [(key.replace("_fsdp_wrapped_module.", ""), value) for key, value in model.named_parameters()]
            weights = {key: value.detach().clone() for key, value in named}
    lines.append(f"{name} {half} {[(key, tuple(value.shape)) for key, value in weights.items()]}")
    lines.extend(f"{name} {half} {key} {value.float().sum().item():.4f}" for key, value in weights.items())


lines: list[str] = []
dist.init_process_group("gloo")
for policy in POLICIES:
    run(policy, half=False)
    run(policy, half=True)
output.with_suffix(f".{os.environ['RANK']}").write_text("\n".join(lines), encoding="utf-8")
dist.destroy_process_group()
