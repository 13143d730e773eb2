# planted: extra-barrier
# says: each step runs both
# A helper ends with a barrier of its own, in the middle of the step.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


@torch.no_grad()
def targets(x):
    y = model(x).softmax(-1)
    torch_xla.sync()  # <- here
    return y


for step in range(9):
    x = torch.randn(4, 8).to(device)
    wanted = targets(x)
    optimizer.zero_grad()
    (model(x) - wanted).pow(2).mean().backward()
    optimizer.step()
    torch_xla.sync()
