import torch_xla
from torch.utils.data import DataLoader


def train(index, data, options, shuffle):
    return DataLoader(data, batch_size=8), DataLoader(data, **options), DataLoader(data, shuffle=shuffle)


if __name__ == "__main__":
    torch_xla.launch(train, args=(load(), {}, False))
