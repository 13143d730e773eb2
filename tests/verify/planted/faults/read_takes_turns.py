# planted: host-read@first, host-read@second, host-read@third
# Three lines that take turns: each in a third of the steps, together in all of them.
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


for step in range(10):
    loss = train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()
    if step % 3 == 0:
        print("first", loss.item())  # <- first
    elif step % 3 == 1:
        print("second", loss.tolist())  # <- second
    else:
        print("third", float(loss))  # <- third
