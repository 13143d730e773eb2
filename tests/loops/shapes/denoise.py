import torch
import torch.nn as nn


class Scheduler:
    def __init__(self, steps):
        self.timesteps = torch.linspace(999, 0, steps).long()
        betas = torch.linspace(1e-4, 0.02, 1000)
        self.alphas_cumprod = torch.cumprod(1.0 - betas, dim=0)
        self.stride = 1000 // steps

    def step(self, noise, t, sample):
        a = self.alphas_cumprod[t]
        b = self.alphas_cumprod[max(t - self.stride, 0)]
        clean = (sample - (1 - a) ** 0.5 * noise) / a**0.5
        return b**0.5 * clean + (1 - b) ** 0.5 * noise


class Unet(nn.Module):
    def __init__(self):
        super().__init__()
        self.time = nn.Embedding(1000, 8)
        self.net = nn.Sequential(nn.Linear(8, 16), nn.SiLU(), nn.Linear(16, 8))

    def forward(self, x, t):
        return self.net(x + self.time(t))


@torch.no_grad()
def sample(unet, scheduler, device):
    latents = torch.randn(4, 8).to(device)
    for i, t in enumerate(scheduler.timesteps):
        timestep = t.expand(4).to(device)
        noise = unet(latents, timestep)
        latents = scheduler.step(noise, t, latents)
    return latents


def main():
    torch.manual_seed(50)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    unet = Unet().to(device).eval()
    latents = sample(unet, Scheduler(20), device)
    print(f"mean {latents.mean().item():.4f}")
    return {"unet": unet, "latents": latents}


if __name__ == "__main__":
    main()
