import torch


def load(path, gpu, model):
    device = torch.accelerator.current_accelerator()
    if gpu is None:
        state = torch.load(path)
    else:
        loc = f"{device.type}:{gpu}"
        state = torch.load(path, map_location=loc)
    model.load_state_dict(state)
    return torch.load(path, map_location=f"{device.type}:0")
