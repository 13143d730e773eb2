import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr
from torch.utils.data import DataLoader, DistributedSampler
from utils import setup


def main(data):
    setup()
    sampler = DistributedSampler(data, num_replicas=xr.process_count(), rank=xr.process_index())
    spec = xs.ShardingSpec(xs.get_1d_mesh("data"), ("data", None))
    for x in pl.MpDeviceLoader(DataLoader(data, 8, sampler=sampler), torch_xla.device(), input_sharding=spec):
        print(x.sum())


if __name__ == "__main__":
    main(torch.randn(64, 2))
