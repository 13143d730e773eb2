import torch


def dtype(use_npu):
    supported = torch.cuda.is_available() or use_npu
    return torch.float16 if supported else torch.float32
