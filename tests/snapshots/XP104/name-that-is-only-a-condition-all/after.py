import torch_xla


def main(model, x):
    model.to(torch_xla.device())
    device = torch_xla.device()
    if x.big:
        x = x.to(device)
    return model, device
