import torch


def load(gpu):
    return torch.load("model.pt", map_location=lambda storage, loc: storage.cuda(gpu))
