import torch
import torch_xla.distributed.parallel_loader as pl
from torch.nn import functional as F
from tqdm import tqdm


def train_one_epoch(model, optimizer, loader, device):
    model.train()
    for step, (x, y) in enumerate(tqdm(pl.MpDeviceLoader(loader, device))):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def evaluate(model, loader, device):
    correct = torch.zeros((), device=device)
    for x, y in pl.MpDeviceLoader(loader, device):
        correct += (model(x).argmax(1) == y).sum()
    print(correct.item())
