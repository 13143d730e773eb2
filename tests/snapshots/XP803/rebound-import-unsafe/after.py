from torch.cuda import get_device_name as name
import torch_xla.core.xla_model as xm

print(xm.xla_device_kind())
from socket import gethostname as name

print(name())


def where():
    return name()


def choose(local):
    if local:
        from platform import node as ask
    else:
        from torch.cuda import get_device_name as ask
    return ask()
