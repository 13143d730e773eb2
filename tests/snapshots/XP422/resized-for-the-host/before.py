import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")
model = nn.Conv2d(1, 1, 3, padding=1).to(device)
data = TensorDataset(torch.zeros(64, 1, 8, 8), torch.full((64, 2), 9))
found = []
with torch.no_grad():
    for images, sizes in DataLoader(data, batch_size=8):
        images, sizes = images.to(device), sizes.to(device)
        masks = model(images)
        for mask, size in zip(masks, sizes):
            whole = F.interpolate(mask[None], size=tuple(size.tolist()), mode="bilinear")
            found.append((F.interpolate(mask[None], size=tuple(size.tolist()), mode="bilinear").sigmoid() > 0.5).cpu())
            model(whole)
        largest = sizes.max().item()
        found.append(torch.sigmoid(F.interpolate(masks, size=(largest, largest))).cpu())
