# planted: host-read, extra-execution
# The closure that an optimizer calls.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
seen = []


def closure(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    seen.append(float(loss))  # <- here
    return loss


for step in range(9):
    x = torch.randn(4, 8).to(device)
    optimizer.step(lambda x=x: closure(x))
    torch_xla.sync()
