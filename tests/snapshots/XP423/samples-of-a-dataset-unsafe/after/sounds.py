import torch
import torchaudio
from torch.utils.data import Dataset, IterableDataset


def bands(sound, size):
    return torch.stft(sound, size, return_complex=True).abs()


def louder(samples):
    for sample in samples:
        sample["bands"] = torch.stft(sample["sound"], 64, return_complex=True).abs()
        yield sample


def heard(sample, size):
    return torch.stft(sample["sound"], size, return_complex=True).abs()


def shared(sound):
    return torch.linalg.vector_norm(torch.view_as_real(torch.stft(sound, 64, return_complex=True)), dim=-1)


class Mapped(IterableDataset):
    def __init__(self, source, function):
        self.source, self.function = source, function

    def __iter__(self):
        return self.function(iter(self.source))


class Sounds(Dataset):
    def __getitem__(self, index):
        sound, _ = torchaudio.load(self.files[index])
        return bands(sound, 64), torch.stft(sound, 64, return_complex=True).abs(), shared(sound)


class There(Dataset):
    def __getitem__(self, index):
        return torch.linalg.vector_norm(torch.view_as_real(torch.stft(self.sounds[index].to("cuda"), 64, return_complex=True)), dim=-1)
