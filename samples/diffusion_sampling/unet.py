"""A small U-Net that predicts the noise in an image, given the noise level and a class."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def timestep_embedding(timesteps, dim):
    freqs = torch.exp(-math.log(10000) * torch.arange(dim // 2, device=timesteps.device) / (dim // 2))
    args = timesteps[:, None].float() * freqs[None]
    return torch.cat([torch.cos(args), torch.sin(args)], dim=-1)


class ResBlock(nn.Module):
    def __init__(self, in_channels, out_channels, emb_dim):
        super().__init__()
        self.norm1 = nn.GroupNorm(4, in_channels)
        self.conv1 = nn.Conv2d(in_channels, out_channels, 3, padding=1)
        self.emb = nn.Linear(emb_dim, out_channels)
        self.norm2 = nn.GroupNorm(4, out_channels)
        self.conv2 = nn.Conv2d(out_channels, out_channels, 3, padding=1)
        self.skip = nn.Identity()
        if in_channels != out_channels:
            self.skip = nn.Conv2d(in_channels, out_channels, 1)

    def forward(self, x, emb):
        h = self.conv1(F.silu(self.norm1(x)))
        h = h + self.emb(F.silu(emb))[:, :, None, None]
        h = self.conv2(F.silu(self.norm2(h)))
        return self.skip(x) + h


class UNet(nn.Module):
    def __init__(self, channels=16, num_classes=4):
        super().__init__()
        emb_dim = 4 * channels
        self.channels = channels
        self.num_classes = num_classes
        self.time_mlp = nn.Sequential(nn.Linear(channels, emb_dim), nn.SiLU(), nn.Linear(emb_dim, emb_dim))
        self.label_emb = nn.Embedding(num_classes + 1, emb_dim)  # the last one is "no class"
        self.conv_in = nn.Conv2d(1, channels, 3, padding=1)
        self.down1 = ResBlock(channels, channels, emb_dim)
        self.downsample = nn.Conv2d(channels, 2 * channels, 3, stride=2, padding=1)
        self.middle = ResBlock(2 * channels, 2 * channels, emb_dim)
        self.upsample = nn.Conv2d(2 * channels, channels, 3, padding=1)
        self.up1 = ResBlock(2 * channels, channels, emb_dim)
        self.norm_out = nn.GroupNorm(4, channels)
        self.conv_out = nn.Conv2d(channels, 1, 3, padding=1)

    def forward(self, sample, timestep, labels):
        # broadcast the timestep to the batch dimension
        timesteps = timestep.expand(sample.shape[0])
        emb = self.time_mlp(timestep_embedding(timesteps, self.channels)) + self.label_emb(labels)
        x = self.conv_in(sample)
        skip = self.down1(x, emb)
        x = self.middle(self.downsample(skip), emb)
        x = self.upsample(F.interpolate(x, scale_factor=2, mode="nearest"))
        x = self.up1(torch.cat([x, skip], dim=1), emb)
        return self.conv_out(F.silu(self.norm_out(x)))
