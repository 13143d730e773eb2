import torch

DTYPES = {"half": torch.float16, "single": torch.float32}


def low_precision(name):
    return torch.autocast("cuda", dtype=DTYPES[name])
