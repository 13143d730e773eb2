import torch
import torch_xla
import torch_xla.distributed.xla_backend
from torch.distributed import destroy_process_group, init_process_group

from trainer import Trainer


def main():
    init_process_group(backend="xla", init_method="xla://")
    Trainer(torch.nn.Linear(4, 1)).train()
    destroy_process_group()


def _mp_fn(index):
    main()


if __name__ == "__main__":
    torch_xla.launch(_mp_fn, debug_single_process=True)
