import torch


def integrated(model, x, baseline, steps):
    total = torch.zeros_like(x)
    for k in range(steps):
        point = (baseline + (x - baseline) * k / steps).requires_grad_()
        total += torch.autograd.grad(model(point).sum(), point)[0]
    return total * (x - baseline) / steps


def norms(parameters):
    total = 0.0
    for p in parameters:
        if p.grad is not None:
            total = total + p.grad.norm() ** 2
    return total**0.5
