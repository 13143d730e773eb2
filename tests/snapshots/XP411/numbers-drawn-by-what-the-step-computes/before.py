import torch
from torch import nn
from torch.distributions import Beta, Dirichlet, Gamma, Poisson


class Sampler(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.shape = nn.Linear(size, 4)
        self.scale = nn.Linear(size, 4)

    def forward(self, x):
        shape, rate = self.shape(x).exp(), self.scale(x).exp()
        wide = Gamma(shape + 1, rate).sample()
        scaled = Gamma(2.0, rate).sample()
        part = Beta(shape, rate).sample()
        mixed = Dirichlet(shape).sample()
        counts = Poisson(rate).sample() + torch.poisson(rate)
        noise = Gamma(2.0, 1.0).sample((4,)).to(x.device)
        return wide + scaled + part + mixed + counts + noise
