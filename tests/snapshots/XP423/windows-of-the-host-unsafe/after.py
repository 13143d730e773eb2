import torch
from torch import nn


def loudness(record, size):
    """A window of the host takes no sound of the device."""
    sound = record["sound"].flatten()
    if sound.numel() < size:
        sound = nn.functional.pad(sound, (0, size - sound.numel()))
    bands = torch.stft(sound, size, window=torch.hamming_window(size), return_complex=True)
    record["loudness"] = bands.abs().sum(-1)
    return record


def there(record, size, device):
    sound = record["sound"].to(device)
    shape = torch.hamming_window(size, device=device)
    bands = torch.stft(sound, size, window=shape, return_complex=True)
    return torch.linalg.vector_norm(torch.view_as_real(bands), dim=-1).sum(-1)
