import torch_xla


def build(model, args):
    model.to(torch_xla.device())
    return model
