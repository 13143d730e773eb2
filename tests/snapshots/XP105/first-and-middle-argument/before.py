from torch.utils.data import DataLoader


def main(data):
    a = DataLoader(pin_memory=True, dataset=data)
    b = DataLoader(data, pin_memory=True, shuffle=True)
    c = DataLoader(data, pin_memory=True)
    return a, b, c
