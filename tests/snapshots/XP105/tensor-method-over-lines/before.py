import torch

x = (
    torch.zeros(3)
    .pin_memory()  # page-locked
    .to("cpu")
)
