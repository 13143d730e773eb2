import torch
import torch_xla.core.xla_model as xm
import torch_xla.distributed.xla_multiprocessing as xmp
from torch.utils.data import DataLoader


def train(index, flags):
    data = flags.data
    loader = DataLoader(data, batch_size=8, shuffle=True, drop_last=True)
    test = DataLoader(data, batch_size=8)
    return loader, test


if __name__ == "__main__":
    xmp.spawn(train, args=(flags(),))
