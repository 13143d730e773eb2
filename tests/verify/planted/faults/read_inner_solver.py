# planted: host-read, extra-execution
# A solver in the step goes on until it has converged: one graph for each of its rounds.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def solve(x):
    y = x
    for _ in range(4):
        y = 0.5 * torch.tanh(y) + 0.1
        if (y - x).abs().max() < 1e-9:  # <- here
            break
    return y


for step in range(9):
    x = solve(torch.randn(4, 8).to(device))
    optimizer.zero_grad()
    model(x).pow(2).mean().backward()
    optimizer.step()
    torch_xla.sync()
