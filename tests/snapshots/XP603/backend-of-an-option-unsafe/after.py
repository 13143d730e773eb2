import argparse

import torch
import torch.distributed as dist
import os
import torch_xla.distributed.xla_backend


def setup(args, backend="xla"):
    dist.init_process_group(args.backend, init_method="xla://")
    if args.backend == "xla":
        torch.cuda.set_device(args.local_rank)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="xla", choices=["xla", "gloo"])
    parser.add_argument("--dist-url", default="env://")
    parser.add_argument("--local_rank", type=int, default=os.environ.get("LOCAL_RANK", 0))
    setup(parser.parse_args())
