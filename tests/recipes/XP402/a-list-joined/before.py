import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(16, 8) for _ in range(6)]
def run(steps):
    outputs = []
    x = torch.ones(2, 1, 8).to(device)
    for _ in range(steps):
        outputs.append(torch.tanh(model(x)[:, :, :1]))
        seen = torch.cat(outputs, 1)
        x = x + seen.mean(1, keepdim=True)
        torch_xla.sync()
    return x


with torch.no_grad():
    print(f"{run(5).sum().item():.5f}")
