import torch
import torch_xla

z = torch.empty(
    3,  # a
    4,  # b
    dtype=torch.int64, device=torch_xla.device()
)
w = torch.zeros(3, 4,  # last
    device=torch_xla.device()
                           )
v = torch.empty(3,
                4,  # heads
                # of each
                dtype=torch.int64, device=torch_xla.device()
                          )
