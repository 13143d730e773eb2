from torch.utils.data import DataLoader


def loaders(data, use_cuda):
    options = {"batch_size": 4}
    options.update({"pin_memory": True, "num_workers": 2})
    options.setdefault("pin_memory", True)
    options.update(pin_memory=True)
    options.update(pin_memory=True, shuffle=True)
    if use_cuda:
        options.update({"pin_memory": True})
    return DataLoader(data, **options)
