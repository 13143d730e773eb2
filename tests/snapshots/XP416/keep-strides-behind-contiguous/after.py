import torch


def windows(frames: torch.Tensor, width: int) -> torch.Tensor:
    dense = frames.transpose(0, 1).contiguous()
    rows, steps = dense.shape[0], dense.stride()
    return dense.as_strided((rows - width + 1, width), (steps[0], steps[0]))


def last(frames: torch.Tensor) -> int:
    return frames.contiguous().stride(-1)


def channels(images: torch.Tensor) -> tuple[int, ...]:
    images = images.contiguous(memory_format=torch.channels_last)
    return images.stride()  # of channels that come last elsewhere


def turned(frames: torch.Tensor) -> tuple[int, ...]:
    dense = frames.contiguous()
    return dense.t().stride()
