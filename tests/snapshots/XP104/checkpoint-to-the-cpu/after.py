import torch


def load(model, path):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state)
    other = torch.load(path, map_location=torch.device("cpu"))
    third = torch.load(path, map_location="cpu")
    return other, third
