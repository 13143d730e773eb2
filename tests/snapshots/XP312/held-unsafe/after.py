import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("xla")
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.arange(64)), batch_size=8)
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def centers(out, y):
    held = out.to("cpu")
    means = torch.stack([held[y == c].mean(0) for c in torch.unique(y)])
    if len(y) > 2:
        rows = held[y > 2]
        means = means + rows.mean()
    return torch.cdist(out.detach().cpu(), means).mean()


for x, y in loader:
    out = model(x.to(device))
    loss = centers(out, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
