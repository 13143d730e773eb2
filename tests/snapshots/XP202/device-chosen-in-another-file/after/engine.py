from torch.nn.functional import mse_loss
import torch_xla.distributed.parallel_loader as pl


def train_one_epoch(model, optimizer, loader, device):
    for x, y in pl.MpDeviceLoader(loader, device):
        loss = mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
