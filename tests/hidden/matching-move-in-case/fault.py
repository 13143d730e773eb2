"""A match on a command's parts moves the model that it captures, after the optimizer was built."""
import torch
from torch import nn


def perform(command):
    match command:
        case ("place", nn.Module() as target, str() as where):
            target.to(where)
        case ("freeze", nn.Module() as target, *_):
            target.requires_grad_(False)
        case _:
            raise ValueError(command)


body = nn.Linear(10, 10)
head = nn.Linear(10, 2)
perform(("place", body, "cuda"))
perform(("freeze", body))
optimizer = torch.optim.SGD(head.parameters(), lr=0.1, momentum=0.9)  # wants: XP203
perform(("place", head, "cuda"))
criterion = nn.CrossEntropyLoss()
for step in range(25):
    x = torch.randn(8, 10, device="cuda")
    y = (x.sum(1) > 0).long()
    loss = criterion(head(body(x)), y)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
print(loss.item())
