import torch
import warnings


def place(grads, args):
    if torch.cuda.is_available():
        warnings.warn("install the fused kernels")
        device = torch.device("cpu")
    elif grads[0].device.type == "xla":
        device = grads[0].device
    else:
        device = torch.device("cpu")
    if args.use_tpu:
        workers = 1
    elif torch.cuda.is_available():
        workers = 4
    else:
        workers = 0
    return device, workers
