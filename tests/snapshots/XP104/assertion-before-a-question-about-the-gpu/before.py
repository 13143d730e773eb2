import torch


def main(model):
    assert torch.cuda.is_available(), "needs a GPU"
    print(torch.cuda.get_device_name(0))
    return model.cuda()
