"""The subclass makes the optimizer after super().__init__()."""
import torch
from torch import nn


class OnDevice:
    def __init__(self, **modules):
        for name, module in modules.items():
            setattr(self, name, module.cuda())


class Trainer(OnDevice):
    def __init__(self, model):
        super().__init__(model=model, criterion=nn.MSELoss())
        self.rule = torch.optim.Adam(model.parameters(), lr=1e-3)  # never: XP203

    def update(self, x):
        loss = self.criterion(self.model(x), x)
        self.rule.zero_grad()
        loss.backward()
        self.rule.step()
        return loss


trainer = Trainer(nn.Linear(7, 7))
for _ in range(10):
    loss = trainer.update(torch.randn(5, 7).cuda())
print(loss.item())
