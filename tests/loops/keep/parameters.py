"""Loops over parameters: counting, freezing, initialising, copying, clipping by hand."""

import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2)).to(device)
target = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2)).to(device)

total = 0
for p in model.parameters():
    total += p.numel()
print(f"{total} parameters")
for name, p in model.named_parameters():
    if name.startswith("0."):
        p.requires_grad = False
for m in model.modules():
    if isinstance(m, nn.Linear):
        nn.init.xavier_uniform_(m.weight)
        nn.init.zeros_(m.bias)
for t, p in zip(target.parameters(), model.parameters()):
    t.data.copy_(p.data)
model(torch.randn(4, 8).to(device)).sum().backward()
norm = 0.0
for p in model.parameters():
    if p.grad is not None:
        norm += p.grad.norm() ** 2
for p in model.parameters():
    if p.grad is not None:
        p.grad.mul_(1.0 / (norm.sqrt() + 1e-6))
