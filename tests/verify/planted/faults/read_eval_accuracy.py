# planted: host-read@accuracy, extra-execution@accuracy
# The evaluation reads in each of its batches, in a class of another file.
import torch
import torch_xla
from meters import Accuracy
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
    for step in range(6):
        train_step(torch.randn(4, 8).to(device))
        torch_xla.sync()
    accuracy = Accuracy()
    with torch.no_grad():
        for step in range(6):
            outputs = model(torch.randn(4, 8).to(device))
            accuracy.update(outputs, torch.zeros(4, dtype=torch.long, device=device))
            torch_xla.sync()
