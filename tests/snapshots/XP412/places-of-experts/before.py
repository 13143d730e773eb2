import torch
from torch import nn


class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(8, 4)
        self.experts = nn.ModuleList([nn.Linear(8, 8) for _ in range(4)])

    def forward(self, x):
        scores, indices = self.gate(x).softmax(-1).topk(2, dim=-1)
        out = torch.zeros_like(x)
        also = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            mask = indices == i
            tokens = mask.any(dim=-1)
            places = tokens.nonzero(as_tuple=False).squeeze(-1)
            if places.numel() == 0:
                continue
            slots = mask[places].int().argmax(dim=-1, keepdim=True)
            weights = scores.index_select(0, places).gather(-1, slots)
            hidden = expert(torch.index_select(x, 0, places)) * weights
            out.index_add_(0, places, hidden)
            also.index_copy_(0, places, hidden)
            rest = (~tokens).nonzero().squeeze(-1)
            out.index_add_(0, rest, self.scaled(rest, x))
        return out + also

    def scaled(self, rest, x):
        return x[rest] * 0.5


model = Experts().cuda()
