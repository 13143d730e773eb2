import torch
import torch_xla

name = torch.cuda.get_device_name(torch_xla.device())
state = torch.cuda.get_rng_state(device=torch_xla.device())
