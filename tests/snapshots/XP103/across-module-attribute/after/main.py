import state
import torch
import torch_xla

state.DEVICE = "xla"
x = torch.zeros(3).to(state.DEVICE)
