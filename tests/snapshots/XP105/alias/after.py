import torch.utils.data as D


def main(data):
    return D.DataLoader(data)
