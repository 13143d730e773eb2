import torch_xla
import torch_xla.runtime as xr
from torch.utils.data import DataLoader, DistributedSampler


def train(index, data, other):
    sampler = DistributedSampler(data, num_replicas=xr.world_size(), rank=xr.global_ordinal())
    loader = DataLoader(data, batch_size=8, sampler=sampler)
    return loader, DataLoader(other, batch_size=8, shuffle=True)


if __name__ == "__main__":
    torch_xla.launch(train, args=(load(), load()))
