import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

scales = []
losses = []
scale = torch.nn.Parameter(torch.ones((), device=device))
for x in loader:
    loss = (scale * model(x.to(device))).mean()
    loss.backward()
    optimizer.step()
    scales.append(scale.item())
    losses.append(loss.item())
    loss /= 2
print(scales, losses)
