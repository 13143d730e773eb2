import torch
from torch import nn


def unfold_places(input, kernel_size, padding=0):
    """The blocks of unfold(), by one slice of the image for each place of the kernel, which XLA has a kernel for."""
    height, width = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
    input = torch.nn.functional.pad(input, (padding, padding, padding, padding))
    rows, columns = input.size(-2) - height + 1, input.size(-1) - width + 1
    slices = [input[..., y : y + rows, x : x + columns] for y in range(height) for x in range(width)]
    return torch.stack(slices, -3).flatten(-4, -3).flatten(-2)


def unfold_slices(input, kernel_size, dilation=1, padding=0, stride=1):
    """The blocks of unfold(), by slices of the image, or by index, which XLA has kernels for."""
    (k1, k2), (d1, d2), (p1, p2), (s1, s2) = [
        (size, size) if isinstance(size, int) else size for size in (kernel_size, dilation, padding, stride)
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


class Upsampler(nn.Module):
    def forward(self, flow):
        n, _, h, w = flow.shape
        near = unfold_places(8 * flow, [3,3], padding=1)
        wide = unfold_slices(flow, 3, padding=1, stride=2)
        return near.view(n, 2, 9, 1, 1, h, w), wide


model = Upsampler().to("cuda")
print(model(torch.zeros(1, 2, 8, 8, device="cuda")))
