import os

import torch
import torch.distributed as dist

from metrics import mean_of_all
from model import make_model


def main():
    dist.init_process_group("nccl")
    model = make_model().to(int(os.environ["LOCAL_RANK"]))
    print(mean_of_all(evaluate(model)))


def evaluate(model):
    return model(torch.ones(1, 4, device="cuda")).sum()


if __name__ == "__main__":
    main()
