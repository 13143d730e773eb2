import argparse

import torch.distributed as dist

parser = argparse.ArgumentParser()
parser.add_argument("--dist-backend", default="tpu_dist", choices=["tpu_dist", "gloo"])
args = parser.parse_args()
if args.dist_backend == "tpu_dist":
    print("several processes")
dist.init_process_group(backend=args.dist_backend)


def start(backend="tpu_dist"):
    dist.init_process_group(backend)


settings = {"backend": "NCCL"}
print(dist.get_backend() == "tpu_dist")
