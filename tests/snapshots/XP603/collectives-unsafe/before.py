import torch
import torch.distributed as dist


def main(total, rank):
    dist.init_process_group("nccl")
    dist.all_reduce(total[0], op=dist.ReduceOp.MAX)
    dist.broadcast(total[1], src=0)
    if rank == 0:
        print(total)
    dist.all_reduce(total)
    dist.barrier()


if __name__ == "__main__":
    main(*build())
