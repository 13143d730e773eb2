import numpy as np
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Conv2d(3, 3, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def bounds(width):
    centre = np.random.randint(width)
    return centre - 1, centre + 1, width


start, stop, _ = bounds(8)
for images, labels in torch.utils.data.DataLoader([(torch.zeros(3, 8, 8), 0)] * 64, batch_size=8):
    images = images.to(device)
    _, _, width = bounds(8)
    loss = model(images[:, :, start:stop]).mean() + images[:, :, :width].mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
