import torch

device = torch.device("cuda")


def own(x: torch.Tensor):
    if x.storage_offset() != 0:
        x = x.clone(memory_format=torch.contiguous_format)
    return x


def layout(x: torch.Tensor):
    whole = x.clone(memory_format=torch.contiguous_format)
    row = x.contiguous(memory_format=torch.contiguous_format)
    print(0 in x.stride())
    return whole.stride(), whole.storage_offset(), row.stride()


def kept(x: torch.Tensor):
    copy = x.clone()
    images = x.contiguous(memory_format=torch.channels_last)
    row = x.contiguous()
    return copy.stride(), images.stride(), row.storage_offset(), x.storage_offset() + 1


def windows(x: torch.Tensor):
    if x.storage_offset() == 0:
        return torch.as_strided(x, (2, 2), (1, 1))
    return None


x = torch.rand(8, 8, device=device)
print(own(x), layout(x), kept(x), windows(x))
