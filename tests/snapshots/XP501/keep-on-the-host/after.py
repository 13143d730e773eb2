import numpy as np
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
out = model(torch.rand(8, 4, device=device))
mean = out.cpu().double().mean()
betas = torch.linspace(0.1, 0.2, 100, dtype=torch.float64)
schedule = torch.cumprod(1 - betas, 0).to(torch.float32).to(device)
array = torch.from_numpy(np.random.randn(8, 4)).double().numpy()
waveform = model(torch.rand(8, 4, device=device)).squeeze(0).double().numpy()  # raises for a tensor of the device
