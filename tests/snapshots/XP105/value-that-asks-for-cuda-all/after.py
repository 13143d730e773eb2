from torch.utils.data import DataLoader


def loaders(data, device):
    first = DataLoader(data)
    second = DataLoader(data)
    third = DataLoader(data, num_workers=2)
    return first, second, third
