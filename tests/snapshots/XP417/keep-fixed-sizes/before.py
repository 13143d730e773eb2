import random

import torch
import torch.nn.functional as F
import torchvision.transforms.functional as TF
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __getitem__(self, index):
        image = torch.zeros(3, 416, 416)
        side = random.randint(200, 400)  # of a crop that is made 224 again
        image = TF.resized_crop(image, 0, 0, side, side, [224, 224])
        if random.random() < 0.5:
            image = image.flip(2)
        return image

    def __len__(self):
        return 64


def collate(batch):
    few = random.choice([224, 256])
    place = random.randint(0, 32)
    batch = [TF.crop(image, place, place, 192, 192) for image in batch]
    return F.interpolate(torch.stack(batch), size=few)


def shown(image):  # by nobody who makes batches
    return F.interpolate(image, size=random.randint(32, 96))


device = torch.device("cuda")
model = nn.Conv2d(3, 8, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in DataLoader(Images(), 8, collate_fn=collate):
    loss = model(batch.to(device)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
