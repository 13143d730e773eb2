import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend


def worker(rank):
    dist.init_process_group("xla", init_method="xla://")


def unused(rank):
    dist.init_process_group(backend="xla", init_method="xla://")


if __name__ == "__main__":
    torch_xla.launch(worker)
    torch_xla.launch(unused)
