import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
times = torch.arange(9).to(device)
sigmas, kept = torch.rand(9).to(device), torch.zeros(9, device=device)
parts = torch.split(torch.rand(9, 4).to(device), 1)
names = ["a", "b", "c"] * 3
x = torch.zeros(1, 4).to(device)
with torch.no_grad():
    for t in times:
        i = (times == t).nonzero().item()
        x = x - model(x) * sigmas[i] / (i + 1)  # a number
        j = (times == t).nonzero().item()
        kept[j] = x.sum()  # written
        k = (times == t).nonzero().item()
        x = x + parts[k] + sigmas[k]  # an index of a tuple
        m = (times == t).nonzero().item()
        if m > 3:
            m = 3
        x = x * sigmas[m]
        n = (times == t).nonzero()[0].item()
        x = x * sigmas[n] * len(names[n])
        o = (times * t).nonzero().item()  # not truth values
        x = x * sigmas[o]
        p = (times == t).nonzero().item()
        x = x * sigmas[p:].sum() * sigmas[2 * p]
        q = (times == t).nonzero().item()
        sigmas[q].mul_(2)
