# planted: recompile@cause seen@barrier
# A tensor as long as the step's number.
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
    padding = torch.full((step + 2, 8), 0.5, device=device)  # <- cause
    train_step(padding)
    torch_xla.sync()  # <- barrier
