import argparse

import torch
import torch.distributed as dist


def setup(args, backend="nccl"):
    dist.init_process_group(args.backend, init_method=args.dist_url)
    if args.backend == "nccl":
        torch.cuda.set_device(args.local_rank)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="nccl", choices=["nccl", "gloo"])
    parser.add_argument("--dist-url", default="env://")
    parser.add_argument("--local_rank", type=int, default=0)
    setup(parser.parse_args())
