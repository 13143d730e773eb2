import torch.distributed as dist


def main(x):
    dist.init_process_group("nccl")
    dist.all_reduce(x, op=dist.ReduceOp.AVG)


if __name__ == "__main__":
    main(1)
