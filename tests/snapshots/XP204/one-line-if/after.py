import torch_xla
import torch_xla.core.xla_model as xm


def main(args):
    if args.cuda:
        torch_xla.sync()
        xm.wait_device_ops()
