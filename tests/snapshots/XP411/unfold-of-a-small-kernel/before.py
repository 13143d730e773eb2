import torch
import torch.nn.functional as F
from torch import nn


class Upsampler(nn.Module):
    def forward(self, flow):
        n, _, h, w = flow.shape
        near = F.unfold(8 * flow, [3,3], padding=1)
        wide = F.unfold(flow, 3, padding=1, stride=2)
        return near.view(n, 2, 9, 1, 1, h, w), wide


model = Upsampler().to("cuda")
print(model(torch.zeros(1, 2, 8, 8, device="cuda")))
