# Two loops, each with a graph of its own, and one number read at the end of each epoch.
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


for epoch in range(2):
    for step in range(5):
        train_step(torch.randn(4, 8).to(device))
        torch_xla.sync()
    model.eval()
    correct = torch.zeros((), device=device)
    with torch.no_grad():
        for step in range(4):
            correct += (model(torch.randn(6, 8).to(device)).argmax(1) == 0).sum()
            torch_xla.sync()
    model.train()
    print(epoch, correct.item() / 24)
