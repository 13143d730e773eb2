"""What people got wrong in ports by hand (porting.md, 2.4): each is found where it stands in the input."""

from __future__ import annotations

import pytest

from xlaport import engine, registry
from xlaport.targets.known import target

_HEAD = """
import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.xla_multiprocessing as xmp
import torch_xla.runtime as xr
from torch.utils.data import DataLoader, DistributedSampler

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)

    def forward(self, x):
        return self.layer(x)

def evaluate(model, loader, device):
    with torch.no_grad():
        return [model(x.to(device)).mean() for x in loader]

def train(index, data):
    device = xm.xla_device()
    rank = xr.global_ordinal()
    sampler = DistributedSampler(data, num_replicas=xr.world_size(), rank=rank)
    model = Net().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(data, batch_size=8, sampler=sampler, drop_last=True)
    for epoch in range(3):
{}

if __name__ == "__main__":
    xmp.spawn(train, args=(load(),))
"""
_STEP = """
for x in pl.MpDeviceLoader(loader, device):
    optimizer.zero_grad()
    loss = model(x).mean()
    loss.backward()
    xm.optimizer_step(optimizer)
"""

MISTAKES = {
    "clip before the gradients are reduced": (
        "XP602",
        _STEP.replace("    xm.opt", "    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n    xm.opt"),
    ),
    "the wrapper is gone, and .module is left": ("XP707", f'{_STEP}\nxm.save(model.module.state_dict(), "model.pt")'),
    "an evaluation of the master alone": (
        "XP607",
        f"{_STEP}\nif xm.is_master_ordinal():\n    print(evaluate(model, loader, device))",
    ),
    "a save of the master alone": (
        "XP703",
        f'{_STEP}\nif rank == 0:\n    xm.save(model.state_dict(), "model.pt")',
    ),
    "xm.load, which never was": ("XP903", f'{_STEP}\nmodel.load_state_dict(xm.load("model.pt"))'),
    "a function that is compared with True": (
        "XP706",
        f'{_STEP}\nif xm.is_master_ordinal == True:\n    print("saved")',
    ),
    "a generator that is saved": ("XP702", f'{_STEP}\ntorch.save(model.parameters(), "model.pt")'),
    "a wrapper of the loader in each epoch, with threads that stay": (
        "XP213",
        _STEP.replace("    xm.opt", "    if loss.isnan():\n        break\n    xm.opt"),
    ),
    "a barrier between the backward pass and the step": (
        "XP207",
        _STEP.replace("    xm.opt", "    xm.mark_step()\n    xm.opt"),
    ),
    "a mask that is multiplied with": (
        "XP426",
        _STEP.replace("loss = model(x)", "mask = x < 0\n    x = x * ~mask + float('-inf') * mask\n    loss = model(x)"),
    ),
    "errors that are swallowed": (  # the handler for everything is the mistake that is planted
        "XP209",
        "for x in pl.MpDeviceLoader(loader, device):\n    try:\n        optimizer.zero_grad()\n"
        "        loss = model(x).mean()\n        loss.backward()\n        xm.optimizer_step(optimizer)\n"
        "    except Exception:\n        continue",
    ),
    "a number that is read in each step": ("XP305", f"{_STEP}    print(loss.item())"),
}


def codes(text: str) -> set[str]:
    """The rules that speak of a program as it is."""
    findings = engine.convert(text, "train.py", registry.load(), engine.Settings(target(), frozenset())).findings
    return {finding.code for finding in findings}


@pytest.mark.parametrize("name", MISTAKES)
def test_the_mistake_is_found(name: str) -> None:
    code, body = MISTAKES[name]
    text = _HEAD.format("\n".join(f"        {line}" for line in body.splitlines()))
    clean = _HEAD.format("\n".join(f"        {line}" for line in _STEP.splitlines()))
    assert code in codes(text)
    assert code not in codes(clean)


def test_replicas_without_a_sampler_are_found() -> None:
    text = _HEAD.format("\n".join(f"        {line}" for line in _STEP.splitlines()))
    unshared = text.replace("    sampler = DistributedSampler(data, num_replicas=xr.world_size(), rank=rank)\n", "")
    unshared = unshared.replace("sampler=sampler", "shuffle=True").replace(", DistributedSampler", "")
    assert "XP608" in codes(unshared)
    assert "XP608" not in codes(text)
