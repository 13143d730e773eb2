# planted: no-barrier@loop seen@here
# All denoising steps of a sample are one graph: nothing but the read behind the loop cuts it.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 8).to(device)


@torch.no_grad()
def sample(steps):
    x = torch.randn(4, 8).to(device)
    for _ in range(steps):
        x = x - 0.1 * model(x)  # <- loop
    return x


print(sample(25).cpu().sum())  # <- here
