from torch.utils.data import DataLoader


def main(data):
    kwargs = {}
    return DataLoader(data, **kwargs)
