import torch
from torch import nn


class Upsample(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(4, 4)

    def forward(self, x, durations):
        frames = torch.repeat_interleave(self.query(x), durations, dim=1)
        voiced = frames.mean(-1)
        voiced[torch.where(voiced < 0)] = 0.0
        return frames, voiced
