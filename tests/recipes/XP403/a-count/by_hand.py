import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(16, 8) for _ in range(6)]
class Schedule:
    def __init__(self):
        self.passed = torch.zeros((), device=device)


schedule = Schedule()
x = torch.ones(3).to(device)
passed = int(schedule.passed)
while passed < 5:
    x = x * 1.5
    schedule.passed += 1
    passed += 1
    torch_xla.sync()
print(f"{x.sum().item():.5f}")
