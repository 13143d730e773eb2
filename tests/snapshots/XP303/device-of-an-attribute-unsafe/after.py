import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.device = device
        self.body = nn.Linear(4, 1).to(device)
        self.optimizer = torch.optim.SGD(self.body.parameters(), lr=0.1)

    def update(self, loader):
        total = torch.tensor([0.0], device=self.device)
        for x in loader:
            loss = self.body(x.to(self.device)).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.detach()
        return total.item()
