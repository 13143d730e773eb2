import torch.distributed as dist


def main():
    dist.init_process_group("nccl")
    is_main = dist.get_rank() == 0
    if is_main:
        dist.barrier()
    print("fetch")
    if is_main:
        dist.barrier()


if __name__ == "__main__":
    main()
