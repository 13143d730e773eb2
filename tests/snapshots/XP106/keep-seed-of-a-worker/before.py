import random
from functools import partial

import torch
from torch.utils.data import DataLoader, Dataset, get_worker_info


def by_reference(number):
    torch.manual_seed(number)


def by_partial(base, number):
    random.seed(base)
    torch.manual_seed(base + number)


def by_its_parameter(worker_id):
    torch.manual_seed(worker_id)


def by_question(base):
    torch.manual_seed(base + get_worker_info().id)


class Noise(Dataset):
    def __getitem__(self, index):
        torch.manual_seed(index)
        return torch.randn(3)


DataLoader(Noise(), worker_init_fn=by_reference)
DataLoader(Noise(), worker_init_fn=partial(by_partial, 3))
