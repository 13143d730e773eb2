import torch
import torch_xla
from torch import nn
from torch.nn import functional as F

device = torch_xla.device()


def performance(pred, gold, pad):
    loss = F.cross_entropy(pred, gold, ignore_index=pad, reduction="sum")
    best = pred.max(1)[1]
    mask = gold.ne(pad)
    correct = (best.eq(gold) & mask).sum()
    words = mask.sum()
    return loss, correct, words


def evaluate(model, batches):
    model.eval()
    total = torch.tensor([0.0], device=device)
    words = torch.tensor([0], device=device)
    right = torch.tensor([0], device=device)
    with torch.no_grad():
        for x, y in batches:
            x, y = x.to(device), y.to(device)
            pred = model(x)
            loss, correct, n = performance(pred, y, 0)
            words += n
            right += correct
            total += loss
            torch_xla.sync()
    words = words.item()
    return total.item() / words, right.item() / words


model = nn.Linear(4, 3).to(device)
print(evaluate(model, [(torch.rand(8, 4), torch.ones(8, dtype=torch.long)) for _ in range(3)]))
