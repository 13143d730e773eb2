from functools import partial

import torch


def low_precision(name):
    dtype = torch.float16 if name == "half" else None
    return partial(torch.amp.autocast, device_type="cuda", dtype=dtype)


scaler = torch.amp.GradScaler("cuda")
autocast = low_precision("half")
