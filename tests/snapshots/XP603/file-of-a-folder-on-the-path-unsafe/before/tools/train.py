import os
import sys

import torch
import torch.distributed as dist

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
from core.function import validate


def main():
    dist.init_process_group("nccl")
    validate(torch.nn.Linear(4, 1).to(int(os.environ["LOCAL_RANK"])))


if __name__ == "__main__":
    main()
