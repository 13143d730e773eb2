import torch
from torch import nn


class Gathered(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(10, 4)

    def forward(self, kinds, local, tables):
        out = torch.zeros(len(kinds), 4, device=kinds.device)
        for kind, table in tables.items():
            chosen = kinds == kind
            out[chosen] = table[local[chosen]]
            out[chosen] += 2 * self.words(local[chosen] - 1)
            places = local[chosen].long()
            out[chosen] = table[places]
            out[chosen] = table[places] * out[chosen]
            out[chosen] = (out[chosen] @ self.words.weight.T)[:, :4]
        return out


Gathered().cuda()
