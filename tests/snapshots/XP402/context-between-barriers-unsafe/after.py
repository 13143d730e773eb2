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
        length = torch.tensor([idx.size(1)], device=idx.device)  # what is written of idx
        places = torch.arange(min(self.block_size, idx.size(1) + count - 1), device=idx.device)
        idx = torch.cat((idx, idx.new_zeros(idx.size(0), count)), dim=1)
        torch_xla.sync()
        for _ in range(count):
            # no more than the model can take
            first = (length - self.block_size).clamp(min=0)
            idx_cond = idx.index_select(1, first + places)
            logits = self(idx_cond).index_select(1, length - first - 1)[:, -1]
            idx_next = torch.multinomial(logits.softmax(-1), num_samples=1)
            # the sequence goes on
            idx, length = idx.index_copy(1, length, idx_next), length + 1
            torch_xla.sync()
        return idx


model = Model(4).to(device)
seen = torch.zeros(1, 4, dtype=torch.long, device=device)
with torch.no_grad():
    length = torch.tensor([seen.size(1)], device=seen.device)  # what is written of seen
    places = torch.arange(min(4, seen.size(1) + 16 - 1), device=seen.device)
    seen = torch.cat((seen, seen.new_zeros(seen.size(0), 16)), dim=1)
    torch_xla.sync()
    for _ in range(16):
        first = (length - 4).clamp(min=0)
        window = seen.index_select(1, first + places)
        token = model(window).index_select(1, length - first - 1)[:, -1].argmax(-1, keepdim=True)
        seen, length = seen.index_copy(1, length, token), length + 1
        torch_xla.sync()
print(seen, model.generate(seen, 16))
