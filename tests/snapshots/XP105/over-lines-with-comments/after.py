import torch


def main(data):
    return torch.utils.data.DataLoader(
        data,
        batch_size=64,
        shuffle=True,
    )
