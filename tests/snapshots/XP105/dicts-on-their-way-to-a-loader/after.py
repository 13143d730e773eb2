from torch.utils.data import DataLoader


def defaults(pinned):
    return {"num_workers": 2}


def build(data, options):
    return DataLoader(data, **options)


class Data:
    def __init__(self):
        self.kwargs = {}

    def loader(self):
        return DataLoader([], **self.kwargs)


first = DataLoader([], **defaults(True))
second = build([], {"batch_size": 2})
extra = dict(num_workers=1)
third = {"batch_size": 4}
third.update(extra)
DataLoader([], **{**third, "pin_memory": False})
