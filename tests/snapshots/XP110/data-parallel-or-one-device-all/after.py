import torch_xla


def build(model):
    model = model.to(torch_xla.device())
    return model
