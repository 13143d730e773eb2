import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(16, 16).to(device)
host = torch.randn(8, 16)
part = host[:, 1:].contiguous()
part += 1
print(host)

for step in range(10):
    x = model(torch.randn(8, 16, device=device))
    copied = x.t().clone()
    copied += 1
    first = x[:4].contiguous()  # another name on a GPU, too
    first += 1
    twice = x.t().t().contiguous()
    twice += 1
    shaped = x.t().reshape(16, 2, 4)
    shaped += 1
    computed = x.t().contiguous() + 1
    computed += 1
    read = x.t().contiguous().sum()
    print(x, copied, first, twice, shaped, computed, read)
