import torch


def configure(exact):
    if exact:
        print("exact")
    else:
        # fast kernels
        torch.backends.cudnn.benchmark = True  # cuDNN
    if exact:
        print("exact")
    elif exact is None:
        torch.backends.cudnn.benchmark = True
    if exact: print("exact")
    else: torch.backends.cudnn.benchmark = True
    return exact
