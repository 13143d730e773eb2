"""The returned function counts on the host, without a step."""
import torch
from torch import nn


def make_step(model, optimizer):
    seen = []

    def run(batch):
        seen.append(batch.shape)
        return len(seen)

    return run


model = nn.Linear(7, 7).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
work = [make_step(model, optimizer)]
data = torch.randn(80, 7)
for batch in data.split(8):  # never: XP201
    for job in work:  # never: XP201
        job(batch)
print("finished", len(data))
