"""Gradients of two batches each for a step, clipped."""

import torch
from torch import nn

torch.manual_seed(0)
device = torch.accelerator.current_accelerator()
model = nn.Sequential(nn.Embedding(32, 16), nn.Flatten(), nn.Linear(64, 4)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
for batch in range(16):
    tokens, labels = torch.randint(0, 32, (8, 4)), torch.randint(0, 4, (8,))
    loss = nn.functional.cross_entropy(model(tokens.to(device)), labels.to(device)) / 2
    loss.backward()
    if batch % 2:
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
