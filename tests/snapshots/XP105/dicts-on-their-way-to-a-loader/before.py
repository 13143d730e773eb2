from torch.utils.data import DataLoader


def defaults(pinned):
    return {"num_workers": 2, "pin_memory": pinned}


def build(data, options):
    return DataLoader(data, **options)


class Data:
    def __init__(self):
        self.kwargs = {"pin_memory": True}
        self.kwargs["pin_memory"] = False

    def loader(self):
        return DataLoader([], **self.kwargs)


first = DataLoader([], **defaults(True))
second = build([], {"pin_memory": True, "batch_size": 2})
extra = dict(num_workers=1, pin_memory=True)
third = {"batch_size": 4}
third.update(extra)
DataLoader([], **{**third, "pin_memory": False})
