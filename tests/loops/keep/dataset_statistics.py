"""Statistics of a dataset, class weights, augmentation: all of it on the host."""

import torch
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
data = TensorDataset(torch.randn(96, 3, 4, 4), torch.randint(0, 3, (96,)))
loader = DataLoader(data, batch_size=16)

mean, square, n = torch.zeros(3), torch.zeros(3), 0
for images, _ in loader:
    mean += images.mean(dim=[0, 2, 3])
    square += (images**2).mean(dim=[0, 2, 3])
    n += 1
mean /= n
std = (square / n - mean**2).sqrt()
print(mean.tolist(), std.tolist())

counts = torch.zeros(3)
for _, label in data:
    counts[label] += 1
weights = (counts.sum() / counts).to(device)

augmented = []
for image, label in data:
    image = (image - mean[:, None, None]) / std[:, None, None]
    if torch.rand(1).item() < 0.5:
        image = image.flip(2)
    augmented.append(image)
images = torch.stack(augmented)
