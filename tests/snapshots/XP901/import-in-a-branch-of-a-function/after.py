import torch

from chips import has_tpu


def device():
    if has_tpu():
        import torch_xla.core.xla_model as xm
        import torch_xla as xla

        found = xla.device()
    else:
        found = torch.device("cuda:0")
    return found
