import torch
import torch.distributed as dist


def main(batch):
    dist.init_process_group("nccl")
    if batch % torch.cuda.device_count() != 0:
        raise ValueError("the batch has to be divisible")


if __name__ == "__main__":
    main(64)
