import random

import torch


def set_seed(seed, model):
    torch.manual_seed(seed)
    random.seed(seed)
    if torch.cuda.is_available():
        torch.cuda.manual_seed(seed)
    model.to("cuda")
