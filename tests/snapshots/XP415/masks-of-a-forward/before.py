import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(4, 4)

    def forward(self, x, keys, padding_mask=None):
        scores = torch.matmul(self.query(x), keys.transpose(1, 2))
        if padding_mask is not None and padding_mask.any():
            scores = scores.masked_fill(padding_mask, -1e9)
        if torch.isinf(scores).any():
            scores = torch.clamp(scores, -1e4, 1e4)
        empty = scores.eq(0)
        if not empty.any():
            empty = None
        mask = [empty] if scores.eq(1).any() else []
        scale = scores.max() if scores.max() > 1 else 1.0
        if scores.sum() > 0:
            scores = scores * 2
            weights = scores.softmax(-1)
        else:
            weights = scores
        for i, done in enumerate(scores.sum((1, 2)) > 3):
            if done:
                print(i)
        return weights / scale, mask
