# planted: no-barrier, host-read
# Inference whose only barrier is the read of its result.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

results = []
with torch.no_grad():
    for step in range(9):
        y = model(torch.randn(4, 8).to(device)).softmax(-1)
        results.append(y.cpu())  # <- here
