import argparse

import torch
import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend
import torch_xla.runtime as xr
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def worker(index, options):
    """Train on one GPU."""
    options.gpus_per_node = xr.local_device_count()
    options.rank = options.rank * options.gpus_per_node + index
    dist.init_process_group("xla", init_method="xla://")
    options.rank = xr.global_ordinal()
    options.batch_size = int(options.batch_size / options.gpus_per_node)
    model = DistributedDataParallel(torch.nn.Linear(4, 1).to(index), gradient_as_bucket_view=True)
    data = TensorDataset(torch.rand(64, 4))
    sampler = DistributedSampler(data)
    for (x,) in DataLoader(data, batch_size=options.batch_size, sampler=sampler, drop_last=True):
        model(x.to(index)).mean().backward()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch_size", type=int, default=128)
    parser.add_argument("--url", default="tcp://127.0.0.1:23456")
    opt = parser.parse_args()
    opt.rank = 0
    opt.gpus_per_node = 1
    opt.world_size = opt.gpus_per_node
    torch_xla.launch(worker, args=(opt,))
