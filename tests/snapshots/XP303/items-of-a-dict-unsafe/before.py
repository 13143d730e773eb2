import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)


def train_step(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return {"loss": loss.item(), "most": out.max().item()}


def train():
    totals = {"loss": 0.0, "most": 0.0}
    values = []
    for step, x in enumerate(loader):
        for name, value in train_step(x).items():
            totals[name] += value
        metrics = train_step(x)
        for name, value in metrics.items():
            values.append(value)
            if step % 10 == 0:
                print(name, value)
    return totals, values


print(train())
