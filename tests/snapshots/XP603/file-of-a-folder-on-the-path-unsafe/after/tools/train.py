import os
import sys

import torch
import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend
import torch_xla.runtime as xr

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
from core.function import validate


def main():
    dist.init_process_group("xla", init_method="xla://")
    validate(torch.nn.Linear(4, 1).to(xr.local_ordinal()))


def _mp_fn(index):
    main()


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
