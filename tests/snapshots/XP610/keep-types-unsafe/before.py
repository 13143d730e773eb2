import torch
import torch.distributed as dist

TYPES = (torch.nn.BatchNorm2d, torch.nn.SyncBatchNorm)


def has_batch_norms(model):
    return any(isinstance(m, TYPES) or type(m) is torch.nn.SyncBatchNorm for m in model.modules())


def freeze(layer: torch.nn.SyncBatchNorm) -> torch.nn.SyncBatchNorm:
    return layer.eval()


def main():
    dist.init_process_group("nccl")
    print(has_batch_norms(torch.nn.Linear(2, 2)))


if __name__ == "__main__":
    main()
