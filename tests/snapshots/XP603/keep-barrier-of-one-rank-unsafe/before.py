import torch.distributed as dist


def main(rank):
    dist.init_process_group("nccl")
    if rank != 0:
        dist.barrier()
    data = download()
    if rank == 0:
        dist.barrier()


if __name__ == "__main__":
    main()
