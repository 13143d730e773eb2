import pickle

import torch
from torch.utils.data import DataLoader


def mean_of(dataset, path, device=torch.device("cuda")):
    with open(path, "rb") as file:
        net = pickle.load(file).to(device)
    mean = torch.zeros(64, device=device)
    for images, _ in DataLoader(dataset, batch_size=64, drop_last=True):
        mean += net(images.to(device), features=True).sum(0)
    return mean.cpu().numpy()
