import torch
from torch import nn


def noise(size, std, device="cpu"):
    return torch.empty(size, device=device).log_normal_(mean=0, std=std)


def elsewhere(size, std, device="cpu"):
    return torch.empty(size, device=device).log_normal_(mean=0, std=std)


def train(loader):
    model = nn.Linear(4, 2).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        scale = noise(4, 0.2) * noise(4, std=0.1)
        loss = model(x.cuda() * scale.cuda()).sum() + elsewhere(1, 0.1, "cuda").sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
