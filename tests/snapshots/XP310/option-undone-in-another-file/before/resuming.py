import torch


def resume(optimizer, path):
    optimizer.load_state_dict(torch.load(path, map_location="cpu")["optimizer"])
