# planted: not-training
# The optimizer was built before the model was moved.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 2)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)  # <- here
model.to(device)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for step in range(9):
    train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()
