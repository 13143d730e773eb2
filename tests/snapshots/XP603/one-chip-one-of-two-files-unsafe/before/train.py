import torch
from torch.distributed import destroy_process_group, init_process_group

from trainer import Trainer


def main():
    init_process_group(backend="nccl")
    Trainer(torch.nn.Linear(4, 1)).train()
    destroy_process_group()


if __name__ == "__main__":
    main()
