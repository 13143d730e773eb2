import torch.distributed as dist
import settings


def main():
    dist.init_process_group("nccl")


if __name__ == "__main__":
    main()
