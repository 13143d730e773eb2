import torch
import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend

device = torch.device("cuda")


def main():
    dist.init_process_group("xla", init_method="xla://")


def _mp_fn(index):
    main()


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
