import numpy as np
import torch

device = torch.device("cuda")
start = np.log(0.1)
alpha = torch.tensor(start).to(device)
alpha.requires_grad = True
scale = torch.tensor(-np.sqrt(2) * 3 + 1, device=device)
optimizer = torch.optim.Adam([alpha], lr=0.01)
loss = (alpha.exp() * scale * torch.randn(8, 1, device=device)).mean()
loss.backward()
optimizer.step()
