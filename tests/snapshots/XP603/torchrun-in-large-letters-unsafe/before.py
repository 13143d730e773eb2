import argparse
import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler


def main(args):
    dist.init_process_group(backend="NCCL", init_method="env://", timeout=args.timeout)
    local_rank = int(os.environ["LOCAL_RANK"])
    rank, size = int(os.getenv("RANK", "0")), int(os.environ.get("WORLD_SIZE", 1))
    torch.cuda.set_device(local_rank)
    model = DDP(nn.Linear(4, 1).cuda(local_rank), device_ids=[local_rank], output_device=local_rank)
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


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int)
    main(parser.parse_args())
    # the end
