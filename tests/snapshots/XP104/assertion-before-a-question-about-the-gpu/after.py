import torch


def main(model):
    print(torch.cuda.get_device_name(0))
    return model.cuda()
