"""Each call of the function leaves out the model, so that what it does to a picture is the host's work alone."""

import random

import numpy as np
import torch
from torch.utils.data import Dataset


def spoil(picture, model=None):
    for kind in random.sample(range(3), 3):
        if kind == 0:
            picture = picture + np.random.randn(*picture.shape)
        elif random.random() < 0.25 and model is not None:
            with torch.no_grad():
                picture, whole = model.forward(picture.copy(), picture)
    return picture


class Pictures(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.from_numpy(spoil(np.zeros((4, 4)))).float()
