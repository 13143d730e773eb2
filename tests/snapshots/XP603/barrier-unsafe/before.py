import torch
import torch.distributed as dist


def main():
    dist.init_process_group("nccl")
    print(f"{dist.get_rank()} of {dist.get_world_size()}")
    dist.barrier()
    dist.barrier(device_ids=[0])


if __name__ == "__main__":
    main()
