from torch.utils.data import DataLoader

options = {"batch_size": 2, "pin_memory": False}
first = DataLoader([], **options)
second = DataLoader([], pin_memory=False, shuffle=True)
third = DataLoader([], 2, False, None, None, 0, None, False)
