import torch_xla
import torch_xla.core.xla_model as xm


def main():
    torch_xla.sync()
    xm.wait_device_ops()
