import torch_xla

from data import loader


def train(index):
    return loader(64)


if __name__ == "__main__":
    torch_xla.launch(train)
