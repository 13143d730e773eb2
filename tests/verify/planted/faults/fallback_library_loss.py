# planted: fallback@forward, fallback@backward
# A loss of a library falls back in its forward pass, and its gradient (digamma) in the backward pass.
import torch
import torch_xla
from pocket.ops import log_gamma_loss
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(9):
    optimizer.zero_grad()
    loss = log_gamma_loss(model(torch.randn(4, 8).to(device)))  # <- forward
    loss.backward()  # <- backward
    optimizer.step()
    torch_xla.sync()
