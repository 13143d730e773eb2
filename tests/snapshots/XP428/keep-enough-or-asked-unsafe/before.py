import numpy as np
import torch
import torch_xla

device = torch_xla.device()
n = int(input())
x = torch.zeros(2, 9, device=device)
print(x[:, -1:], x[:, -3:], x[:, :-n], x[:, n:], x[:, -n])
print(x if x.size(1) <= n else x[:, -n:])
if x.shape[1] > n:
    print(x[:, -n:])
print(x[:, -min(n, x.size(1)) :], x[-(len(x) // 2) :])
print(x[None, :, -n:], x[x.sum(1) > 0, -n:], x[:, -n::2])
host = torch.zeros(2, 9)
print(host[:, -n:], np.zeros(9)[-n:], [1, 2, 3][-n:], "text"[-n:])


def own(min):
    return x[:, -n:], min
