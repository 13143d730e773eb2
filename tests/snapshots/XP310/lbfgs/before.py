import torch
from torch import nn

model = nn.Linear(4, 4).to("xla")
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.1, max_iter=4)
x = torch.ones(2, 4).to("xla")


def closure():
    optimizer.zero_grad()
    loss = model(x).sum()
    loss.backward()
    return loss


for _ in range(10):
    optimizer.step(closure)
