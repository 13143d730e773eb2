import torch


def step(model, x):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        y = model(x)
    with torch.autocast(device_type="cuda"):
        return model(y)
