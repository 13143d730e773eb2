import torch
import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend


def main(batch):
    dist.init_process_group("xla", init_method="xla://")
    if batch % torch.cuda.device_count() != 0:
        raise ValueError("the batch has to be divisible")


def _mp_fn(index):
    main(64)


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
