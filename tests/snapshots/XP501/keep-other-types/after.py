import numpy as np
import torch
from torch import nn

torch.set_default_dtype(torch.float32)
device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
x = torch.from_numpy(np.random.randn(8, 4).astype(np.float32)).to(device)
y = torch.from_numpy(np.random.randn(8, 4)).float().to(device)
z = torch.from_numpy(np.random.randn(8, 4)).to(device, torch.float32)
v = torch.tensor(np.zeros(3), dtype=torch.float32, device=device)
i = torch.from_numpy(np.zeros(3, dtype=np.int64)).to(device)
cast = torch.from_numpy(np.random.randn(8, 4)).to(device).float()
numbers = torch.tensor([0.5, 1.5], device=device)
types = {"double": torch.float64}


class Counter:
    def double(self):
        return 2


print(Counter().double(), x.dtype == torch.float64, torch.finfo(torch.float64).eps)
