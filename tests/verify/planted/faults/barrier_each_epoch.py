# planted: no-barrier note
# A barrier at the end of the epoch only: an epoch is one graph, the same each time. Some want that.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    for step in range(12):
        optimizer.zero_grad()
        model(torch.randn(4, 8).to(device)).pow(2).mean().backward()
        optimizer.step()  # <- here
    torch_xla.sync()
