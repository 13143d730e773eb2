import torch


def main(model, x):
    use_cuda = torch.cuda.is_available()
    if use_cuda:
        model.cuda()
    device = torch.device("cuda" if use_cuda else "cpu")
    if use_cuda and x.big:
        x = x.cuda()
    if not use_cuda:
        print("slow")
    assert use_cuda, "a GPU is needed"
    return model, device
