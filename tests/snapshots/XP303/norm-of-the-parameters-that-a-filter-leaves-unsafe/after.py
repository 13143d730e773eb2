import torch
from torch import nn


def norm_of(parameters):
    parameters = list(filter(lambda p: p.grad is not None, parameters))
    total = 0
    for p in parameters:
        total += p.grad.data.norm() ** 2
    return (total**0.5)


model = nn.Linear(4, 1).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    loss = model(torch.randn(8, 4).to("xla")).mean()
    optimizer.zero_grad()
    loss.backward()
    norm = norm_of(model.parameters())
    optimizer.step()
    if step % 20 == 0:
        print(norm.item())
