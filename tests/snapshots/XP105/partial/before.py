from functools import partial

from torch.utils.data import DataLoader

make = partial(DataLoader, batch_size=4, pin_memory=True)
