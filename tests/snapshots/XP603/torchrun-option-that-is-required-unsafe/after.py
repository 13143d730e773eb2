import argparse
import os

import torch
import torch.distributed as dist
import torch_xla.distributed.xla_backend

parser = argparse.ArgumentParser()
parser.add_argument(
    "--local_rank",
    type=int,
    default=os.environ.get("LOCAL_RANK"),
)
args = parser.parse_args()
if "WORLD_SIZE" in os.environ:
    dist.init_process_group("xla", init_method="xla://")
model = torch.nn.Linear(4, 1).cuda(args.local_rank)
