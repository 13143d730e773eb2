import random

import numpy as np
import torch
import torch.nn.functional as F
import torchvision.transforms.functional as TF
from torch import nn
from torch.utils.data import DataLoader, Dataset


def resize(image, size):
    return F.interpolate(image.unsqueeze(0), size=size, mode="nearest").squeeze(0)


class Images(Dataset):
    def __init__(self):
        self.size = 416
        self.count = 0

    def __getitem__(self, index):
        return torch.zeros(3, 416, 416)

    def __len__(self):
        return 64

    def collate(self, batch):
        if self.count % 10 == 0:
            self.size = random.choice(range(320, 640, 32))
        self.count += 1
        return torch.stack([resize(image, self.size) for image in batch])


def crops(batch):
    height, width = 32, np.random.randint(32, 96)
    side = np.random.randint(32, 96)
    batch = [TF.crop(image, 0, 0, side, side) for image in batch]
    return torch.stack([TF.resize(image, [side + 8, side + 8]) for image in batch])


images = Images()
device = torch.device("cuda")
model = nn.Conv2d(3, 8, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for loader in (DataLoader(images, 8, collate_fn=images.collate), DataLoader(images, 8, collate_fn=crops)):
    for batch in loader:
        loss = model(batch.to(device)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
