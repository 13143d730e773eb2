"""A dataclass holds model and optimizer; its model field moves late."""
from dataclasses import dataclass
import torch
from torch import nn


@dataclass
class Setup:
    model: nn.Module
    frozen: nn.Module
    optimizer: torch.optim.Optimizer
    steps: int = 12


student, teacher = nn.Linear(8, 3), nn.Linear(8, 3)
teacher.cuda()
rule = torch.optim.Adam(student.parameters(), lr=0.01)  # wants: XP203
run = Setup(student, teacher, rule)
run.model.cuda()

for _ in range(run.steps):
    x = torch.randn(10, 8, device="cuda")
    with torch.no_grad():
        goal = run.frozen(x).softmax(-1)
    loss = nn.functional.cross_entropy(run.model(x), goal)
    run.optimizer.zero_grad()
    loss.backward()
    run.optimizer.step()
print(loss.item())
