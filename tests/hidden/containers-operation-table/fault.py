"""A table of operations gives torch.unique for tensors of the device."""
import torch
from torch import nn

OPERATIONS = {"classes": torch.unique, "order": lambda t: torch.sort(t).values}
model = nn.Linear(4, 10).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def centers(kind, labels):
    return OPERATIONS[kind](labels)  # wants: XP412


for step in range(14):
    x = torch.randn(12, 4).cuda()
    labels = torch.randint(10, (12,)).cuda()
    present = centers("classes", labels)
    logits = model(x)
    loss = nn.functional.cross_entropy(logits, labels) + logits.index_select(1, present).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
