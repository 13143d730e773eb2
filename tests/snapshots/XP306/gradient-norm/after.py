import math

import torch
import torch_xla


def grad_norm(parameters):
    total_norm = 0
    for p in parameters:
        if p.grad is not None:
            param_norm = p.grad.detach().data.norm(2)
            total_norm += param_norm.item() ** 2
    total_norm = total_norm ** (1.0 / 2)
    return total_norm


def weight_norm(model):
    total = 0.0
    for name, p in model.named_parameters():
        if p.requires_grad:
            total += torch.norm(p).item() ** 2
    return math.sqrt(total)


def train(model: torch.nn.Module, loader, max_norm):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, x in enumerate(loader):
        loss = model(x).mean()
        loss.backward()
        norm = 0.0
        with torch.no_grad():
            for p in model.parameters():
                norm += p.grad.norm().item() ** 2
        coefficient = max_norm / (norm**0.5 + 1e-6)
        if coefficient < 1:
            for p in model.parameters():
                p.grad.mul_(coefficient)
        optimizer.step()
        optimizer.zero_grad()
        torch_xla.sync()
        history = [grad_norm(model.parameters()), weight_norm(model)]
