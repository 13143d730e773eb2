import torch


class Own:
    def get_device(self):
        return torch.device("cpu")


def zeros(model, x):
    return torch.zeros(3, device=model.get_device()), torch.zeros(3, device=x.thing.get_device())
