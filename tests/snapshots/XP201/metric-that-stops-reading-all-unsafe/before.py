import torch
from torch import nn
from torch.nn import functional as F

device = torch.device("cuda")


def performance(pred, gold, pad):
    loss = F.cross_entropy(pred, gold, ignore_index=pad, reduction="sum")
    best = pred.max(1)[1]
    mask = gold.ne(pad)
    correct = (best.eq(gold) & mask).sum().item()
    words = mask.sum().item()
    return loss, correct, words


def evaluate(model, batches):
    model.eval()
    total, words, right = 0, 0, 0
    with torch.no_grad():
        for x, y in batches:
            x, y = x.to(device), y.to(device)
            pred = model(x)
            loss, correct, n = performance(pred, y, 0)
            words += n
            right += correct
            total += loss.item()
    return total / words, right / words


model = nn.Linear(4, 3).to(device)
print(evaluate(model, [(torch.rand(8, 4), torch.ones(8, dtype=torch.long)) for _ in range(3)]))
