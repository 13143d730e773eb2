import argparse

import torch
import os
import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr
from torch.utils.data import DataLoader, DistributedSampler


def train(index, args, data):
    sampler, spec = None, None
    if args.spmd:
        xr.use_spmd()
        spec = xs.ShardingSpec(xs.get_1d_mesh("data"), ("data", None))
    elif int(os.environ.get("WORLD_SIZE", "1")) > 1:
        sampler = DistributedSampler(data, num_replicas=int(os.environ.get("WORLD_SIZE", "1")), rank=int(os.environ.get("RANK", "0")))
    loader = DataLoader(data, batch_size=8 // int(os.environ.get("WORLD_SIZE", "1")), sampler=sampler, drop_last=True)
    for x in pl.MpDeviceLoader(loader, torch.accelerator.current_accelerator(), input_sharding=spec):
        print(x.sum())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--spmd", action="store_true")
    train(int(os.environ.get("RANK", "0")), parser.parse_args(), torch.randn(64, 2))
