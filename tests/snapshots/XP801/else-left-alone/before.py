import torch
import torch.backends.cudnn as cudnn


def prepare(seed, verbose, notes, mode):
    if verbose:  # fast
        cudnn.benchmark = True
    else:  # quiet
        print("quiet")
    if seed == 3:
        print(3)
    elif mode in ("a", "b"):
        torch.backends.cudnn.benchmark = True
    else:
        print("neither")
    if (seed or notes) == mode:
        cudnn.benchmark = True
    else:
        print("apart")
    if not notes.is_good():
        cudnn.benchmark = True
    else:
        print("good")


prepare(1, True, None, "a")
net = torch.nn.Linear(2, 2).to("cuda")
