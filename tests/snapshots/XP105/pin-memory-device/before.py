from torch.utils.data import DataLoader


def main(data):
    return DataLoader(data, pin_memory=True, pin_memory_device="cuda:0")
