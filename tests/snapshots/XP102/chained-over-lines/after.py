import torch
import torch_xla

net = (
    torch.nn.Linear(2, 2)
    .to(torch_xla.device())  # to the GPU
    .eval()
)
