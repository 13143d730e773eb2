import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader


def attack(model, x, y, alpha, steps):
    for _ in range(steps):
        x = x.detach().requires_grad_()
        loss = F.cross_entropy(model(x), y)
        x = x + alpha * torch.autograd.grad(loss, x)[0].sign()
    return x.detach()


def robust_accuracy(model: torch.nn.Module, data):
    model.eval()
    correct = 0
    for x, y in DataLoader(data, batch_size=16):
        x, y = x.to("cuda"), y.to("cuda")
        x = attack(model, x, y, 0.01, 7)
        correct += (model(x).argmax(1) == y).sum().item()
    return correct


def one_step(model: torch.nn.Module, data, eps):
    model.eval()
    correct = 0
    for x, y in DataLoader(data, batch_size=16):
        x, y = x.to("cuda"), y.to("cuda")
        x.requires_grad = True
        loss = F.cross_entropy(model(x), y)
        model.zero_grad()
        loss.backward()
        x = x + eps * x.grad.sign()
        correct += (model(x).argmax(1) == y).sum().item()
    return correct
