import math

import numpy as np
import torch

device = torch.device("cuda")
weights = np.ones(3, dtype=np.float32)
first = torch.tensor(math.log(0.1)).to(device)
second = torch.tensor(float(np.log(0.1))).to(device)
third = torch.tensor(np.log(0.1), dtype=torch.float32, device=device)
fourth = torch.tensor(np.log(weights)).to(device)
fifth = torch.tensor(np.pi * 2).to(device)
sixth = torch.tensor(np.log(0.1)).float().to(device)
seventh = torch.ones(3).to(device) * np.log(0.1)
on_host = torch.tensor(np.log(0.1))
