import torch
from torch.utils.data import Dataset


class Masks(Dataset):
    def __getitem__(self, index):
        return torch.load(f"{index}.pt")
