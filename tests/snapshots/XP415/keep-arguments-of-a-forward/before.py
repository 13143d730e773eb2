import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x, mode, step, memories, size, batch, cache=None):
        if mode == "train":
            x = self.linear(x)
        if step == 0:
            x = x + 1
        if not memories or memories[0].has("keys"):
            x = x * 2
        for i in range(size):
            x = x + i
        for row, kind in enumerate(batch["kinds"]):
            if kind == 0:
                x[row] = 0
        height, width = size
        assert x.shape[1] == 1 + height * width
        offset = cache.get("offset", 0) if cache is not None else 0
        moved = [row["boxes"].to(x.device) for row in memories]
        if moved[0].has("masks"):
            x = x * 3
        if offset > 0:
            x = x + 2
        return x


model = Net().to("cuda")
