import torch


def run(model, x):
    with torch.no_grad():
        return model(x.cuda())
