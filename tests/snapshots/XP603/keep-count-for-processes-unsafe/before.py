import argparse

import torch
import torch.distributed as dist


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=0)
    args = parser.parse_args()
    args.nprocs = torch.cuda.device_count()
    work(args)


def work(args):
    dist.init_process_group("nccl")
    loss = torch.ones(1, device="cuda")
    dist.all_reduce(loss)
    print(loss / args.nprocs)


if __name__ == "__main__":
    main()
