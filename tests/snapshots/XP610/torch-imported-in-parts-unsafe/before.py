import torch
import torch.nn as nn
import torch.nn.parallel
import torch.distributed as dist
import torch.optim
import torch.multiprocessing as mp
import torch.utils.data.distributed


def main():
    dist.init_process_group("nccl")
    model = torch.nn.SyncBatchNorm.convert_sync_batchnorm(nn.Linear(2, 2))


if __name__ == "__main__":
    main()
