import torch
import torch.distributed as dist

device = torch.device("cuda")


def main():
    dist.init_process_group("nccl")


if __name__ == "__main__":
    main()
