from torch.utils.data import DataLoader


def main(data):
    return DataLoader(data)
