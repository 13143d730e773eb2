import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

running = torch.zeros((), device=device)
values = []
for i, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    running.mul_(0.9).add_(loss.detach())
    mean = running.clone()
    value = loss.detach().clone()
    loss /= 2
    values.append(mean + value)
print([mean.item() for mean in values])
