# One function for training and evaluation: without dropout and backward pass it is another graph, once.
# says: none with an optimizer step (evaluation
# says: no random mask is drawn (dropout is off)
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.1), nn.Linear(16, 2)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def step_of(x):
    loss = model(x).pow(2).mean()
    if model.training:
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch_xla.sync()
    return loss


for epoch in range(2):
    model.train()
    for step in range(6):
        step_of(torch.randn(4, 8).to(device))
    model.eval()
    for step in range(3):
        step_of(torch.randn(4, 8).to(device))
