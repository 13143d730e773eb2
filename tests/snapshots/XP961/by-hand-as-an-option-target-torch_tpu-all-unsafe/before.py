import argparse

import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr
from torch.utils.data import DataLoader, DistributedSampler


def train(index, args, data):
    sampler, spec = None, None
    if args.spmd:
        xr.use_spmd()
        spec = xs.ShardingSpec(xs.get_1d_mesh("data"), ("data", None))
    elif xr.world_size() > 1:
        sampler = DistributedSampler(data, num_replicas=xr.world_size(), rank=xr.global_ordinal())
    loader = DataLoader(data, batch_size=8 // xr.world_size(), sampler=sampler, drop_last=True)
    for x in pl.MpDeviceLoader(loader, torch_xla.device(), input_sharding=spec):
        print(x.sum())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--spmd", action="store_true")
    torch_xla.launch(train, args=(parser.parse_args(), torch.randn(64, 2)))
