# planted: recompile@cause seen@barrier
# A curriculum: the loss of the k hardest rows, k from the step.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(10):
    optimizer.zero_grad()
    losses = model(torch.randn(32, 8).to(device)).pow(2).mean(1)
    losses.topk(32 - step).values.mean().backward()  # <- cause
    optimizer.step()
    torch_xla.sync()  # <- barrier
