import torch_xla
from torch.utils.data import DataLoader
from tqdm import tqdm

device = torch_xla.device()


def evaluate(loader):
    for x, y in loader:
        x = x.to(device)
        y = y.to(device)
        print(x, y, len(loader))


def main(data):
    inner = DataLoader(data)
    loader = inner
    bar = tqdm(loader, total=len(loader))
    for x, y in bar:
        x = x.to(device)
        bar.set_description(str(x))
    if loader is not None:
        evaluate(loader=loader)
    inner.sampler.set_epoch(1)


main([])
