"""A default made by a lambda field factory is an optimizer of a model moved later."""
from dataclasses import dataclass, field
import torch
from torch import nn

MODEL = nn.Linear(4, 4)


@dataclass
class Run:
    steps: int = 10
    rule: object = field(default_factory=lambda: torch.optim.SGD(MODEL.parameters(), lr=0.1))  # wants: XP203

    def go(self):
        for _ in range(self.steps):
            loss = MODEL(torch.randn(2, 4, device="cuda")).pow(2).mean()
            self.rule.zero_grad()
            loss.backward()
            self.rule.step()
        return loss


run = Run()
MODEL.cuda()
print(run.go().item())
