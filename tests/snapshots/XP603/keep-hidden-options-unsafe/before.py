import sys

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def main(model):
    dist.init_process_group("nccl", *sys.argv[1:])
    return DistributedDataParallel(model)


if __name__ == "__main__":
    main()
