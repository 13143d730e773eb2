# planted: host-read, extra-execution
# clip_grad_norm_ with error_if_nonfinite asks for a value in the middle of the step.
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
    model(x).pow(2).mean().backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)  # <- here
    optimizer.step()
    torch_xla.sync()
