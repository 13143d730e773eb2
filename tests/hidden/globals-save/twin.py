"""The global dict keeps host copies, which are saved."""
import torch
from torch import nn

BEST = {}


def remember(module):
    BEST.clear()
    for name, value in module.state_dict().items():
        BEST[name] = value.detach().cpu().clone()


def finish(path):
    torch.save(BEST, path)  # never: XP702


model = nn.Linear(4, 4).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(5):
    for _ in range(4):
        loss = model(torch.randn(8, 4).cuda()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    remember(model)
finish("/tmp/hidden_best.pt")
