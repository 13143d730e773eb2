import torch
import torch.distributed as dist


class ReplicaSyncBatchNorm(torch.nn.Module):
    pass


def main():
    dist.init_process_group("nccl")
    return torch.nn.SyncBatchNorm(4)


if __name__ == "__main__":
    main()
