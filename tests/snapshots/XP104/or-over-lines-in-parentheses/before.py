import torch


def supported(is_torch_npu_available):
    has_accelerator = (
        torch.cuda.is_available() or torch.backends.mps.is_available() or is_torch_npu_available()
    )
    return has_accelerator
