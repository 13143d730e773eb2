import numpy as np
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
noise = np.random.randn(8, 4)
x = torch.from_numpy(noise).to(device)
y = torch.tensor(np.linspace(0, 1, 10), device=device)
z = torch.as_tensor(np.zeros((8, 4)).astype(np.float64)).cuda()
host = torch.from_numpy(np.ones(3))
w = host.to(device)
