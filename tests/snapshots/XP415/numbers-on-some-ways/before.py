import torch
from torch import nn

model = nn.Linear(4, 4).cuda()
betas = torch.linspace(0.1, 0.2, 50).cuda()
x = torch.randn(8, 4).cuda()
with torch.no_grad():
    for step in reversed(range(50)):
        x = model(x)
        if step == 0:
            sigma = 0
        else:
            sigma = 1 - betas.prod()
        if sigma > 0:
            x = x + sigma**0.5 * torch.randn_like(x)
