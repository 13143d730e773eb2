import argparse

import torch
import torch.distributed as dist
import torch.nn as nn
import torch_xla
import torch_xla.distributed.xla_backend
import torch_xla.runtime as xr
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler


def main(args):
    dist.init_process_group(backend="xla", init_method="xla://", timeout=args.timeout)
    local_rank = xr.local_ordinal()
    rank, size = xr.global_ordinal(), xr.world_size()
    torch.cuda.set_device(local_rank)
    model = DDP(nn.Linear(4, 1).cuda(local_rank), gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    data = torch.zeros(64, 4)
    sampler = DistributedSampler(data, num_replicas=size, rank=rank)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for x in DataLoader(data, batch_size=8, sampler=sampler):
            optimizer.zero_grad()
            model(x.cuda(local_rank)).mean().backward()
            optimizer.step()
        if dist.get_rank() == 0:
            torch.save(model.module.state_dict(), "model.pt")
    dist.destroy_process_group()


def _mp_fn(index):
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int)
    main(parser.parse_args())
    # the end


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
