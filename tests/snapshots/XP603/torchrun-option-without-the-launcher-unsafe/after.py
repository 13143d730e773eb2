import argparse

import torch
import torch.distributed as dist
import os
import torch_xla.distributed.xla_backend


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", "--local-rank", type=int, default=os.environ.get("LOCAL_RANK", -1), help="from the launcher")
    parser.add_argument("--epochs", type=int, default=1)
    args = parser.parse_args()
    if args.local_rank >= 0:
        dist.init_process_group("xla", init_method="xla://")
    model = torch.nn.Linear(4, 1).cuda()
    if args.local_rank >= 0:
        model = torch.nn.parallel.DistributedDataParallel(model, gradient_as_bucket_view=True)


if __name__ == "__main__":
    main()
