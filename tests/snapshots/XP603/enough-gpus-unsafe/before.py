import os
import sys

import torch
import torch.distributed as dist


def enough(wanted=2):
    found = torch.cuda.device_count()
    return torch.cuda.is_available() and found >= wanted


def main():
    dist.init_process_group("nccl")
    model = torch.nn.Linear(4, 1).cuda()
    return model


if __name__ == "__main__":
    if not enough():
        print("needs two GPUs")
        sys.exit()
    if torch.cuda.device_count() < 2:
        raise SystemExit("needs two GPUs")
    main()
