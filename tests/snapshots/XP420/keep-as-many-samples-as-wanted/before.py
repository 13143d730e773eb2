import torch
from torch import nn
from torch.utils.data import DataLoader, RandomSampler

data = torch.zeros(10, 4)
loader = DataLoader(data, batch_size=4, sampler=RandomSampler(data, replacement=True, num_samples=int(1e10)))
batches = iter(loader)
model = nn.Linear(4, 2).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
while True:
    try:
        x = next(batches)
    except StopIteration:
        batches = iter(loader)
        x = next(batches)
    optimizer.zero_grad()
    model(x.to("xla")).sum().backward()
    optimizer.step()
