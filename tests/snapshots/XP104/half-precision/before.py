import torch


def main(model):
    fp16 = torch.cuda.is_available()
    with torch.autocast("cuda", enabled=torch.cuda.is_available()):
        return model
