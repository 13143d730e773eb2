"""The trainer keeps the model as self.net and moves that, after the optimizer."""
import torch
from torch import nn


class Trainer:
    def __init__(self, model, critic, lr):
        self.critic = critic
        self.net = model
        self.rule = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)  # wants: XP203
        self.net.cuda()
        self.critic.cuda()
        self.model = model

    def run(self, steps):
        for _ in range(steps):
            x = torch.randn(8, 10, device="cuda")
            loss = -self.critic(self.model(x)).mean()
            self.rule.zero_grad()
            loss.backward()
            self.rule.step()
        return loss


print(Trainer(nn.Linear(10, 6), nn.Linear(6, 1), 0.1).run(10))
