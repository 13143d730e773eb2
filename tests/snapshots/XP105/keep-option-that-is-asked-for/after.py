from torch.utils.data import DataLoader


def main(data):
    options = {"pin_memory": True, "num_workers": 2}
    print(options["pin_memory"])
    return DataLoader(data, **options)
