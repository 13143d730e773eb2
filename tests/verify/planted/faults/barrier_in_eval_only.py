# planted: no-barrier
# The evaluation has a barrier, the training has none.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    for step in range(12):
        optimizer.zero_grad()
        model(torch.randn(4, 8).to(device)).pow(2).mean().backward()
        optimizer.step()  # <- here
    with torch.no_grad():
        for step in range(4):
            model(torch.randn(4, 8).to(device)).mean()
            torch_xla.sync()
