import torch


def batches(loader):
    if torch.cuda.is_available():
        return loader
    for batch in loader:
        yield batch
