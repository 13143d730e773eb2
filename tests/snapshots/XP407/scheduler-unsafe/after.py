import torch
from torch import nn


class Scheduler:
    def __init__(self, device):
        self.timesteps = torch.arange(9, -1, -1).to(device)
        self.sigmas = torch.rand(11).to(device)

    def scale(self, sample, timestep):
        index = (self.timesteps == timestep).long().argmax(0, keepdim=True)
        return sample / (self.sigmas[index].squeeze(0) ** 2 + 1) ** 0.5

    def step(self, output, timestep, sample):
        index = (self.timesteps == timestep).long().argmax(0, keepdim=True)
        sigma = self.sigmas[index].squeeze(0)
        return sample + output * (self.sigmas[index + 1].squeeze(0) - sigma)


@torch.no_grad()
def sample(device):
    scheduler = Scheduler(device)
    model = nn.Linear(4, 4).to(device)
    x = torch.randn(2, 4).to(device)
    for t in scheduler.timesteps:
        x = scheduler.step(model(scheduler.scale(x, t)), t, x)
    return x


print(sample(torch.device("cuda")))
