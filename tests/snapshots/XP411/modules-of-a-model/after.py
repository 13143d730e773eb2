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


class GatedLinearUnit(torch.nn.GLU):
    """The same as nn.GLU, whose gradient XLA has no kernel for."""

    def forward(self, input):
        values, gates = input.chunk(2, self.dim)
        return values * torch.sigmoid(gates)


class LoweredWeightNorm:
    """weight_norm(), with the weight computed by operations that XLA has a kernel for."""

    def __init__(self, name, dim):
        self.name, self.dim = name, dim

    def __call__(self, module):
        direction = getattr(module, self.name + "_v")
        length = torch.norm_except_dim(direction, 2, -1 if self.dim is None else self.dim)
        return direction * (getattr(module, self.name + "_g") / length)

    @staticmethod
    def apply(module, name="weight", dim=0):
        torch.nn.utils.weight_norm(module, name, dim)
        for hook in module._forward_pre_hooks.values():
            if getattr(hook, "name", None) == name:
                hook.compute_weight = LoweredWeightNorm(name, dim)
        return module


class UnfoldSlices(torch.nn.Unfold):
    """The same as nn.Unfold, by slices of the image, or by index, which XLA has kernels for."""

    def forward(self, input):
        (k1, k2), (d1, d2), (p1, p2), (s1, s2) = [
            (size, size) if isinstance(size, int) else size
            for size in (self.kernel_size, self.dilation, self.padding, self.stride)
        ]
        input = torch.nn.functional.pad(input, (p2, p2, p1, p1))
        rows = (input.size(-2) - d1 * (k1 - 1) - 1) // s1 * s1 + 1
        columns = (input.size(-1) - d2 * (k2 - 1) - 1) // s2 * s2 + 1
        if k1 * k2 > 64:  # so many slices take minutes to compile
            down = torch.arange(0, rows, s1) + torch.arange(k1)[:, None] * d1
            right = torch.arange(0, columns, s2) + torch.arange(k2)[:, None] * d2
            blocks = input.index_select(-2, down.flatten().to(input.device))
            blocks = blocks.index_select(-1, right.flatten().to(input.device))
            blocks = blocks.unflatten(-1, right.shape).unflatten(-3, down.shape).transpose(-3, -2)
            return blocks.flatten(-5, -3).flatten(-2)
        slices = [
            input[..., y : y + rows : s1, x : x + columns : s2]
            for y in range(0, d1 * k1, d1)
            for x in range(0, d2 * k2, d2)
        ]
        return torch.stack(slices, -3).flatten(-4, -3).flatten(-2)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag = SummedEmbeddingBag(100, 8, mode="sum")
        self.gate = GatedLinearUnit()
        self.conv = LoweredWeightNorm.apply(nn.Conv1d(4, 4, 3))
        self.up = nn.Upsample(scale_factor=2, mode="bicubic")
        self.patches = UnfoldSlices(3)

    def forward(self, ids, image, grid):
        sampled = nn.functional.grid_sample(image, grid, align_corners=False)
        windows = self.gate(self.bag(ids)).unfold(1, 2, 1)
        return self.patches(self.up(sampled)), windows


criterion = nn.CTCLoss(blank=0)
model = Net().to("cuda")
