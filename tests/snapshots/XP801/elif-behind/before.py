import torch.backends.cudnn as cudnn


def prepare(mode):
    if mode == "fast":
        cudnn.benchmark = True
    elif mode.startswith("slow"):
        print("slow")
    if mode == "fast":
        cudnn.benchmark = True
    # nobody asked for speed
    else:
        print("slow")


prepare("fast")
