import torch_xla


def place(model, x, rank):
    x = x.to(torch_xla.device())
    x = x.to(torch_xla.device())
    return model.to(torch_xla.device()), x
