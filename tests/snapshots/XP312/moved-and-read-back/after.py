import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("xla")
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.arange(64)), batch_size=8)
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def balanced(out, target, weights=None):
    classes = torch.unique(target.to("cpu"))
    counts = [int((target.cpu() == c).sum()) for c in classes]
    return out.mean() * len(counts) / target.size(0)


class Balanced(nn.Module):
    def forward(self, out, y):
        return balanced(out, target=y)


criterion = Balanced()
for x, y in loader:
    x, y = x.to(device), y
    loss = balanced(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

for x, y in loader:
    where = y
    loss = criterion(model(x.to(device)), where)
    loss = loss + sum(where.tolist())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
