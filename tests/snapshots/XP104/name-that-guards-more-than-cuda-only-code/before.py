import torch


def main(model):
    use_cuda = torch.cuda.is_available()
    if use_cuda:
        print(torch.cuda.get_device_name(0))
    if use_cuda:
        model = model.cuda()
    return model
