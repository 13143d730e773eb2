import torch.distributed as dist


def main(group):
    dist.init_process_group("nccl")
    dist.barrier(group)


if __name__ == "__main__":
    main(None)
