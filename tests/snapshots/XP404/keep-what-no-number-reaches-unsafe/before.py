import torch
from torch import nn

model = nn.Linear(4, 4).to("cuda")
betas = torch.linspace(0.1, 0.2, 50, device="cuda")


def share(step):
    if type(step) is int:
        return betas.max()
    return betas[step]


def other_share(step):
    if isinstance(step, (int, float)):
        value = betas.max()
    else:
        value = betas[step]
    return value


def third_share(step):
    return betas.max() if isinstance(step, int) else betas[step]


with torch.no_grad():
    x = torch.randn(8, 4, device="cuda")
    for step in range(50):
        x = model(x) * share(step) + other_share(step) - third_share(step)
    drawn = torch.randint(50, (8,), device="cuda")
    x = x * share(drawn).unsqueeze(1)
