import torch
import torch.nn as nn


class Diffusion(nn.Module):
    def __init__(self, eps_model: nn.Module, steps: int):
        super().__init__()
        self.eps_model = eps_model
        self.steps = steps

    def sample(self, n, device):
        x = torch.randn(n, 8).to(device)
        for i in range(self.steps, 0, -1):
            noise = torch.randn(n, 8).to(device) if i > 1 else 0
            eps = self.eps_model(x, i / self.steps)
            x = 0.9 * (x - 0.1 * eps) + 0.1 * noise
        return x

    def unrolled(self, x):
        for i in range(self.steps):
            x = x - self.eps_model(x, i)
        return x


def main(net, loader):
    diffusion = Diffusion(net, 100).to("cuda")
    optimizer = torch.optim.Adam(diffusion.parameters())
    for epoch in range(10):
        for x in loader:
            optimizer.zero_grad()
            diffusion.unrolled(x.to("cuda")).mean().backward()
            optimizer.step()
        diffusion.eval()
        with torch.no_grad():
            samples = diffusion.sample(16, "cuda")
