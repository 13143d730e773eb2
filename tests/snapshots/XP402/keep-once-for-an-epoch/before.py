import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def fit(loader):
    curve = torch.zeros(0, device=device)
    for epoch in range(10):
        for batch in loader:
            loss = model(batch.to(device)).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        curve = torch.cat([curve, loss.detach()[None]])
    return curve
