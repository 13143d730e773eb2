import os

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def main(model):
    dist.init_process_group("gloo")
    return DistributedDataParallel(model), int(os.environ["LOCAL_RANK"])


if __name__ == "__main__":
    main()
