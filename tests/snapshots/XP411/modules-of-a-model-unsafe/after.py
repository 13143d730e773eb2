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


def sampled_grid(input, grid, padding_mode="zeros", align_corners=False):
    """The images of grid_sample(mode="bilinear"): the four neighbours of each place, weighted by their distance."""
    height, width = input.shape[-2:]
    # The places are counted exactly: float16 and bfloat16 skip whole numbers, from 2048 and 256 on.
    x, y = grid.to(torch.promote_types(grid.dtype, torch.float32)).unbind(-1)
    if align_corners:
        x, y = (x + 1) / 2 * (width - 1), (y + 1) / 2 * (height - 1)
    else:
        x, y = ((x + 1) * width - 1) / 2, ((y + 1) * height - 1) / 2
    if padding_mode == "border":
        x = torch.where((x > 0) & (x < width - 1), x, x.detach().clamp(0, width - 1))
        y = torch.where((y > 0) & (y < height - 1), y, y.detach().clamp(0, height - 1))
    left, top = x.detach().floor().long(), y.detach().floor().long()
    sampled = 0
    for column, across in ((left, left + 1 - x), (left + 1, x - left)):
        for row, down in ((top, top + 1 - y), (top + 1, y - top)):
            inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
            place = (row.clamp(0, height - 1) * width + column.clamp(0, width - 1)).flatten(1)
            values = input.flatten(2).gather(2, place.unsqueeze(1).expand(-1, input.size(1), -1))
            sampled = sampled + values.unflatten(2, x.shape[1:]) * torch.where(inside, across * down, 0).unsqueeze(1)
    return sampled.to(torch.promote_types(input.dtype, grid.dtype))


def sliding_windows(input, dimension, size, step):
    """The windows of Tensor.unfold(), copied by an index, which XLA has a kernel for."""
    starts = torch.arange((input.size(dimension) - size) // step + 1, device=input.device) * step
    places = starts.unsqueeze(1) + torch.arange(size, device=input.device)
    windows = input.index_select(dimension, places.flatten())
    return windows.unflatten(dimension, places.shape).movedim(dimension + 1 if dimension >= 0 else dimension, -1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag = SummedEmbeddingBag(100, 8, mode="sum")
        self.gate = GatedLinearUnit()
        self.conv = LoweredWeightNorm.apply(nn.Conv1d(4, 4, 3))
        self.up = nn.Upsample(scale_factor=2, mode="bicubic")
        self.patches = UnfoldSlices(3)

    def forward(self, ids, image, grid):
        sampled = sampled_grid(image, grid, align_corners=False)
        windows = sliding_windows(self.gate(self.bag(ids)), 1, 2, 1)
        return self.patches(self.up(sampled)), windows


criterion = nn.CTCLoss(blank=0)
model = Net().to("cuda")
