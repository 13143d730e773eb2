# planted: host-read
# A list indexed by a tensor: __index__ reads it.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


names = ["left", "right"]
for step in range(9):
    x = torch.randn(4, 8).to(device)
    train_step(x)
    with torch.no_grad():
        choice = model(x).mean(0).argmax()
    torch_xla.sync()
    print(names[choice])  # <- here
