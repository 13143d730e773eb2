import torch
import torch.nn.functional as F
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

device = torch_xla.device()


class Agent:
    def __init__(self, verbose, every):
        self.actor = nn.Linear(4, 2).to(device)
        self.critic = nn.Linear(6, 1).to(device)
        self.log_alpha = torch.zeros(1, device=device, requires_grad=True)
        self.actor_opt = torch.optim.Adam(self.actor.parameters())
        self.critic_opt = torch.optim.Adam([*self.critic.parameters(), self.log_alpha])
        self.verbose = verbose
        self.every = every

    def update_critic(self, x, y):
        metrics = dict()
        loss = F.mse_loss(self.critic(torch.cat([x, self.actor(x)], 1)), y) * self.log_alpha.exp().mean()
        if self.verbose:
            metrics["critic_loss"] = loss.detach()
            metrics["alpha"] = self.log_alpha.mean().detach()
            metrics["temperature"] = self.log_alpha.squeeze().detach().clone()
        self.critic_opt.zero_grad()
        loss.backward()
        self.critic_opt.step()
        return metrics

    def update_actor(self, x):
        loss = -self.critic(torch.cat([x, self.actor(x)], 1)).mean()
        self.actor_opt.zero_grad()
        loss.backward()
        self.actor_opt.step()
        return {"actor_loss": loss.detach(), "rate": 0.1}

    def update(self, x, y, step):
        metrics = {}
        if step % self.every != 0:
            return metrics
        x, y = x.to(device), y.to(device)
        metrics["target"] = y.mean()
        metrics.update(self.update_critic(x, y))
        metrics.update(self.update_actor(x))
        torch_xla.sync()
        metrics = {name: value.item() if isinstance(value, torch.Tensor) else value for name, value in metrics.items()}
        return metrics

    def pretrain(self, x, y):
        log = self.update_critic(x.to(device), y.to(device))
        torch_xla.sync()
        log = {name: value.item() for name, value in log.items()}
        return log


def train(agent, loader):
    for x, y in loader:
        print(agent.pretrain(x, y))
    for step, (x, y) in enumerate(loader):
        metrics = agent.update(x, y, step)
        print(step, metrics)


train(Agent(True, 2), DataLoader([(torch.rand(4), torch.rand(1)) for _ in range(8)], batch_size=2))
