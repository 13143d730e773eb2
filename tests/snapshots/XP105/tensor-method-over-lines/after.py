import torch

x = (
    torch.zeros(3)  # page-locked
    .to("cpu")
)
