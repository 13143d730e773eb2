# planted: not-training
# A mask of zeros wipes out the loss, and each gradient with it.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # <- here
keep = torch.zeros(4, 2).to(device)

for step in range(9):
    optimizer.zero_grad()
    (model(torch.randn(4, 8).to(device)).pow(2) * keep).mean().backward()
    optimizer.step()
    torch_xla.sync()
