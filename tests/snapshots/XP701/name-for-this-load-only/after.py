import torch


def load(path, gpu, model):
    checkpoint = torch.load(path, map_location="cpu")
    model.load_state_dict(checkpoint)


def load_and_tell(path, gpu):
    loc = f"cuda:{gpu}"
    print(loc)
    return torch.load(path, map_location="cpu")
