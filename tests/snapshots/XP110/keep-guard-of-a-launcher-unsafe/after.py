import torch
import torch.multiprocessing as mp


def main(train):
    if torch.cuda.device_count() > 1:
        mp.spawn(train, nprocs=8)
    else:
        train(0)
