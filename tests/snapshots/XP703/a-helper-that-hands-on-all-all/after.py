import torch.distributed as dist
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.xla_backend
from torch import nn


def is_initialized():
    return dist.is_available() and dist.is_initialized()


def get_rank():
    if not is_initialized():
        return 0
    return dist.get_rank()


def is_main_process():
    return get_rank() == 0


def save_on_master(*args, **kwargs):
    xm.save(*args, **kwargs, global_master=True)


def main(index):
    dist.init_process_group("xla", init_method="xla://")
    model = nn.Linear(4, 2).to(torch_xla.device())
    save_on_master({"model": model.state_dict(), "epoch": 3}, "model.pt")


torch_xla.launch(main)
