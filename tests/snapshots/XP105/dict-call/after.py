from torch.utils.data import DataLoader


def main(data):
    kwargs = dict(num_workers=1)
    return DataLoader(data, batch_size=4, **kwargs)
