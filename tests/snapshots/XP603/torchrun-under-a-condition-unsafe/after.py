import torch.distributed as dist
import torch_xla.distributed.xla_backend


def setup():
    dist.init_process_group("xla", init_method="xla://")


def main(args):
    if args.distributed:
        setup()


if __name__ == "__main__":
    main(parse())
