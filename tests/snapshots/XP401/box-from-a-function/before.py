import numpy as np
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Conv2d(3, 3, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def rand_bbox(size, lam):
    width = size[2]
    cut = int(width * np.sqrt(1.0 - lam))
    centre = np.random.randint(width)
    start = np.clip(centre - cut // 2, 0, width)
    stop = np.clip(centre + cut // 2, 0, width)
    return start, stop, "box"


for images, labels in torch.utils.data.DataLoader([(torch.zeros(3, 8, 8), 0)] * 64, batch_size=8):
    images = images.to(device)
    order = torch.randperm(8, device=device)
    start, stop, name = rand_bbox(images.size(), np.random.beta(1.0, 1.0))
    images[:, :, start:stop] = images[order, :, start:stop]
    loss = model(images).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
