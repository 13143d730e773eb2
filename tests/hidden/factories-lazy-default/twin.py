"""The lambda makes the optimizer of a model moved before."""
from dataclasses import dataclass, field
import torch
from torch import nn

MODEL = nn.Linear(4, 4)
MODEL.cuda()


@dataclass
class Run:
    steps: int = 10
    rule: object = field(default_factory=lambda: torch.optim.SGD(MODEL.parameters(), lr=0.1))  # never: XP203

    def go(self):
        for _ in range(self.steps):
            loss = MODEL(torch.randn(2, 4, device="cuda")).pow(2).mean()
            self.rule.zero_grad()
            loss.backward()
            self.rule.step()
        return loss


run = Run()
print(run.go().item())
