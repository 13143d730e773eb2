import torch
from torch import nn


class Suppress(nn.Module):
    def forward(self, boxes, weights):
        scores = boxes @ weights
        kept = []
        while scores.numel() > 0:
            kept.append(scores.max())
            keep = scores < 0.5 * scores.max()
            scores = scores[keep]
        return torch.stack(kept)


class Classes(nn.Module):
    def forward(self, scores, mask):
        mask = mask > 0
        return scores[mask].mean() + scores.sigmoid()[mask].mean()


nn.Sequential(Suppress(), Classes()).cuda()


class Parts(nn.Module):
    def forward(self, scores, kinds):
        parts = []
        for kind in range(3):
            parts.append(scores[kinds == kind])
        return [len(part) for part in parts]


Parts().cuda()
