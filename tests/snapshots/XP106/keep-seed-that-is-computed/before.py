from torch import manual_seed


def seed(draw):
    manual_seed(draw())
    return manual_seed(draw())
