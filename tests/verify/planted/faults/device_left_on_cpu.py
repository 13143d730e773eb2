# planted: nothing-executed
# torch.cuda.is_available() chooses the CPU on a TPU machine.
import torch
import torch_xla
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # <- here


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for step in range(9):
    train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()
