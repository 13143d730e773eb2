import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(16, 8) for _ in range(6)]
def run(steps):
    buffer = torch.zeros(2, steps, 1).to(device)
    position = torch.tensor([0]).to(device)
    x = torch.ones(2, 1, 8).to(device)
    for _ in range(steps):
        part = torch.tanh(model(x)[:, :, :1])
        buffer.index_copy_(1, position, part)
        position += 1
        left = torch.arange(buffer.size(1), device=buffer.device) >= position
        x = x + torch.where(left[:, None], 0, buffer).sum(1, keepdim=True) / position
        torch_xla.sync()
    return x


with torch.no_grad():
    print(f"{run(5).sum().item():.5f}")
