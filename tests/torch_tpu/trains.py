"""Trains on the device that is named, and prints each loss: for `test_playing`."""

import os
import sys
import threading

import torch
from torch import nn

device, compiled = sys.argv[1], len(sys.argv) > 2
torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(144, 4)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
run = torch.compile(model) if compiled and device != "cpu" else model


def read_in_a_thread(loss: torch.Tensor) -> None:
    threading.Thread(target=loss.item).start()


for _ in range(12):
    images, labels = torch.randn(8, 3, 8, 8).to(device), torch.randint(0, 4, (8,)).to(device)
    loss = nn.functional.cross_entropy(run(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    read_in_a_thread(loss.detach())
    print(f"loss {loss.item():.9f}")
print("memory", device == "cpu" or torch.accelerator.memory_allocated() <= 0)
print("unique", torch.unique(torch.tensor([3, 1, 3]).to(device)).shape[0])
print("pinned", torch.zeros(2).pin_memory().sum().item() if device != "cpu" else 0.0)
print("worker", os.getpid() > 0)
