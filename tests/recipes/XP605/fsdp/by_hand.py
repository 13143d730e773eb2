import torch
from torch import nn
import torch_xla
from torch_xla.distributed.fsdp import XlaFullyShardedDataParallel as FSDP



def main(index):
    net = FSDP(nn.Linear(8, 8).to(torch_xla.device()))
    return net


if __name__ == "__main__":
    torch_xla.launch(main)
