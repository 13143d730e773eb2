import torch.distributed as dist
import torch.multiprocessing as mp


def worker(rank, args):
    dist.init_process_group("nccl", rank=args.node * args.gpus + rank, world_size=args.gpus * args.nodes)


def main(args):
    mp.spawn(worker, args=(args,), nprocs=args.gpus)


if __name__ == "__main__":
    main(parse())
