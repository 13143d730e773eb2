import torch


def evaluate(model, settings):
    pin = settings.device != "cpu"
    if settings.device == "cuda":
        print("on the accelerator", pin)
    with torch.no_grad():
        return model(torch.zeros(3, device=settings.device))
