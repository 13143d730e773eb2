import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def fit(loader, table: torch.Tensor):
    total_steps = 0
    for epoch in range(10):
        for batch in loader:
            x = batch.to(device)
            loss = model(x).mean() * table[total_steps]
            loss = loss + torch.roll(x, epoch, 0).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total_steps += 1
