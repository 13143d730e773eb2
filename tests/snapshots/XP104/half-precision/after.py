import torch


def main(model):
    fp16 = True
    with torch.autocast("cuda", enabled=True):
        return model
