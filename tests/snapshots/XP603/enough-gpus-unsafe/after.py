import os

import torch
import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend


def enough(wanted=2):
    found = torch.cuda.device_count()
    return torch.cuda.is_available() and found >= wanted


def main():
    dist.init_process_group("xla", init_method="xla://")
    model = torch.nn.Linear(4, 1).cuda()
    return model


def _mp_fn(index):
    main()


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
