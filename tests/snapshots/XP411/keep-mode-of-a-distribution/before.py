import torch
from torch import nn


class Chosen(torch.distributions.Categorical):
    def mode(self):
        return self.probs.argmax(dim=-1, keepdim=True)


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 2)

    def forward(self, x):
        return Chosen(logits=self.linear(x))


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.dist = Head()

    def forward(self, features, deterministic=False):
        dist = self.dist(features)
        action = dist.mode() if deterministic else dist.sample()
        return action, dist.entropy().mean()


def train(loader):
    policy = Policy().cuda()
    opt = torch.optim.Adam(policy.parameters())
    for x in loader:
        action, entropy = policy(x.cuda(), True)
        opt.zero_grad()
        entropy.backward()
        opt.step()
