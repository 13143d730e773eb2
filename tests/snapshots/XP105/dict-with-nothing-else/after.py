from torch.utils.data import DataLoader


def main(data, cuda):
    kwargs = {} if cuda else {}
    return DataLoader(data, **kwargs)
