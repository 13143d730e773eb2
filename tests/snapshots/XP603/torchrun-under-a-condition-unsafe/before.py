import torch.distributed as dist


def setup():
    dist.init_process_group("nccl")


def main(args):
    if args.distributed:
        setup()


if __name__ == "__main__":
    main(parse())
