from torch.utils.data import DataLoader


def main(data, cuda):
    kwargs = {"pin_memory": True} if cuda else {}
    return DataLoader(data, **kwargs)
