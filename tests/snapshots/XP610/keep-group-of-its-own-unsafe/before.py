import torch
import torch.distributed as dist


def main(group):
    dist.init_process_group("nccl")
    layer = torch.nn.SyncBatchNorm(4, process_group=group)
    return torch.nn.SyncBatchNorm.convert_sync_batchnorm(torch.nn.Sequential(layer), group)


if __name__ == "__main__":
    main(None)
