import torch
from torch import nn
from tqdm import tqdm


@torch.no_grad()
def sample(model: nn.Module, sigmas: torch.Tensor, x):
    sigmas = sigmas.to("cuda")
    for i in tqdm(reversed(range(len(sigmas) - 1)), total=len(sigmas)):
        t = torch.full((x.size(0),), i, device="cuda")
        noise = model(x, t)
        x = x + noise * (sigmas[i] - sigmas[i + 1])
    return x
