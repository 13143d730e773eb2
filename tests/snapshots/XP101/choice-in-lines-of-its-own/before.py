import torch


def run(model, device=None, where=None):
    if device is None:
        device = (
            torch.device("cuda")
            if torch.cuda.is_available()
            else torch.device("cpu")
        )
    where = (
        # beside the model
        torch.device("cuda")
    )
    return model.to(
        torch.device("cuda")
    ), device, where


run(torch.nn.Linear(2, 2))
