import torch
from torch import nn

model = nn.Linear(16, 4).cuda()


def padded(x, size):
    return nn.functional.pad(x, (0, size - x.shape[-1]))


def spectrum(audio, device=None):
    audio = torch.from_numpy(audio)
    if device is not None:
        audio = audio.to(device)
    return audio.abs()


@torch.no_grad()
def transcribe(audio):
    mel = spectrum(audio)
    seek = 0
    while seek < mel.shape[-1]:
        size = min(16, mel.shape[-1] - seek)
        segment = mel[:, seek : seek + size]
        seek += size
        segment = padded(segment, 16).to(model.weight.device)
        print(model(segment)[:, : size // 4].sum().item())
