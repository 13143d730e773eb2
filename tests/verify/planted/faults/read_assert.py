# planted: host-read, extra-execution
# An assertion about values, left in from debugging.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(9):
    x = torch.randn(4, 8).to(device)
    optimizer.zero_grad()
    logits = model(x)
    assert not torch.isnan(logits).any(), "nan in the logits"  # <- here
    logits.pow(2).mean().backward()
    optimizer.step()
    torch_xla.sync()
