import torch
from torch import nn


class SummedEmbeddingBag(torch.nn.EmbeddingBag):
    """The sums of nn.EmbeddingBag(mode="sum") by operations that XLA has a kernel for."""

    def forward(self, input, offsets=None, per_sample_weights=None):
        rows = torch.nn.functional.embedding(input, self.weight)
        if per_sample_weights is not None:
            rows = rows * per_sample_weights.unsqueeze(-1)
        if offsets is None:
            return rows.sum(1)
        bag = (torch.arange(len(input), device=input.device).unsqueeze(1) >= offsets).sum(1) - 1
        # In 32 bits at least: to a large sum, float16 and bfloat16 add nothing any more.
        sums = rows.new_zeros(len(offsets), rows.size(1), dtype=torch.promote_types(rows.dtype, torch.float32))
        return sums.index_add(0, bag, rows.to(sums.dtype)).to(rows.dtype)


class MeanEmbeddingBag(torch.nn.EmbeddingBag):
    """The means of nn.EmbeddingBag(mode="mean") by operations that XLA has a kernel for."""

    def forward(self, input, offsets=None):
        rows = torch.nn.functional.embedding(input, self.weight)
        if offsets is None:
            return rows.mean(1)
        bag = (torch.arange(len(input), device=input.device).unsqueeze(1) >= offsets).sum(1) - 1
        count = torch.zeros_like(offsets).index_add(0, bag, torch.ones_like(bag)).clamp(min=1)
        # In 32 bits at least: to a large sum, float16 and bfloat16 add nothing any more.
        sums = rows.new_zeros(len(offsets), rows.size(1), dtype=torch.promote_types(rows.dtype, torch.float32))
        sums = sums.index_add(0, bag, rows.to(sums.dtype))
        return (sums / count.unsqueeze(1)).to(rows.dtype)


def summed_embedding_bag(input, weight, offsets=None, per_sample_weights=None):
    """The sums of embedding_bag(mode="sum") by operations that XLA has a kernel for."""
    rows = torch.nn.functional.embedding(input, weight)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(-1)
    if offsets is None:
        return rows.sum(1)
    bag = (torch.arange(len(input), device=input.device).unsqueeze(1) >= offsets).sum(1) - 1
    # In 32 bits at least: to a large sum, float16 and bfloat16 add nothing any more.
    sums = rows.new_zeros(len(offsets), rows.size(1), dtype=torch.promote_types(rows.dtype, torch.float32))
    return sums.index_add(0, bag, rows.to(sums.dtype)).to(rows.dtype)


class Tables(nn.Module):
    def __init__(self, is_sparse):
        super().__init__()
        self.one = SummedEmbeddingBag(10, 4, mode="sum")
        self.two = MeanEmbeddingBag(10, 4, mode="mean")
        self.three = MeanEmbeddingBag(10, 4)
        self.weight = nn.Parameter(torch.zeros(10, 4))

    def forward(self, indices):
        total = self.one(indices[0]) + self.two(indices[0]) + self.three(indices[0])
        return total + summed_embedding_bag(indices[0], self.weight)


def train(loader):
    model = Tables(True).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for indices in loader:
        loss = model(indices).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
