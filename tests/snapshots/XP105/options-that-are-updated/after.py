from torch.utils.data import DataLoader


def loaders(data, use_cuda):
    options = {"batch_size": 4}
    options.update({"num_workers": 2})
    options.update(shuffle=True)
    return DataLoader(data, **options)
