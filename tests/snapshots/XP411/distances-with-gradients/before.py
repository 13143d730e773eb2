import torch
from torch import nn


class Pull(nn.Module):
    def forward(self, x, y):
        far = torch.cdist(x, y)
        close = far < 1
        values, places = torch.cdist(x, y).topk(4, largest=False)
        again = x.detach()
        again.requires_grad_()
        reach = torch.cdist(again, y.detach())
        total = torch.cdist(x, x)
        total += close
        chosen = far[close.any(-1)].mean()
        torch.cdist(x, y).mean().backward()
        return values.sum() + chosen, places, reach, total.argmin(-1)


class Own(nn.Module):
    def forward(self, x, y):
        return self.soft(torch.cdist(x, y.detach())), [torch.cdist(x, y)]

    def soft(self, far):
        return (-far).softmax(-1)


models = [Pull().cuda(), Own().cuda()]
