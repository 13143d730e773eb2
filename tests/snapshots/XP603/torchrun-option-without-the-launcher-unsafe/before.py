import argparse

import torch
import torch.distributed as dist


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", "--local-rank", type=int, default=-1, help="from the launcher")
    parser.add_argument("--epochs", type=int, default=1)
    args = parser.parse_args()
    if args.local_rank >= 0:
        dist.init_process_group("nccl")
    model = torch.nn.Linear(4, 1).cuda()
    if args.local_rank >= 0:
        model = torch.nn.parallel.DistributedDataParallel(model, device_ids=[args.local_rank])


if __name__ == "__main__":
    main()
