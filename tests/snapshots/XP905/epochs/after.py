import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from tqdm import tqdm


def train_loop(loader, model, optimizer):
    for x, y in tqdm(loader, total=len(loader)):
        loss = model(x, y)
        loss.backward()
        xm.optimizer_step(optimizer)


def main(train_loader, test_loader, model, optimizer, device):
    for epoch in range(3):
        para_loader = pl.MpDeviceLoader(train_loader, device)
        train_loop(para_loader, model, optimizer)
        del para_loader

        para_loader = pl.MpDeviceLoader(loader=test_loader, device=device, loader_prefetch_size=4)
        for step, (x, y) in enumerate(para_loader):
            model(x)

        for x, y in pl.MpDeviceLoader(train_loader, device):
            model(x)
