# planted: recompile@cause seen@evaluated
# The training is steady; the evaluation is what compiles.
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
    total = torch.zeros((), device=device)
    with torch.no_grad():
        for size in range(6):
            total += model(torch.randn(10 * epoch + size + 1, 8).to(device)).pow(2).sum()  # <- cause
            torch_xla.sync()  # <- evaluated
