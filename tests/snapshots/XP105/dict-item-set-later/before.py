from torch.utils.data import DataLoader


def main(data):
    kwargs = {}
    kwargs["pin_memory"] = True
    return DataLoader(data, **kwargs)
