from torch.utils.data import DataLoader


def main(data):
    return DataLoader(data, 4, True, None, None, 0, None, False)
