import numpy as np
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)

for step in range(10):
    x = model(torch.randn(4, 8, device=device))
    row = x[:1].expand(4, -1)
    row[0] = 1  # all of its elements are in other places
    same = x.expand(-1, -1)
    same += 1
    column = x[:, :1].expand(-1, 8)[:, 0]
    column.zero_()
    copied = x[:1].expand(4, -1).clone()
    copied.mul_(2)
    computed = x[:1].expand(4, -1) * 1
    computed[0, 0] = 2
    repeated = x[:1].repeat(4, 1)
    repeated.zero_()
    masked = x[:1].expand(4, -1).masked_fill(x > 0, 0)
    masked.zero_()
    selected = x[:1].expand(4, -1)[torch.tensor([0, 1])]
    selected.zero_()
    array = np.broadcast_to(np.ones(3), (2, 3))
    array[0] = 1
    grad = x[:1].expand(4, -1).detach().requires_grad_()
    print(row, same, column, copied, computed, repeated, masked, selected, array, grad)
