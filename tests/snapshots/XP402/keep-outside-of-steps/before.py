import numpy as np
import torch
from torch import nn

model = nn.Linear(8, 8).cuda()


def table(parts: torch.Tensor):
    x = torch.zeros(0, 8, device="cuda")
    for part in range(8):
        x = torch.cat([x, parts[part : part + 1]])
    return x


@torch.no_grad()
def evaluate(loader):
    found = np.zeros(0)
    for batch in loader:
        out = model(batch.cuda())
        found = np.concatenate([found, out.cpu().numpy()])
    return found
