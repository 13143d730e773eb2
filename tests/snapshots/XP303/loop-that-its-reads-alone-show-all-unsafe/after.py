import numpy as np
import torch
import torch_xla
from torch import nn

net = nn.Linear(4, 3).to(torch_xla.device())
net.eval()
probs = []
sums = torch.tensor([0.0], device=torch_xla.device())
for batch in np.zeros((8, 2, 4), dtype=np.float32):
    out = torch.softmax(net(torch.from_numpy(batch).to(torch_xla.device())), dim=1)
    probs.append(out.detach())
    batch_sums = out.sum()
    sums += batch_sums.detach()
    torch_xla.sync()
print(np.concatenate([out.cpu().numpy() for out in probs]).shape, sums.item())

only = []
for batch in np.zeros((8, 2, 4), dtype=np.float32):
    only.append(net(torch.from_numpy(batch).to(torch_xla.device())).data.cpu().numpy())
print(np.concatenate(only).shape)
