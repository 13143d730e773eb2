import torch
import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend


def main():
    dist.init_process_group("xla", init_method="xla://", timeout=delay())


def other(device):
    dist.init_process_group(backend="xla", init_method="xla://")


def _mp_fn(index):
    main()
    other(torch.device("cuda"))


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
