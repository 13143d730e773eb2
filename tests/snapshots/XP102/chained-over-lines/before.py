import torch

net = (
    torch.nn.Linear(2, 2)
    .cuda()  # to the GPU
    .eval()
)
