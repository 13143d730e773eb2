import torch
import torch_xla


def run(model, device=None, where=None):
    if device is None:
        device = torch_xla.device()
    where = (
        # beside the model
        torch_xla.device()
    )
    return model.to(
        torch_xla.device()
    ), device, where


run(torch.nn.Linear(2, 2))
