import torch_xla
import torch_xla.core.xla_model as xm


def wait(device):
    torch_xla.sync()
    xm.wait_device_ops()
    torch_xla.sync()
    xm.wait_device_ops()
