import argparse
import os
import random
import warnings

import torch
import torch.backends.cudnn as cudnn
import torch.distributed as dist
import torch.nn as nn
import torch_xla
import torch_xla.distributed.xla_backend
import torch_xla.runtime as xr
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", default=64, type=int)
parser.add_argument("--world-size", default=-1, type=int)
parser.add_argument("--rank", default=-1, type=int)
parser.add_argument("--dist-url", default="tcp://127.0.0.1:23456", type=str)
parser.add_argument("--dist-backend", default="xla", type=str)
parser.add_argument("--seed", default=None, type=int)
parser.add_argument("--gpu", default=None, type=int)
parser.add_argument("--multiprocessing-distributed", action="store_true")


def main():
    args = parser.parse_args()
    if args.seed is not None:
        random.seed(args.seed)
        torch.manual_seed(args.seed)
        cudnn.deterministic = True
    if args.dist_url == "env://" and args.world_size == -1:
        args.world_size = int(os.environ["WORLD_SIZE"])
    args.distributed = args.world_size > 1 or args.multiprocessing_distributed
    ngpus_per_node = 1
    if ngpus_per_node == 1 and args.dist_backend == "nccl":
        warnings.warn("nccl needs more than one GPU")
    if args.multiprocessing_distributed:
        # the number of all processes
        args.world_size = ngpus_per_node * args.world_size
        torch_xla.launch(main_worker, args=(ngpus_per_node, args))
    else:
        main_worker(args.gpu, ngpus_per_node, args)


def main_worker(gpu, ngpus_per_node, args):
    """One process."""
    ngpus_per_node = xr.local_device_count()
    args.gpu = gpu
    if args.distributed:
        if args.dist_url == "env://" and args.rank == -1:
            args.rank = int(os.environ["RANK"])
        if args.multiprocessing_distributed:
            args.rank = args.rank * ngpus_per_node + gpu
        dist.init_process_group(backend=args.dist_backend, init_method="xla://")
        args.rank = xr.global_ordinal()
        args.world_size = xr.world_size()
    model = nn.Linear(4, 2)
    if args.distributed:
        if args.gpu is not None:
            torch.cuda.set_device(args.gpu)
            model.cuda(args.gpu)
            args.batch_size = int(args.batch_size / ngpus_per_node)
            model = nn.parallel.DistributedDataParallel(model, gradient_as_bucket_view=True)
        else:
            model.cuda()
            model = nn.parallel.DistributedDataParallel(model, gradient_as_bucket_view=True)
    else:
        model = nn.DataParallel(model).cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    data = TensorDataset(torch.zeros(64, 4), torch.zeros(64, 2))
    sampler = DistributedSampler(data) if args.distributed else None
    for x, y in DataLoader(data, batch_size=args.batch_size, sampler=sampler):
        loss = (model(x.cuda(args.gpu)) - y.cuda(args.gpu)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if not args.multiprocessing_distributed or args.rank % ngpus_per_node == 0:
        print("done", args.world_size)


if __name__ == "__main__":
    main()
