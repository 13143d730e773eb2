"""A function moves the module-level model after the optimizer was built."""
import torch
from torch import nn

policy = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))
reference = nn.Linear(4, 2)
learner = torch.optim.Adam(policy.parameters(), lr=1e-2)  # wants: XP203


def prepare():
    for name in ("policy", "reference"):
        globals()[name].cuda()


def update(batch):
    with torch.no_grad():
        old = reference(batch).log_softmax(-1)
    loss = (policy(batch).log_softmax(-1) - old).pow(2).mean()
    learner.zero_grad()
    loss.backward()
    learner.step()
    return loss


prepare()
for _ in range(10):
    result = update(torch.randn(8, 4).cuda())
print(result.item())
