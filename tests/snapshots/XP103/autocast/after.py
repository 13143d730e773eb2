import torch
import torch_xla


def step(model, x):
    with torch.autocast("xla", dtype=torch.bfloat16):
        y = model(x)
    with torch.autocast(device_type="xla"):
        return model(y)
