import torch
from torch import nn
from torch.nn import GLU
from torch.nn.utils import weight_norm


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag = nn.EmbeddingBag(100, 8, mode="sum")
        self.gate = GLU()
        self.conv = weight_norm(nn.Conv1d(4, 4, 3))
        self.up = nn.Upsample(scale_factor=2, mode="bicubic")
        self.patches = nn.Unfold(3)

    def forward(self, ids, image, grid):
        sampled = nn.functional.grid_sample(image, grid, align_corners=False)
        windows = self.gate(self.bag(ids)).unfold(1, 2, 1)
        return self.patches(self.up(sampled)), windows


criterion = nn.CTCLoss(blank=0)
model = Net().to("cuda")
