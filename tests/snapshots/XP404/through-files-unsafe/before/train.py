import torch
from torch import nn

from losses import focal
from tables import Schedule

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
schedule = Schedule(torch.linspace(0, 1, 1000, device=device))


def run(loader):
    for step, batch in enumerate(loader):
        out = model(batch.to(device))
        loss = focal(out, step / 1000) * schedule.weight(step)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
