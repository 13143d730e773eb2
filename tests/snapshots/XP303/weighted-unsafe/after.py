import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

total = torch.tensor([0.0], device=device)
mean = torch.tensor([0.0], device=device)
share = torch.tensor([0.0], device=device)
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    total += loss.detach() * x.size(0)
    mean += loss.detach() / len(loader)
    share += len(x) * (loss.detach() + 0.5)
print(total.item(), mean.item(), share.item())
