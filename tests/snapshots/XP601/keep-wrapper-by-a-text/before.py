from torch import nn


class DataParallel(nn.Module):
    pass


def wrap(model, kind):
    cls = getattr(nn, kind)
    return cls(model)


model = wrap(nn.Linear(6, 2), "Sequential")
own = globals()["DataParallel"]()
