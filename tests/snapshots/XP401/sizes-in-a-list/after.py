import math
import random

import torch
import torch.nn.functional as F
from torch import nn

device = torch.device("cuda")
model = nn.Conv2d(3, 8, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
SIZES = [320, 352, 384, 416, 448, 480]
for images in torch.utils.data.DataLoader([torch.zeros(3, 64, 64)] * 64, batch_size=8):
    images = images.to(device)
    size = random.randrange(32, 96) // 8 * 8
    scale = size / max(images.shape[2:])
    shape = [math.ceil(x * scale / 8) * 8 for x in images.shape[2:]]
    images = F.interpolate(images, size=shape, mode="bilinear")
    others = F.interpolate(images, size=random.choice(SIZES))
    few = F.interpolate(images, size=random.choice([32, 64]))
    same = [64, 64]
    fixed = F.interpolate(images, size=same)
    mode = random.choice(["a", "b", "c", "d", "e"])
    loss = model(images).mean() + others.mean() + few.mean() + fixed.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
