"""What XP427 has put apart gets a context of a fixed size."""

import torch
import torch_xla
from torch import nn

device = torch_xla.device()


class Model(nn.Module):
    def __init__(self, block_size):
        super().__init__()
        self.block_size = block_size
        self.embedding = nn.Embedding(8, 8)

    def forward(self, idx):
        return self.embedding(idx)

    @torch.no_grad()
    def generate(self, idx, count):
        for _ in range(count):
            # no more than the model can take
            idx_cond = idx if idx.size(1) <= self.block_size else idx[:, -self.block_size :]
            torch_xla.sync()
            logits = self(idx_cond)[:, -1]
            idx_next = torch.multinomial(logits.softmax(-1), num_samples=1)
            # the sequence goes on
            torch_xla.sync()
            idx = torch.cat((idx, idx_next), dim=1)
        return idx


model = Model(4).to(device)
seen = torch.zeros(1, 4, dtype=torch.long, device=device)
with torch.no_grad():
    for _ in range(16):
        window = seen[:, -4:]
        torch_xla.sync()
        token = model(window)[:, -1].argmax(-1, keepdim=True)
        torch_xla.sync()
        seen = torch.cat([seen, token], 1)
print(seen, model.generate(seen, 16))
