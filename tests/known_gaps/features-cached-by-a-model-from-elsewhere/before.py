import towers
import torch
from torch.utils.data import DataLoader


@torch.no_grad()
def extracted(tower, images, device):
    return tower(images.to(device))


@torch.no_grad()
def cached(tower, loader, count, device):
    features = torch.empty(count, 16, device=device)
    start = 0
    for images in loader:
        found = extracted(tower, images, device)
        features[start : start + found.shape[0]] = found
        start += found.shape[0]
    return features


device = torch.device("cuda")
model, _ = towers.create("small")
model = model.to(device).eval()
print(cached(model.visual, DataLoader(torch.randn(64, 8), batch_size=8), 64, device).sum().item())
