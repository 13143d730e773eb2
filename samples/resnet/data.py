"""Synthetic images: each class is a pattern of waves, in a random phase and under noise."""

import math

import torch
from torch.utils.data import Dataset


class Waves(Dataset):
    def __init__(self, length, num_classes=10, size=24, seed=0, transform=None):
        rng = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, num_classes, (length,), generator=rng)
        angle = self.labels * (math.pi / num_classes)
        phase = 2 * math.pi * torch.rand(length, 3, generator=rng)
        y, x = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
        across = angle.cos().view(-1, 1, 1) * x + angle.sin().view(-1, 1, 1) * y
        waves = torch.sin(across.unsqueeze(1) * 0.9 + phase.view(-1, 3, 1, 1))
        self.images = waves + torch.randn(waves.shape, generator=rng)
        self.transform = transform

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        image, label = self.images[index], int(self.labels[index])
        if self.transform is not None:
            image = self.transform(image)
        return image, label


class RandomShift:
    """Moves the image by some pixels, as RandomCrop with padding does."""

    def __init__(self, pixels):
        self.pixels = pixels

    def __call__(self, image):
        dy, dx = torch.randint(-self.pixels, self.pixels + 1, (2,)).tolist()
        return torch.roll(image, (dy, dx), dims=(1, 2))
