"""Weights that are tied again right behind the move, before the optimizer is built."""
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.ModuleDict({"embedding": nn.Embedding(16, 8), "head": nn.Linear(8, 16, bias=False)})
model["head"].weight = model["embedding"].weight
model.to(device)
model["head"].weight = model["embedding"].weight
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(30):
    tokens = torch.randint(16, (4, 6)).to(device)
    optimizer.zero_grad()
    nn.functional.cross_entropy(model["head"](model["embedding"](tokens)).flatten(0, 1), tokens.flatten()).backward()
    optimizer.step()
    torch_xla.sync()
