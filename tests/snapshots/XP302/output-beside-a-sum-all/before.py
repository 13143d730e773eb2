import numpy as np
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 1).to(device).eval()
total = torch.zeros((), device=device)
for i in range(8):
    x = torch.rand(2, 4)
    x = x.to(device)
    with torch.no_grad():
        total += x.sum()
        output = model(x).float().cpu().clamp_(0, 1).numpy()
    np.save(f"{i}.npy", output)
print(total.item())
