from torch.utils.data import DataLoader


class Loader(DataLoader):
    def __init__(self, data):
        super().__init__(data)
