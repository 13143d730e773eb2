import torch
import torch.distributed as dist


def main():
    dist.init_process_group("nccl")
    found = [None] * dist.get_world_size()
    dist.all_gather_object(found, {"rank": dist.get_rank()})
    print(found)


if __name__ == "__main__":
    main()
