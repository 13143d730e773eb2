import torch

torch.backends.cudnn.benchmark = True
torch.backends.cudnn.allow_tf32 = False
torch.backends.cuda.matmul.allow_tf32 = False


def exact():
    torch.backends.cuda.matmul.allow_tf32 = False
    print(torch.ones(2, 2, device="cuda") @ torch.ones(2, 2, device="cuda"))


def exact_or_not(exact):
    if exact:
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
    else:
        torch.backends.cudnn.allow_tf32 = True
