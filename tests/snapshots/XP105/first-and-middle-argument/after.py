from torch.utils.data import DataLoader


def main(data):
    a = DataLoader(dataset=data)
    b = DataLoader(data, shuffle=True)
    c = DataLoader(data)
    return a, b, c
