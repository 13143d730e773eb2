import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(16, 8) for _ in range(6)]
def run(inputs):
    history = []
    for x in inputs:
        history.append(model(x.to(device)))
        torch_xla.sync()
    return torch.cat(history)


with torch.no_grad():
    print(f"{run(batches).sum().item():.5f}")
