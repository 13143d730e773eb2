import torch

device = torch.device(
    # the accelerator
    "cuda"
    if torch.cuda.is_available()
    else "cpu"  # slow
)
