import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend


def worker(rank, args):
    dist.init_process_group("xla", init_method="xla://")


def main(args):
    torch_xla.launch(worker, args=(args,))


if __name__ == "__main__":
    main(parse())
