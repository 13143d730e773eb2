import torch
from elsewhere import samples
from torch import nn


class Learner:
    def __init__(self, actor, optimizer):
        self.actor = actor
        self.optimizer = optimizer
        self.weight = 0.5

    def update(self):
        value_total = 0
        action_total = 0
        entropy_total = 0
        for x, actions, returns in samples():
            values, ratio, entropy = self.actor.evaluate(x, actions)
            action_loss = -torch.min(ratio, ratio.clamp(0.8, 1.2)).mean()
            value_loss = 0.5 * (returns - values).pow(2).mean()
            self.optimizer.zero_grad()
            (value_loss * self.weight + action_loss - entropy * 0.01).backward()
            self.optimizer.step()
            value_total += value_loss.item()
            action_total += action_loss.item()
            entropy_total += entropy.item()
        return value_total, action_total, entropy_total


actor = nn.Linear(4, 2).cuda()
learner = Learner(actor, torch.optim.Adam(actor.parameters()))
for _ in range(10):
    print(learner.update())
