import torch
from torch.utils.data import Dataset


def loudness(sound):
    if torch.min(sound) < -1.0:
        print("the least is", torch.min(sound))
    return torch.view_as_real(torch.stft(sound, 64, 16, return_complex=True)).pow(2).sum(-1)


class Sounds(Dataset):
    def __len__(self):
        return 20

    def __getitem__(self, index):
        sound = torch.FloatTensor([0.1] * 256)
        return sound, loudness(sound)
