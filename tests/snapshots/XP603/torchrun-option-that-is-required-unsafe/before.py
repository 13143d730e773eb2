import argparse
import os

import torch
import torch.distributed as dist

parser = argparse.ArgumentParser()
parser.add_argument(
    "--local_rank",
    type=int,
    required=True,
)
args = parser.parse_args()
if "WORLD_SIZE" in os.environ:
    dist.init_process_group("nccl")
model = torch.nn.Linear(4, 1).cuda(args.local_rank)
