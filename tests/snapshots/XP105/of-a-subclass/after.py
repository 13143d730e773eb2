from torch.utils.data import DataLoader


class Loader(DataLoader):
    pass


def main(data):
    return Loader(data)
