import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)


@torch.no_grad()
def attack(x, y, restarts):
    x, y = x.to(device), y.to(device)
    right = model(x).argmax(1) == y
    adversarial = x.clone()
    for _ in range(restarts):
        left = right.nonzero().squeeze()
        found = x[left].clone() + 0.1
        now = model(found).argmax(1) == y[left]
        fooled = (now == 0).nonzero().squeeze()
        right[left[fooled]] = False
        adversarial[left[fooled]] = found[fooled].clone()
        print(right.sum().item())
    return adversarial


attack(torch.zeros(8, 4), torch.zeros(8), 5)
