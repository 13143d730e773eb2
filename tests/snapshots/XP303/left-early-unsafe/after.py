import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)


def train():
    total = torch.tensor([0.0], device=device)
    for i, x in enumerate(loader):
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        total += loss.detach()
        if i == 100:
            return total.item() / i
        if i > 50 and x.sum() == 0:
            break
    return total.item() / len(loader)
