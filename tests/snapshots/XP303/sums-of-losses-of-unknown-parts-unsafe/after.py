import torch
import torch_xla
from elsewhere import samples
from torch import nn


class Learner:
    def __init__(self, actor, optimizer):
        self.actor = actor
        self.optimizer = optimizer
        self.weight = 0.5

    def update(self):
        value_total = torch.tensor([0.0], device=torch_xla.device())
        action_total = torch.tensor([0.0], device=torch_xla.device())
        entropy_total = torch.tensor([0.0], device=torch_xla.device())
        for x, actions, returns in samples():
            values, ratio, entropy = self.actor.evaluate(x, actions)
            action_loss = -torch.min(ratio, ratio.clamp(0.8, 1.2)).mean()
            value_loss = 0.5 * (returns - values).pow(2).mean()
            self.optimizer.zero_grad()
            (value_loss * self.weight + action_loss - entropy * 0.01).backward()
            self.optimizer.step()
            value_total += value_loss.detach()
            action_total += action_loss.detach()
            entropy_total += entropy.detach()
        return value_total.item(), action_total.item(), entropy_total.item()


actor = nn.Linear(4, 2).cuda()
learner = Learner(actor, torch.optim.Adam(actor.parameters()))
for _ in range(10):
    print(learner.update())
