import torch
from torch import nn


class Packing(nn.Module):
    def forward(self, images, counts):
        lengths = [image.shape[0] for image in images]
        ids = torch.arange(len(images), device=images[0].device)
        spread = torch.repeat_interleave(ids, torch.tensor(lengths, device=ids.device))
        return spread, torch.repeat_interleave(ids, counts)


model = Packing().cuda()
