import torch


def first(out):
    loss = torch.mean(out ** 2)
    return loss, loss.item()


def second(out):
    loss = torch.mean(out ** 2)
    return loss, loss.item()


def third(out):
    loss = torch.mean(out ** 2)
    return loss, loss.item()


def fourth(outs):
    parts = []
    for out in outs:
        parts.append(torch.mean(out ** 2).item())
    print(len(parts))
    parts.append(0.0)
    return parts


def fifth(out):
    if out.dim() > 1:
        return out.mean().item()
    return 0.0


def sixth(out):
    return out.mean().item()
