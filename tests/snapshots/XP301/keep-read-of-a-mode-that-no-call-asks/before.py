import torch
from torch import nn


def hits(logits, labels, mode="mean"):
    right = (logits.argmax(-1) == labels).float()
    if mode == "mean":
        return right.mean().item()
    elif mode in ("sum", "total"):
        return right.sum().item()
    return right


device = torch.device("cuda")
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
labels = torch.zeros(4, dtype=torch.long, device=device)
total = torch.zeros(4, device=device)
for step in range(100):
    logits = model(torch.rand(4, 8, device=device))
    total += hits(logits.detach(), labels, mode="none")
    loss = nn.functional.cross_entropy(logits, labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
