import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("xla")
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.arange(64)), batch_size=8)
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

kept = []


def written_before(out):
    held = out.cpu()
    out.mul_(2)
    return held.sum() + out.cpu().sum()


def copy_is_written(out):
    held = out.cpu()
    other = out.cpu()
    other[0] = 1
    return held.sum() + other.sum()


def first_is_written(out):
    held = out.cpu()
    held.add_(1)
    return held.sum() + out.cpu().sum()


def is_kept(out):
    held = out.cpu()
    kept.append(out.cpu())
    return held.sum()


def is_another(out):
    held = out.cpu()
    out = out + 1
    return held.sum() + out.cpu().sum()


def is_another_on_a_way(out, n):
    held = out.cpu()
    for _ in range(n):
        held = held + out.cpu().sum()
        out = out * 2
    return held.sum()


def on_one_way(out, n):
    if n:
        held = out.cpu()
    return out.cpu().sum()


def is_given(out, held):
    held = held if held is not None else out.cpu()
    return held.sum() + out.cpu().sum()


def goes_through_a_module(out):
    held = out.cpu()
    return model(out).sum().cpu() + held.sum() + out.cpu().sum()


def is_handed_back(out):
    held = out.cpu()
    print(held.sum())
    return out.cpu()


def runs_later(out):
    held = out.cpu()
    later = lambda: out.cpu()
    out = out + held.sum().to(device)
    return later().sum()


for x, y in loader:
    out = model(x.to(device))
    loss = written_before(out) + copy_is_written(out) + first_is_written(out) + is_kept(out) + is_another(out)
    loss = loss + is_another_on_a_way(out, 2) + on_one_way(out, len(x)) + is_given(out, None)
    loss = loss + goes_through_a_module(out) + is_handed_back(out).sum() + runs_later(out)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
