import torch as th
import torch.distributed as dist
import torch.nn as nn


def main():
    dist.init_process_group("nccl")
    return nn.SyncBatchNorm.convert_sync_batchnorm(nn.Sequential(nn.BatchNorm2d(3)))


if __name__ == "__main__":
    main()
