import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader
from tqdm import tqdm

device = torch_xla.device()


def evaluate(loader):
    for x, y in loader:
        print(x, y, len(loader))


def main(data):
    inner = DataLoader(data)
    loader = pl.MpDeviceLoader(inner, device)
    bar = tqdm(loader, total=len(loader))
    for x, y in bar:
        bar.set_description(str(x))
    if loader is not None:
        evaluate(loader=loader)
    inner.sampler.set_epoch(1)


main([])
