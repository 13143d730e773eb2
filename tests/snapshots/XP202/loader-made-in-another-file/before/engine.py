import torch
from torch.nn import functional as F
from tqdm import tqdm


def train_one_epoch(model, optimizer, loader, device):
    model.train()
    for step, (x, y) in enumerate(tqdm(loader)):
        x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def evaluate(model, loader, device):
    correct = torch.zeros((), device=device)
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        correct += (model(x).argmax(1) == y).sum()
    print(correct.item())
