import argparse

import torch.distributed as dist

parser = argparse.ArgumentParser()
parser.add_argument("--dist-backend", default="nccl", choices=["nccl", "gloo"])
args = parser.parse_args()
if args.dist_backend == "nccl":
    print("several processes")
dist.init_process_group(backend=args.dist_backend)


def start(backend="nccl"):
    dist.init_process_group(backend)


settings = {"backend": "NCCL"}
print(dist.get_backend() == "nccl")
